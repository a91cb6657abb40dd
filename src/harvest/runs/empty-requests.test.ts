import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doubtfulRequests, markSiblings, type RequestState } from './empty-requests.ts';

const letters: Readonly<Record<string, RequestState>> = {
  r: 'records',
  e: 'empty',
  k: 'known_empty',
  x: 'emptied',
};

/** Marks the doubtful ones of sibling requests with `?`; each letter of `text` is the state of one. */
function markDoubtful(text: string): string {
  const states = Array.from(text, (letter) => letters[letter]!);
  const positions = doubtfulRequests(states, Array(states.length).fill(true));
  return Array.from(text, (_, at) => (positions.includes(at) ? '?' : '.')).join('');
}

test('an empty request is doubtful beside records, if the last run had some, and once in ten', () => {
  const cases = [
    ['rre', '..?'],
    ['erekrx', '?.?..?'],
    ['eeee', '????'],
    ['kkkk', '....'],
    ['rkeeker', '.....?.'],
    ['rkeeer', '....?.'],
    [`r${'e'.repeat(24)}r`, `.?....?.........?.......?.`],
  ] as const;
  for (const [states, expected] of cases) assert.equal(markDoubtful(states), expected, states);
});

test('siblings differ in the innermost loop of their enumeration alone', () => {
  const stations = ['90', '93'].flatMap((stnIds) =>
    ['2024', '2025', '2026'].map((year) => ({
      parameters: { stnIds, from: `${year}0101`, to: `${year}1231` },
    })),
  );
  assert.deepEqual(markSiblings(stations), [false, true, true, false, true, true]);
  const years = ['2024', '2025', '2026'].map((solYear) => ({ parameters: { solYear } }));
  assert.deepEqual(markSiblings(years), [false, true, true]);
});

test('a request without siblings is doubtful beside any request with records', () => {
  assert.deepEqual(doubtfulRequests(['records', 'empty'], [false, false]), [1]);
  assert.deepEqual(doubtfulRequests(['records', 'empty', 'empty'], [false, false, true]), []);
});
