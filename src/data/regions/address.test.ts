import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseAddress } from './address.ts';

const table: readonly (readonly [address: string, parsed: string | null])[] = [
  ['서울특별시 종로구 자하문로36길 16', '11 11110 자하문로36길 16'],
  ['서울 종로구 청운동 1', '11 11110 청운동 1'],
  ['(03174) 서울 종로구 새문안로 1', '11 11110 새문안로 1'],
  ['[110-061] 서울특별시  종로구', '11 11110 '],
  ['우)03174 서울시 강남구', '11 11680 '],
  ['우편번호 03174 서울시 강남구', '11 11680 '],
  ['대한민국 서울시 강남구', '11 11680 '],
  ['서울 특별시 종로 구 청운동', '11 11110 청운동'],
  ['서울특별시종로구 청운동', '11 11110 청운동'],
  ['부산사하구 감천동', '26 26380 감천동'],
  ['인천광역시 인천시 서구 거월로 61', '28 28260 거월로 61'],
  ['경기도 수원시 장안구 정자동 1', '41 41111 정자동 1'],
  ['경기도 수원시장안구정자동 1', '41 41111 정자동 1'],
  ['경기 성남분당 서현동', '41 41135 서현동'],
  ['성남시 분당구 판교로 1', '41 41135 판교로 1'],
  ['수원시 인계동', '41 41110 인계동'],
  ['제주시 애월읍', '50 50110 애월읍'],
  ['강원도 고성군 간성읍', '42 42820 간성읍'],
  ['고성군 간성읍', null],
  ['중구 중앙동', null],
  ['세종특별자치시 조치원읍 1', '36 조치원읍 1'],
  ['경기도 화성군 봉담읍', '41 41750 봉담읍'],
  ['전라남도 광양군', '46 46740 '],
  ['전남 목포시 용당동', '46 46110 용당동'],
  ['광주광역시 북구 용봉동', '29 29170 용봉동'],
  ['광주 북구 용봉동', '29 29170 용봉동'],
  ['광주시 북구 용봉동', '29 29170 용봉동'],
  ['광주시 오포읍 고산리', '41 41610 오포읍 고산리'],
  ['경기도 광주시 경안동', '41 41610 경안동'],
  ['광주시 송정동', null],
  ['광주시', null],
  ['강남대로 1', null],
  ['', null],
  ['   ', null],
  ['12345', null],
];

test('addresses of the table are parsed as listed, former names to former regions', () => {
  for (const [address, expected] of table) {
    const parsed = parseAddress(address);
    const regions =
      parsed === null
        ? null
        : [parsed.sido.code, parsed.sigungu?.code, parsed.rest]
            .filter((one) => one !== undefined)
            .join(' ');
    assert.equal(regions, expected, address);
  }
});

test('a text longer than any address is not read', () => {
  assert.ok(parseAddress('서울특별시 '.padEnd(500, '가')) !== null);
  assert.equal(parseAddress('서울특별시 '.padEnd(501, '가')), null);
});

test('the rest of a parsed address is the end of the text, for any text', () => {
  const words = fc.constantFrom(
    '서울',
    '경기도',
    '광주시',
    '수원시',
    '장안구',
    '중구',
    '시',
    '구',
    '1',
    '(',
    '강원고성군',
  );
  fc.assert(
    fc.property(fc.array(words), (list) => {
      const text = list.join(' ');
      const parsed = parseAddress(text);
      if (parsed !== null) assert.ok(text.endsWith(parsed.rest.trim()), text);
    }),
  );
});
