import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/any-text.ts';
import { ValueNumbers } from './value-numbers.ts';

test('distinct values are numbered in the order of their first occurrence, also after clear', () => {
  const value = fc.oneof(
    anyText(),
    fc.integer(),
    fc.double({ noNaN: true }).map((number) => number + 0),
    fc.boolean(),
  );
  const numbers = new ValueNumbers();
  fc.assert(
    fc.property(fc.array(value, { maxLength: 400 }), (values) => {
      numbers.clear();
      const expected = new Map<unknown, number>();
      for (const value of values) {
        if (!expected.has(value)) expected.set(value, expected.size + 1);
        assert.equal(numbers.numberOf(value), expected.get(value));
      }
      assert.deepEqual(numbers.values, [...expected.keys()]);
    }),
  );
});
