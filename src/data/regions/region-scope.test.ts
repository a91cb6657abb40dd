import assert from 'node:assert/strict';
import test from 'node:test';
import type { RegionCount } from '../axis.ts';
import { regionScope, sidoTotal } from './region-scope.ts';

function counts(rows: Readonly<Record<string, number>>): RegionCount[] {
  return Object.entries(rows).map(([code, count]) => ({ code, rows: count, basis: ['address'] }));
}

test('the scope of an axis counts its sidos and their sigungu, and the records without one', () => {
  const regions = counts({ '11': 90, '11680': 60, '11110': 30, '26': 10, '41111': 5, '41110': 5 });
  const scope = regionScope({ regions, rows: 120 })!;
  assert.deepEqual(
    scope.sidos.map(({ short }) => short),
    ['서울', '부산'],
  );
  assert.equal(scope.sigungu, null);
  assert.equal(scope.sigunguCount, 2);
  assert.equal(scope.sigunguTotal, 25 + 16);
  assert.equal(scope.firstShare, 0.9);
  assert.equal(scope.unplaced, 20);
  assert.deepEqual(scope.basis, ['address']);
});

test('an axis of one sigungu names it, and an axis without regions has no scope', () => {
  const one = regionScope({ regions: counts({ '11': 7, '11680': 7 }), rows: 7 });
  assert.equal(one?.sigungu?.name, '강남구');
  const partly = regionScope({ regions: counts({ '11': 8, '11680': 7 }), rows: 8 });
  assert.equal(partly?.sigungu, null);
  assert.equal(regionScope({ regions: [], rows: 7 }), null);
  assert.ok(sidoTotal() >= 16);
});
