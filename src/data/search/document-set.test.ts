import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intersect, setOfList, subtract } from './document-set.ts';

test('a set of the few documents left of many has memory for these alone', () => {
  const many = setOfList(Uint16Array.from({ length: 4_000 }, (_, at) => at * 2));
  const few = setOfList(Uint16Array.of(4, 5, 6));
  const others = setOfList(many.list!.subarray(1));
  assert.deepEqual([...intersect(many, few).list!], [4, 6]);
  const left = subtract(many, others);
  assert.deepEqual([...left.list!], [0]);
  assert.equal(left.list!.buffer.byteLength, 2);
});

test('a set stays as it is while others are computed', () => {
  const first = intersect(setOfList(Uint16Array.of(1, 2, 3)), setOfList(Uint16Array.of(2, 3)));
  intersect(setOfList(Uint16Array.of(7, 8, 9)), setOfList(Uint16Array.of(8, 9)));
  assert.deepEqual([...first.list!], [2, 3]);
});
