import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AxisCounts } from './axis-counts.ts';

test('counts of axes are found by code, and listed with the most matches first', () => {
  const codes = ['api_1', 'file_1', 'file_10', 'file_2'];
  const counts = new AxisCounts(codes, Uint32Array.of(3, 0, 7, 3), Uint8Array.of(0, 0, 1, 0));
  assert.equal(counts.size, 3);
  assert.deepEqual(
    [...codes, 'file_3', 'a', ''].map((code) => counts.countIn(code)),
    [3, 0, 7, 3, 0, 0, 0],
  );
  assert.deepEqual(counts.first(2), [
    { axis: 'file_10', count: 7, relation: 'gte' },
    { axis: 'api_1', count: 3, relation: 'eq' },
  ]);
  assert.equal(counts.first(1_000).length, 3);
});
