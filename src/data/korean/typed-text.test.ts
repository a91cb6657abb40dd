import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertHangulToQwerty } from 'es-hangul';
import * as fc from 'fast-check';
import { hangulOfKeys, keyboardSlip } from './keyboard.ts';
import { keystrokesOf } from './keystrokes.ts';
import { isStartOf, typedReadings } from './typed-text.ts';

test('half-typed syllables, initials and keys of the other language begin 도서관', () => {
  for (const typed of ['도', '돗', '도서', '도석', '도섟', '도서ㄱ', '도서과', 'ㄷ', 'ㄷㅅㄱ']) {
    assert.ok(readsAs(typed, '도서관'), typed);
  }
  for (const typed of ['ehtjrhks', 'EHTJ', 'ehtjr', 'etr']) {
    assert.ok(readsAs(typed, '도서관'), typed);
  }
  for (const typed of ['도선', '서관', 'ㄷㅅㅅ', 'library', '']) {
    assert.ok(!readsAs(typed, '도서관'), typed);
  }
  assert.ok(readsAs('ㅊㅊㅅㅍ', 'CCTV 관제센터'));
});

test('a word is found after each key of it that is typed', () => {
  const words = fc.stringMatching(/^[가-힣]{1,6}$/);
  fc.assert(
    fc.property(words, fc.nat(30), (word, count) => {
      const keys = convertHangulToQwerty(word).slice(0, 1 + count);
      const typed = hangulOfKeys(keys);
      // es-hangul cannot join some letters that a keyboard does.
      if (typed === null || keystrokesOf(typed) !== keys.toLowerCase()) return;
      assert.ok(isStartOf(typedReadings(typed)[0]!, word), `${typed} ${word}`);
    }),
  );
});

test('Latin keys that type successive vowels are not read as a keyboard slip', () => {
  assert.equal(keyboardSlip('yhoq'), null);
  assert.equal(hangulOfKeys('yhoq'), null);
  assert.deepEqual(
    typedReadings('yhoq').map(({ text }) => text),
    ['yhoq'],
  );
});

function readsAs(typed: string, name: string): boolean {
  return typedReadings(typed).some((reading) => isStartOf(reading, name));
}
