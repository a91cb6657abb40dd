import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { matchingText } from './normalise.ts';
import { parseQuery, termsMax } from './terms.ts';

/** Queries and their terms; a term in brackets of its own is a phrase. */
const table: readonly (readonly [text: string, terms: readonly (string | [phrase: string])[]])[] = [
  ['', []],
  ['   ', []],
  ['강남역 주차', ['강남역', '주차']],
  ['GS25', ['gs25']],
  ['"강남역 3번 출구"', [['강남역 3번 출구']]],
  ['“강남역 3번” 주차', [['강남역 3번'], '주차']],
  ['＂전각 따옴표＂', [['전각 따옴표']]],
  ['"두  칸" 집', [['두 칸'], '집']],
  ['"닫히지 않음', ['"닫히지', '않음']],
  ['5" 모니터', ['5"', '모니터']],
  ['"', ['"']],
  ['""', []],
  ['" "', []],
  ['"가 나"다', [['가 나'], '다']],
  ['병원 병원 "병원"', ['병원']],
];

test('a query is split into terms', () => {
  for (const [text, expected] of table) {
    const terms = expected.map((term) =>
      typeof term === 'string' ? { text: term, phrase: false } : { text: term[0], phrase: true },
    );
    assert.deepEqual(parseQuery(text).terms, terms, text);
  }
});

test('a query of 16 terms is kept whole; of a query of 17 terms, one is dropped', () => {
  const words = Array.from({ length: termsMax + 1 }, (_, index) => `말${index}`);
  assert.equal(parseQuery(words.slice(0, termsMax).join(' ')).terms.length, termsMax);
  assert.equal(parseQuery(words.join(' ')).terms.length, termsMax);
});

test('terms are normalised, distinct, not empty and part of the query, for any text', () => {
  const anyText = fc.string({
    unit: fc.constantFrom('가', '나', 'A', ' ', '"', '“', '”', '\t', '1'),
  });
  fc.assert(
    fc.property(anyText, (text) => {
      const { terms } = parseQuery(text);
      assert.equal(new Set(terms.map((term) => term.text)).size, terms.length);
      for (const term of terms) {
        assert.notEqual(term.text, '');
        assert.equal(matchingText(term.text), term.text);
        assert.ok(matchingText(text).includes(term.text));
        if (!term.phrase) assert.ok(!term.text.includes(' '));
      }
    }),
  );
});
