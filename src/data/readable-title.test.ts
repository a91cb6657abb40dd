import assert from 'node:assert/strict';
import test from 'node:test';
import { fixtureStore } from '../../test/fixtures/lookup.ts';
import { koreanTitle, readableTitle } from './readable-title.ts';

const { axis, fields } = fixtureStore().axes.get('file_15012896')!;

test('a title of a year alone has no words in Korean', () => {
  assert.equal(koreanTitle('2020'), '2020');
  assert.equal(koreanTitle('fire 2021'), '화재 2021 (fire 2021)');
});

test('a title without Hangul stands after its words in Korean, or else after its first fields', () => {
  const table = [
    ['fire', '화재 (fire)'],
    ['pharmacyInfo', '약국 정보 (pharmacyInfo)'],
    ['seoulCCTV', '서울 CCTV (seoulCCTV)'],
    ['bus_station', '버스 정류장 (bus_station)'],
    ['election2020', '선거 2020 (election2020)'],
    ['전국 주차장 API', '전국 주차장 API'],
    [
      'distbe',
      `distbe (${fields
        .slice(0, 3)
        .map(({ label }) => label)
        .join(', ')})`,
    ],
  ] as const;
  for (const [title, expected] of table) {
    assert.equal(readableTitle({ axis: { ...axis, title }, fields }), expected);
  }
});
