import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anchorFor, ladderGaps, type Anchor } from './ladder.ts';
import type { KeywordMeasure } from '../../ingest/demand/measurement.ts';
import { batchesOf, nextPlacement, type Placement } from './placing.ts';

const ladder: Anchor[] = [
  { keyword: '큰말', index: 100 },
  { keyword: '중간말', index: 10 },
  { keyword: '작은말', index: 1 },
];

function placement(facts: Partial<Placement> = {}): Placement {
  const group = { groupName: '말', keywords: ['말'] };
  return { group, anchor: 0, estimate: null, tries: 0, ...facts };
}

function measureOf(peak: number): KeywordMeasure {
  return { keyword: '', peak, sum: peak * 12 };
}

test('a keyword belongs to the smallest anchor that is not smaller', () => {
  assert.deepEqual(
    [1000, 100, 99, 10, 9.9, 1, 0.01].map((estimate) => anchorFor(ladder, estimate)),
    [0, 0, 0, 1, 1, 2, 2],
  );
});

test('a keyword at 5 to 100 % of a visible anchor is done; a smaller one is measured again', () => {
  assert.equal(nextPlacement(placement(), ladder, measureOf(100), measureOf(5)), null);
  assert.equal(nextPlacement(placement(), ladder, measureOf(5), measureOf(100)), null);
  assert.deepEqual(nextPlacement(placement(), ladder, measureOf(100), measureOf(4.9)), {
    ...placement({ anchor: 1, tries: 1 }),
    estimate: 4.9,
  });
  // No anchor fits better than the current one.
  assert.equal(
    nextPlacement(placement({ anchor: 2 }), ladder, measureOf(100), measureOf(4.9)),
    null,
  );
});

test('an invisible keyword is measured once beside the smallest anchor', () => {
  assert.equal(nextPlacement(placement(), ladder, measureOf(100), measureOf(0))?.anchor, 2);
  assert.equal(nextPlacement(placement({ anchor: 2 }), ladder, measureOf(100), measureOf(0)), null);
});

test('a keyword far above its anchor gets a larger one; a scaled-down one is measured again', () => {
  assert.equal(
    nextPlacement(placement({ anchor: 2 }), ladder, measureOf(2), measureOf(100))?.anchor,
    0,
  );
  assert.equal(
    nextPlacement(placement({ anchor: 2 }), ladder, measureOf(0), measureOf(100))?.anchor,
    0,
  );
  const scaledDown = nextPlacement(placement(), ladder, measureOf(2), measureOf(3));
  assert.deepEqual([scaledDown?.anchor, scaledDown?.tries], [0, 1]);
  assert.equal(nextPlacement(placement(), ladder, measureOf(2), measureOf(100)), null);
});

test('a keyword is measured up to its bound of tries', () => {
  assert.notEqual(
    nextPlacement(placement({ tries: 2 }), ladder, measureOf(100), measureOf(0)),
    null,
  );
  assert.equal(nextPlacement(placement({ tries: 3 }), ladder, measureOf(100), measureOf(0)), null);
});

test('a batch has up to four keywords of the same anchor and of similar size', () => {
  const many = Array.from({ length: 9 }, (_, at) =>
    placement({
      anchor: at % 2,
      estimate: at,
      group: { groupName: `말${at}`, keywords: [`말${at}`] },
    }),
  );
  assert.deepEqual(
    batchesOf(many).map((batch) => batch.map(({ estimate }) => estimate)),
    [[8, 6, 4, 2], [0], [7, 5, 3, 1]],
  );
});

test('neighbours that are over twenty times apart or in the wrong order are gaps', () => {
  assert.deepEqual(ladderGaps(ladder), []);
  const steps = [100, 5, 0.24, 0.3].map((index, at) => ({ keyword: `말${at}`, index }));
  assert.deepEqual(
    ladderGaps(steps).map((gap) => gap.split(':')[0]),
    ['"말2" is 21 times smaller than "말1" above it', '"말3" is larger than "말2" above it'],
  );
});
