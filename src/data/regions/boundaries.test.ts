import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInBoundaries } from './boundaries.ts';
import { regionByCoordinates } from './coordinates.ts';
import { currentCodes } from './coverage.ts';
import { regionByCode, regionTable } from './region-table.ts';

const current = regionTable.filter(({ until }) => until === null);

test('every current region has a shape, and the position of its name is inside', () => {
  const boundaries = builtInBoundaries();
  const outside = current.filter((region) => {
    const { lat, lon } = boundaries.shapeOf(region.code)!.label;
    const found = regionByCoordinates(lat, lon);
    return found === null || !currentCodes(region).includes(found.code);
  });
  // Positions beside crossing lines of a simplified border may count as the next region.
  assert.ok(outside.length <= 1, outside.map(({ name }) => name).join(' '));
});

test('a neighbour of a region has that region as a neighbour', () => {
  const boundaries = builtInBoundaries();
  for (const code of boundaries.codes) {
    for (const other of boundaries.neighboursOf(code)) {
      assert.ok(boundaries.neighboursOf(other).has(code), `${code} ${other}`);
    }
  }
  assert.deepEqual(
    [...boundaries.neighboursOf('11680')].map((code) => regionByCode(code)?.name),
    ['용산구', '성동구', '광진구', '서초구', '송파구', '성남시 수정구'],
  );
  assert.deepEqual([...boundaries.neighboursOf('50')], [], 'An island has none.');
});

test('a former region has the shape of its successors', () => {
  const boundaries = builtInBoundaries();
  assert.deepEqual(boundaries.shapeOf('42')?.box, boundaries.shapeOf('51')?.box);
  assert.equal(boundaries.shapeOf('99999'), null);
});
