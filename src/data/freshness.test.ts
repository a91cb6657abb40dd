import assert from 'node:assert/strict';
import test from 'node:test';
import { freshnessOf } from './freshness.ts';
import { fixtureStore } from '../../test/fixtures/lookup.ts';

const { axis } = fixtureStore().axes.get('file_15012896')!;

test('data is fresh for a cycle, due for another, then stale; unknown without a cycle', () => {
  const daily = { ...axis, sourceModified: '2026-11-20', updateCycle: 'P1D' };
  const days = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23'];
  assert.deepEqual(
    days.map((day) => freshnessOf(daily, day)),
    ['fresh', 'fresh', 'due', 'stale'],
  );
  assert.equal(freshnessOf({ ...daily, updateCycle: null }, '2026-11-23'), 'unknown');
});

test('data collected from 15:00 UTC on counts as collected the next day in Korea', () => {
  const daily = { ...axis, sourceModified: null, updateCycle: 'P1D' };
  const evening = { ...daily, collectedAt: '2026-11-20T15:00:00Z' };
  const afternoon = { ...daily, collectedAt: '2026-11-20T14:59:00Z' };
  assert.equal(freshnessOf(evening, '2026-11-22'), 'fresh');
  assert.equal(freshnessOf(afternoon, '2026-11-22'), 'due');
});
