import assert from 'node:assert/strict';
import { test } from 'node:test';
import { snapshotReason } from './snapshot-reasons.ts';

test('reasons of snapshots are Korean on Korean pages, and others stay as they are', () => {
  const cases = [
    ['Loaded file_1, file_2 and 3 more.', '적재: file_1, file_2 외 3개'],
    ['Loaded file_15099001.', '적재: file_15099001'],
    ['Loaded a catalog of 30734 datasets.', '데이터셋 30734개의 목록 적재'],
    ['Collected gen_area2.', '수집: gen_area2'],
    [
      'First start: the calendar and the region table, and sample data for the rest.',
      '첫 시작: 달력과 지역 표, 나머지는 예시 데이터',
    ],
    ['First start: the calendar and the region table.', '첫 시작: 달력과 지역 표'],
    ['Built $1 <b>.', 'Built $1 <b>.'],
  ] as const;
  for (const [english, korean] of cases) {
    assert.equal(snapshotReason({ language: 'ko' }, english), korean);
    assert.equal(snapshotReason({ language: 'en' }, english), english);
  }
});
