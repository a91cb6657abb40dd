import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spellColumns } from './spelling.ts';

test('English keys and Korean headers of standard data are one column', () => {
  const pages = [
    ['parkNm', 'latitude', 'ctpvNm', 'instt_code'],
    ['공원명', '위도', '시도명', '제공기관코드'],
    ['parkNm', 'latitude', 'ctprvnNm', 'insttCode', 'newName'],
  ];
  assert.deepEqual(spellColumns(pages, []), [
    { name: '공원명', keys: ['parkNm', '공원명'] },
    { name: '위도', keys: ['latitude', '위도'] },
    { name: '시도명', keys: ['ctpvNm', '시도명', 'ctprvnNm'] },
    { name: '제공기관코드', keys: ['instt_code', '제공기관코드', 'insttCode'] },
    { name: 'newName', keys: ['newName'] },
  ]);
});

test('two keys of one page are two columns, whatever they mean', () => {
  assert.deepEqual(spellColumns([['longitude', 'hardness']], []), [
    { name: '경도', keys: ['longitude'] },
    { name: '경도_2', keys: ['hardness'] },
  ]);
});

test('the order that the source publishes goes first, and a key is spelt as the header of the file', () => {
  assert.deepEqual(spellColumns([['좌석수 \n(석)', ' 이름']], ['이름 ', '좌석수 \n(석)']), [
    { name: '이름', keys: ['이름 ', ' 이름'] },
    { name: '좌석수(석)', keys: ['좌석수 \n(석)'] },
  ]);
});
