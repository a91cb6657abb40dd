import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/any-text.ts';
import { sortByText } from './sort-by-text.ts';

test('indexes are sorted by their texts, and in ascending order if the texts are equal', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom('\0', 'a', '가', '\uffff') }),
    anyText({ maxLength: 8 }).map((end) => `${'도로'.repeat(70)}${end}`),
    fc.integer({ min: 0, max: 99 }).map((number) => `서울특별시 ${number}`),
  );
  fc.assert(
    fc.property(fc.array(text, { minLength: 60, maxLength: 400 }), (texts) => {
      const order = Uint32Array.from(texts.keys());
      sortByText(order, texts, (a, b) => compareTexts(texts[a]!, texts[b]!) || a - b);
      const expected = [...texts.keys()].sort(
        (a, b) => compareTexts(texts[a]!, texts[b]!) || a - b,
      );
      assert.deepEqual([...order], expected);
    }),
  );
});

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
