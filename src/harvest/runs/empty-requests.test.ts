import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doubtfulRequests, siblingsOfPrevious, type RequestState } from './empty-requests.ts';

const letters: Readonly<Record<string, RequestState>> = {
  r: 'records',
  e: 'unconfirmed_empty',
  k: 'confirmed_empty',
  x: 'lost_records',
};

/** Writes `?` for each doubtful request and `.` for the others. `states` has a letter for each of several siblings. */
function markDoubtful(states: string): string {
  const siblings = Array.from(states, (letter) => letters[letter]!);
  const positions = doubtfulRequests(siblings, Array(siblings.length).fill(true));
  return Array.from(states, (_, at) => (positions.includes(at) ? '?' : '.')).join('');
}

test('an empty answer is doubtful beside records, after lost records, and once in ten', () => {
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

test('requests are siblings if they differ only in the innermost loop of their enumeration', () => {
  const stations = ['90', '93'].flatMap((stnIds) =>
    ['2024', '2025', '2026'].map((year) => ({
      parameters: { stnIds, from: `${year}0101`, to: `${year}1231` },
    })),
  );
  assert.deepEqual(siblingsOfPrevious(stations), [false, true, true, false, true, true]);
  const years = ['2024', '2025', '2026'].map((solYear) => ({ parameters: { solYear } }));
  assert.deepEqual(siblingsOfPrevious(years), [false, true, true]);
});

test('an empty answer to a request without siblings is doubtful beside any request with records', () => {
  assert.deepEqual(doubtfulRequests(['records', 'unconfirmed_empty'], [false, false]), [1]);
  assert.deepEqual(
    doubtfulRequests(['records', 'unconfirmed_empty', 'unconfirmed_empty'], [false, false, true]),
    [],
  );
});
