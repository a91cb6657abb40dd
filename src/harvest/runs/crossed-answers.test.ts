import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConstantCells, CrossedAnswers } from './crossed-answers.ts';

const columns = ['code', 'kind', 'name'];

function constantsOf(rows: readonly (readonly (string | null)[])[]): Map<string, string> {
  const cells = new ConstantCells();
  for (const row of rows) cells.add(row);
  return cells.byColumn(columns);
}

/** Counts the crossed answers of requests with two rows each. `answered` is the code in the rows. */
function countOf(sent: readonly (readonly [sent: string, answered: string])[]): number {
  const crossed = new CrossedAnswers();
  for (const [key, code] of sent) {
    const rows = [
      [code, 'A', `${code} 가`],
      [code, 'A', `${code} 나`],
    ];
    crossed.add({ key, type: 'json' }, constantsOf(rows));
  }
  return crossed.count();
}

const right = Array.from({ length: 20 }, (_, at) => [`11${at}`, `11${at}`] as const);

test('an answer whose rows have the parameter of another request is counted', () => {
  assert.equal(countOf(right), 0);
  assert.equal(
    countOf([...right.slice(0, 15), ['1115', '110'], ['1116', '1117'], ['1117', '1116']]),
    3,
  );
});

test('unsent values, few requests, and a field that rarely equals the parameter are not counted', () => {
  assert.equal(countOf([...right, ['200', '999']]), 0);
  assert.equal(countOf(right.slice(0, 4).map(([sent], at) => [sent, at === 0 ? '111' : sent])), 0);
  assert.equal(countOf(right.map(([sent], at) => [sent, at < 8 ? sent : '110'])), 0);
});

test('an answer whose rows have several values, or that has no rows, is not counted', () => {
  const crossed = new CrossedAnswers();
  for (const [key] of right) crossed.add({ key }, constantsOf([[key, 'A', null]]));
  const several = [
    ['110', 'A', null],
    ['111', 'A', null],
  ];
  crossed.add({ key: '300' }, constantsOf(several));
  crossed.add({ key: '301' }, constantsOf([]));
  assert.equal(crossed.count(), 0);
});
