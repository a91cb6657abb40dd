import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standardHeaders, spellColumns } from './spelling.ts';

test('an English key and a Korean header of the same standard field become one column', () => {
  const pages = [
    ['parkNm', 'latitude', 'ctpvNm', 'instt_code'],
    ['공원명', '위도', '시도명', '제공기관코드'],
    ['parkNm', 'LATITUDE', 'ctprvnNm', 'insttCode', 'newName'],
  ];
  assert.deepEqual(spellColumns(pages, [], standardHeaders('1')), [
    { name: '공원명', keys: ['parkNm', '공원명'] },
    { name: '위도', keys: ['latitude', '위도', 'LATITUDE'] },
    { name: '시도명', keys: ['ctpvNm', '시도명', 'ctprvnNm'] },
    { name: '제공기관코드', keys: ['instt_code', '제공기관코드', 'insttCode'] },
    { name: 'newName', keys: ['newName'] },
  ]);
});

test('two keys of the same page are two columns, even if they mean the same', () => {
  assert.deepEqual(spellColumns([['longitude', 'hardness']], [], standardHeaders('1')), [
    { name: '경도', keys: ['longitude'] },
    { name: '경도_2', keys: ['hardness'] },
  ]);
});

test('columns have the published order, and the headers of the file', () => {
  assert.deepEqual(spellColumns([['좌석수 \n(석)', ' 이름']], ['이름 ', '좌석수 \n(석)'], none), [
    { name: '이름', keys: ['이름 ', ' 이름'] },
    { name: '좌석수(석)', keys: ['좌석수 \n(석)'] },
  ]);
});

test('a dataset’s own headers override those shared by standard data', () => {
  const keys = [['phoneNumber', 'latitude']];
  const nameOf = (number: string) =>
    spellColumns(keys, [], standardHeaders(number)).map(({ name }) => name);
  assert.deepEqual(nameOf('15013109'), ['도서관전화번호', '위도']);
  assert.deepEqual(nameOf('15017323'), ['관리기관전화번호', '위도']);
  assert.deepEqual(nameOf('15012890'), ['전화번호', '위도']);
});

const none: ReadonlyMap<string, string> = new Map();
