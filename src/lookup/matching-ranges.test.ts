import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { matchingText } from '../data/korean/normalise.ts';
import { matchesOf } from './matches.ts';
import { matchingRanges } from './matching-ranges.ts';
import { anyText } from '../../test/any-text.ts';

const pieces = fc.constantFrom(
  '강남',
  '역',
  ' ',
  '  ',
  '\t',
  'SK',
  'ＳＫ',
  '㈜',
  '①',
  '가',
  '한글',
  'ㄱㅏ',
  'ﾊﾟ',
  'é',
  'e\u0301',
  'İ',
  'ß',
  'ﬁ',
  '𝟙',
  '😀',
  '\u200b',
  '\ufeff',
  'Å',
  '½',
  '豈',
  '\u0007',
);
const written = fc.oneof(
  fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
  anyText({ maxLength: 20 }),
);

test('every term of the normalised text gets a range of the written text that contains it', () => {
  fc.assert(
    fc.property(written, fc.nat(), fc.integer({ min: 1, max: 4 }), (text, at, length) => {
      const normalised = matchingText(text);
      fc.pre(normalised.length > 0);
      const start = at % normalised.length;
      const term = matchingText(normalised.slice(start, start + length));
      // A query arrives as UTF-8, so it never has half a character.
      fc.pre(term !== '' && term.isWellFormed() && normalised.includes(term));
      const ranges = matchingRanges(text, [term], 16);
      assert.ok(ranges.length > 0);
      for (const [from, to] of ranges) {
        assert.ok(from >= 0 && from < to && to <= text.length);
        assert.ok(matchingText(text.slice(from, to)).includes(term));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('if characters keep their length, a range is exactly the term', () => {
  const text = '  서울  강남역\t2호선 SK주유소';
  const slices = matchingRanges(text, ['강남역', 'sk', '울 강'], 9).map(([a, b]) =>
    text.slice(a, b),
  );
  assert.deepEqual(slices.map(matchingText), ['울 강남역', 'sk']);
});

test('a range includes the whole of a character that changes its length', () => {
  const cases = [
    ['㈜누리', '주', '㈜'],
    ['강남역', '강남', '강남'],
    ['ＳＫ텔레콤', 'sk텔', 'ＳＫ텔'],
    ['A😀SK', 'sk', 'SK'],
    ['1½컵', '2컵', '½컵'],
  ] as const;
  for (const [text, term, expected] of cases) {
    const source = text.normalize(text.startsWith('강') ? 'NFD' : 'NFC');
    const [range] = matchingRanges(source, [term], 4);
    assert.equal(source.slice(...range!).normalize('NFC'), expected);
  }
});

test('a snippet is short, begins before the first match, and never splits a character', () => {
  fc.assert(
    fc.property(fc.nat(400), fc.nat(400), (before, after) => {
      const record = { 설명: `${'😀'.repeat(before)}강남${'😀'.repeat(after)}` };
      const terms = [{ text: '강남', phrase: false }];
      const [match] = matchesOf(record, [{ name: '설명', label: '설명' }], terms);
      const [start, end] = match!.ranges[0]!;
      assert.equal(match!.snippet.slice(start, end), '강남');
      assert.ok(match!.snippet.isWellFormed());
      assert.ok(match!.snippet.length <= 170);
    }),
  );
});

test('a word inside a longer one matches only where the text does not have the word itself', () => {
  const fields = ['제목', '비고'].map((name) => ({ name, label: name }));
  const matchesIn = (제목: string, 비고: string): string[] =>
    matchesOf({ 제목, 비고 }, fields, [{ text: '화재', phrase: false }]).map(({ field }) => field);
  assert.deepEqual(matchesIn('문화재 화재 통계', '문화재'), ['제목']);
  assert.deepEqual(matchesIn('문화재', '공장화재'), ['비고']);
  assert.deepEqual(matchesIn('문화재', '무형문화재'), ['제목', '비고']);
  const [match] = matchesOf({ 제목: '문화재 화재 통계', 비고: null }, fields, [
    { text: '화재', phrase: false },
  ]);
  assert.deepEqual(match!.ranges, [[4, 6]]);
});
