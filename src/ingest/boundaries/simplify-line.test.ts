import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  parseBorderLines,
  printBorderLines,
  type BorderLine,
} from '../../data/regions/border-lines.ts';
import { simplifyLine } from './simplify-line.ts';

const line = fc
  .array(
    fc.tuple(
      fc.integer({ min: 375_000, max: 375_400 }),
      fc.integer({ min: 1_270_000, max: 1_270_400 }),
    ),
    {
      minLength: 2,
      maxLength: 30,
    },
  )
  .map((points) => Int32Array.from(points.flat()));

test('a simplified line has the ends of the original, and only points of it, in their order', () => {
  fc.assert(
    fc.property(line, fc.constantFrom(0, 0.1, 1), (positions, toleranceKm) => {
      const simple = simplifyLine(positions, toleranceKm);
      assert.deepEqual(simple.slice(0, 2), positions.slice(0, 2));
      assert.deepEqual(simple.slice(-2), positions.slice(-2));
      let at = 0;
      for (let point = 0; point < simple.length; point += 2) {
        while (positions[at] !== simple[point] || positions[at + 1] !== simple[point + 1]) {
          at += 2;
          assert.ok(at < positions.length);
        }
      }
    }),
  );
});

test('a point within the tolerance is left out, and one beyond it stays', () => {
  const bent = Int32Array.of(375_000, 1_270_000, 375_009, 1_270_100, 375_000, 1_270_200);
  assert.equal(simplifyLine(bent, 0.11).length, 4);
  assert.equal(simplifyLine(bent, 0.09).length, 6);
  const ring = Int32Array.of(0, 0, 0, 1, 1, 1, 0, 0);
  assert.ok(simplifyLine(ring, 5).length > 4, 'A ring does not become a point.');
});

test('border lines are read as they were written', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('11110', '26110', ''), line)), (pairs) => {
      const lines = pairs.map(([name, positions]) => ({
        sides: [name, '11140'] as const,
        positions,
      }));
      const read = [...parseBorderLines(printBorderLines(lines))];
      assert.deepEqual(read.map(keyOf).sort(), lines.map(keyOf).sort());
    }),
  );
});

function keyOf({ sides, positions }: BorderLine): string {
  return [...sides, ...positions].join(' ');
}
