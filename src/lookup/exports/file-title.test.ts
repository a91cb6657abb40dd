import assert from 'node:assert/strict';
import test from 'node:test';
import { fixtureStore } from '../../../test/fixtures/lookup.ts';
import { fileTitle } from './file-title.ts';

test('the title of a file has the filters of its records, in characters of file names', () => {
  const stored = fixtureStore().axes.get('file_15012896')!;
  const { title } = stored.axis;
  assert.equal(fileTitle({}, stored), title);
  assert.equal(
    fileTitle(
      { sido: '서울', sigungu: '강남구', where: `주차구획수 >= 100 and 요금 = '무료'` },
      stored,
    ),
    `${title} 서울 강남구 주차구획수 ≥ 100 and 요금 = 무료`,
  );
  assert.equal(fileTitle({ q: '../a:b|c?*\n' }, stored), `${title} .. a b c`);
  assert.equal(
    fileTitle({ near: '37.5,127', bbox: '1,2,3,4' }, stored),
    `${title} 37.5,127 근처 지도 범위`,
  );
  const long = fileTitle({ q: '가'.repeat(200) }, stored);
  assert.ok(Buffer.byteLength(`${long}.parquet`) <= 255, long);
});
