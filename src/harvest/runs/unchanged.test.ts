import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Axis, StoredAxis, Quality } from '../../data/axis.ts';
import { isTold } from './unchanged.ts';

const quality: Quality = { findings: [] };

function held(facts: Partial<Axis>): StoredAxis {
  // Of an axis only these facts and its quality are looked at.
  const axis = {
    sourceModified: null,
    updateCycle: 'P1D',
    collectedAt: '2026-11-21T03:20:00.000Z',
  };
  return { axis: { ...axis, ...facts }, quality } as StoredAxis;
}

test('the last minute of a day in Korea is told, the first of the next is not', () => {
  assert.equal(isTold(held({}), quality, '2026-11-21T14:59:59.000Z'), true);
  assert.equal(isTold(held({}), quality, '2026-11-21T15:00:00.000Z'), false);
});

test('data with a date of its own, or without a cycle, does not age by its collection', () => {
  const years = '2028-11-21T03:20:00.000Z';
  assert.equal(isTold(held({ sourceModified: '2026-08-31' }), quality, years), true);
  assert.equal(isTold(held({ updateCycle: null }), quality, years), true);
});

test('what is odd about it is told anew when it changes', () => {
  const since = '2026-11-21T03:20:00.000Z';
  const odd: Quality = { findings: [{ kind: 'read_oddly', count: 1, since }] };
  assert.equal(isTold(held({}), odd, since), false);
});
