import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConstantCells, CrossedAnswers } from './crossed-answers.ts';

const columns = ['code', 'kind', 'name'];

function constantsOf(rows: readonly (readonly (string | null)[])[]): Map<string, string> {
  const cells = new ConstantCells();
  for (const row of rows) cells.add(row);
  return cells.byColumn(columns);
}

/** Adds an answer of two rows for each code that is sent; `answered` is the code in its rows. */
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

test('answers that repeat the parameter of another request are counted', () => {
  assert.equal(countOf(right), 0);
  assert.equal(
    countOf([...right.slice(0, 15), ['1115', '110'], ['1116', '1117'], ['1117', '1116']]),
    3,
  );
});

test('a value that was never sent, few requests and a field that rarely agrees count nothing', () => {
  assert.equal(countOf([...right, ['200', '999']]), 0);
  assert.equal(countOf(right.slice(0, 4).map(([sent], at) => [sent, at === 0 ? '111' : sent])), 0);
  assert.equal(countOf(right.map(([sent], at) => [sent, at < 8 ? sent : '110'])), 0);
});

test('an answer with several values, or without rows, counts nothing', () => {
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
