import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mostFirst } from './most-first.ts';

test('positions come by their counts, the largest first, and without those of 0', () => {
  const count = fc.oneof(fc.nat(3), fc.integer({ min: 4_090, max: 4_100 }), fc.nat(1_000_000));
  fc.assert(
    fc.property(fc.array(count, { maxLength: 40 }), (counts) => {
      const expected = [...counts.keys()]
        .filter((at) => counts[at]! > 0)
        .sort((a, b) => counts[b]! - counts[a]! || a - b);
      assert.deepEqual([...mostFirst(Uint32Array.from(counts))], expected);
    }),
  );
});
