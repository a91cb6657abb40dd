import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstHits } from './first-hits.ts';
import type { Match } from './match-cursor.ts';

const isLast = ({ index }: Match): boolean => index >= 10;

test('matches of one index with equal names are one hit; matches without a name stay apart', () => {
  const hits = firstHits(
    [match(0, '가'), match(0, '가'), match(1, '가'), match(1), match(1)],
    isLast,
  );
  assert.deepEqual(
    hits.map(({ index, name, more }) => [index, name, more]),
    [
      [0, '가', 1],
      [1, '가', 0],
      [1, '', 0],
      [1, '', 0],
    ],
  );
});

test('an index has at most three of the first ten hits if other indexes have hits', () => {
  const many = Array.from({ length: 12 }, () => match(0));
  const hits = firstHits([...many, match(1), match(2), match(2), match(2), match(2)], isLast);
  assert.deepEqual(
    hits.map(({ index }) => index),
    [0, 0, 0, 1, 2, 2, 2, ...many.slice(3).map(() => 0), 2],
  );
  assert.equal(firstHits(many, isLast).length, 12);
});

test('matches of the last indexes follow all others and share what is left of the first ten', () => {
  const hits = firstHits([match(0), match(0), match(0), match(0), match(10), match(11)], isLast);
  assert.deepEqual(
    hits.map(({ index }) => index),
    [0, 0, 0, 0, 10, 11],
  );
});

let documents = 0;

function match(index: number, name = ''): Match {
  return { index, document: documents++, rank: { tier: 2, length: 1 }, name };
}
