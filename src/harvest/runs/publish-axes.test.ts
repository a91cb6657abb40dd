import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Axis, StoredAxis, Quality } from '../../data/axis.ts';
import { isUnchanged } from './publish-axes.ts';

const quality: Quality = { findings: [] };

function served(facts: Partial<Axis>): StoredAxis {
  // Only these facts of an axis and its quality are read.
  const axis = {
    sourceModified: null,
    updateCycle: 'P1D',
    collectedAt: '2026-11-21T03:20:00.000Z',
  };
  return { axis: { ...axis, ...facts }, quality } as StoredAxis;
}

test('unchanged data is published again on the next day in Korea, not on the same', () => {
  assert.equal(isUnchanged(served({}), quality, '2026-11-21T14:59:59.000Z'), true);
  assert.equal(isUnchanged(served({}), quality, '2026-11-21T15:00:00.000Z'), false);
});

test('unchanged data with a date of its own, or without a cycle, is not published again', () => {
  const years = '2028-11-21T03:20:00.000Z';
  assert.equal(isUnchanged(served({ sourceModified: '2026-08-31' }), quality, years), true);
  assert.equal(isUnchanged(served({ updateCycle: null }), quality, years), true);
});

test('an unchanged axis with new findings is published again', () => {
  const since = '2026-11-21T03:20:00.000Z';
  const odd: Quality = { findings: [{ kind: 'read_oddly', count: 1, since }] };
  assert.equal(isUnchanged(served({}), odd, since), false);
});
