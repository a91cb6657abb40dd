import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { binEdges } from './bin-edges.ts';

test('bins have round edges, and an outlier is beyond the last edge', () => {
  const near = { min: 0, low: 0, high: 95, max: 100 };
  assert.deepEqual(binEdges(near, true), [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110]);
  assert.equal(binEdges({ ...near, max: 50_000 }, true).at(-1), 100);
  assert.deepEqual(binEdges({ min: 1, low: 1, high: 3, max: 3 }, true), [1, 2, 3, 4]);
});

test('at most 18 bins have ascending edges and cover all but the outermost hundredths', () => {
  // Division by a width would round smaller numbers to zero.
  const number = fc
    .double({ min: -1e6, max: 1e6, noNaN: true })
    .map((drawn) => (Math.abs(drawn) < 1e-300 ? 0 : drawn));
  const quadruples = fc.array(number, { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(quadruples, fc.boolean(), (numbers, isWhole) => {
      const [min, low, high, max] = numbers
        .map((number) => (isWhole ? Math.round(number) : number))
        .sort((a, b) => a - b) as [number, number, number, number];
      const edges = binEdges({ min, low, high, max }, isWhole);
      assert.ok(edges[0]! <= low && high <= edges.at(-1)!);
      assert.ok(edges.length >= 2 && edges.length <= 19, String(edges.length));
      assert.ok(edges.every((edge, at) => at === 0 || edge > edges[at - 1]!));
      if (isWhole) assert.ok(edges.every(Number.isInteger));
    }),
  );
});
