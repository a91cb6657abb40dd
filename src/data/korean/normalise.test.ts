import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { matchingText, parameterText } from './normalise.ts';
import { anyText } from '../../../test/any-text.ts';

const table: readonly (readonly [text: string, matching: string])[] = [
  ['', ''],
  ['강남역 주차장', '강남역 주차장'],
  ['GS25 강남점', 'gs25 강남점'],
  ['  두  칸   ', '두 칸'],
  [' ', ''],
  ['탭\t줄\r\n바꿈', '탭 줄 바꿈'],
  ['전각\u3000공백\u00a0포함', '전각 공백 포함'],
  ['서울\u200b시\ufeff청\u00ad', '서울시청'],
  ['널\u0000문자\u001f와\u009f제어', '널문자와제어'],
  ['다음\u0085줄', '다음 줄'],
  ['ＫＴＸ①호', 'ktx1호'],
  ['면적 100㎡', '면적 100m2'],
  ['㈜마루', '(주)마루'],
  ['서울시'.normalize('NFD'), '서울시'],
  ['\u1100\u200b\u1161', '가'],
  ['漢字 병기(倂記)', '漢字 병기(倂記)'],
  ['İstanbul ΑΣ', 'i̇stanbul ας'],
  ['중앙·동', '중앙·동'],
];

test('texts of the table are normalised as listed', () => {
  for (const [text, matching] of table) assert.equal(matchingText(text), matching);
});

test('normalising twice is normalising once, for any text', () => {
  fc.assert(
    fc.property(mixedText(), (text) => matchingText(matchingText(text)) === matchingText(text)),
  );
});

test('normalising twice is normalising once, for every code point between two letters', () => {
  for (let code = 0; code <= 0x2ffff; code++) {
    const text = `가${String.fromCodePoint(code)}A`;
    const once = matchingText(text);
    if (matchingText(once) !== once) assert.fail(`U+${code.toString(16)} changes twice`);
  }
});

test('the fast path and the full path give equal results', () => {
  const plain = fc.string({
    unit: fc.constantFrom('가', '힣', 'a', 'Z', '7', ' ', '-', '(', '漢', '·'),
  });
  fc.assert(
    fc.property(plain, (text) => {
      // A zero-width character sends the same text down the full path.
      assert.equal(matchingText(text), matchingText(`${text}\u200b`));
    }),
  );
});

test('letter case and decomposition do not matter', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('가', '값', 'ㄱ', 'b', 'Q', ' ', '9') }),
      (text) => {
        assert.equal(matchingText(text.normalize('NFD')), matchingText(text));
        assert.equal(matchingText(text.toUpperCase()), matchingText(text));
      },
    ),
  );
});

test('a parameter keeps its letters and loses surplus blanks', () => {
  assert.equal(parameterText('  서울  강남 '), '서울 강남');
  assert.equal(parameterText('GS\t25'), 'GS 25');
  assert.equal(parameterText('ＧＳ'), 'ＧＳ');
  assert.equal(parameterText('서울'.normalize('NFD')), '서울');
});

function mixedText(): fc.Arbitrary<string> {
  const odd = fc.constantFrom(
    '\u200b',
    '\u1100',
    '\u1161',
    '\u11a8',
    ' ',
    '\t',
    'ﷺ',
    '¨',
    'İ',
    'ẞ',
    'ㄱ',
    'ㅏ',
  );
  return fc.string({ unit: fc.oneof(anyText({ maxLength: 2 }), odd) });
}
