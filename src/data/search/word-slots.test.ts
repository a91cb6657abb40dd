import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { WordSlots } from './word-slots.ts';

test('a word that is found has the slots with which it was stored, whatever was stored later', () => {
  const word = fc.string({
    unit: fc.constantFrom('가', '나', '다', '1'),
    minLength: 2,
    maxLength: 6,
  });
  const words = fc.array(fc.tuple(word, fc.integer({ min: 0, max: 1 })), { maxLength: 200 });
  fc.assert(
    fc.property(words, (all) => {
      const cache = new WordSlots();
      for (const [text, kind] of all) {
        const expected = Array.from(text, (unit) => unit.charCodeAt(0) * 2 + kind);
        const line = `앞 ${text}`;
        const found = cache.find(line, 2, line.length, kind);
        if (found >= 0) {
          assert.deepEqual([...cache.slots.subarray(found, found + cache.length)], expected);
        } else {
          cache.store(line, 2, line.length, Int32Array.of(9, ...expected), 1, expected.length + 1);
        }
      }
    }),
  );
});

test('a word is stored the second time it is seen, and found until the cache is cleared', () => {
  const cache = new WordSlots();
  const slots = Int32Array.of(7, 8);
  const isFound = (): boolean => cache.find('가람', 0, 2, 0) >= 0;
  for (const expected of [false, false, true, true]) {
    assert.equal(isFound(), expected);
    if (!expected) cache.store('가람', 0, 2, slots, 0, 2);
  }
  cache.clear();
  assert.equal(isFound(), false);
});
