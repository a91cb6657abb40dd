import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDamaged } from './damaged-text.ts';

test('a text with replaced bytes or with half of a surrogate pair is damaged', () => {
  assert.deepEqual(['새봄\uFFFD', '새봄\ud83d', '새봄🌸', ''].map(isDamaged), [
    true,
    true,
    false,
    false,
  ]);
});
