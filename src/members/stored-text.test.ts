import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storedText } from './stored-text.ts';

test('a stored text is cut between characters and has none that an engine refuses', () => {
  assert.equal(storedText('x'.repeat(63) + '😀😀', 64), 'x'.repeat(63) + '😀');
  assert.equal(storedText('😀'.repeat(64), 64), '😀'.repeat(64));
  assert.equal(storedText('😀'.repeat(65), 64), '😀'.repeat(64));
  assert.equal(storedText('a\0b\ud800c'), 'a\ufffdb\ufffdc');
  assert.equal(storedText('한글', 64), '한글');
});
