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

function placed(facts: Partial<Placement> = {}): Placement {
  const group = { groupName: '말', keywords: ['말'] };
  return { group, anchor: 0, estimate: null, tries: 0, ...facts };
}

function seen(peak: number): KeywordMeasure {
  return { keyword: '', peak, sum: peak * 12 };
}

test('a keyword belongs to the smallest anchor that is not smaller', () => {
  assert.deepEqual(
    [1000, 100, 99, 10, 9.9, 1, 0.01].map((estimate) => anchorFor(ladder, estimate)),
    [0, 0, 0, 1, 1, 2, 2],
  );
});

test('a keyword at 5 to 100 % of a visible anchor is measured; below it is placed again', () => {
  assert.equal(nextPlacement(placed(), ladder, seen(100), seen(5)), null);
  assert.equal(nextPlacement(placed(), ladder, seen(5), seen(100)), null);
  assert.deepEqual(nextPlacement(placed(), ladder, seen(100), seen(4.9)), {
    ...placed({ anchor: 1, tries: 1 }),
    estimate: 4.9,
  });
  // Nothing fits better than the anchor it is at.
  assert.equal(nextPlacement(placed({ anchor: 2 }), ladder, seen(100), seen(4.9)), null);
});

test('an invisible keyword is measured once beside the smallest anchor', () => {
  assert.equal(nextPlacement(placed(), ladder, seen(100), seen(0))?.anchor, 2);
  assert.equal(nextPlacement(placed({ anchor: 2 }), ladder, seen(100), seen(0)), null);
});

test('a keyword far above its anchor goes up; one dwarfed by another is measured again', () => {
  assert.equal(nextPlacement(placed({ anchor: 2 }), ladder, seen(2), seen(100))?.anchor, 0);
  assert.equal(nextPlacement(placed({ anchor: 2 }), ladder, seen(0), seen(100))?.anchor, 0);
  const pressed = nextPlacement(placed(), ladder, seen(2), seen(3));
  assert.deepEqual([pressed?.anchor, pressed?.tries], [0, 1]);
  assert.equal(nextPlacement(placed(), ladder, seen(2), seen(100)), null);
});

test('no keyword is measured more often than it may be', () => {
  assert.notEqual(nextPlacement(placed({ tries: 2 }), ladder, seen(100), seen(0)), null);
  assert.equal(nextPlacement(placed({ tries: 3 }), ladder, seen(100), seen(0)), null);
});

test('a batch has four keywords of one anchor and of one size', () => {
  const many = Array.from({ length: 9 }, (_, at) =>
    placed({
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

test('neighbours that are more than twenty times apart or upside down are gaps', () => {
  assert.deepEqual(ladderGaps(ladder), []);
  const steps = [100, 5, 0.24, 0.3].map((index, at) => ({ keyword: `말${at}`, index }));
  assert.deepEqual(
    ladderGaps(steps).map((gap) => gap.split(':')[0]),
    ['"말2" is 21 times smaller than "말1" above it', '"말3" is larger than "말2" above it'],
  );
});
