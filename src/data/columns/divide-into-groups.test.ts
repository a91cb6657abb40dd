import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runSteps } from '../../kernel/run-steps.ts';
import { fullSet } from '../search/document-set.ts';
import { divideIntoGroups } from './divide-into-groups.ts';
import type { Parts } from './group-keys.ts';

/** A key with a part for each record of each chunk. */
function keyOf(count: number, chunks: readonly (readonly number[])[]): Parts {
  return {
    count,
    read: (chunk, members) => ({
      numbers: Uint32Array.from(members, (member) => chunks[chunk]![member]!),
      base: 0,
    }),
    valueOf: (part) => part,
  };
}

test('groups by three keys are those of a map, however many are possible', () => {
  for (const count of [4, 300, 300_000]) {
    const part = fc.nat(3).map((near) => (near < 2 ? near : count - near + 1));
    const rows = fc.array(fc.tuple(part, part, part), { maxLength: 40 });
    fc.assert(
      fc.property(rows, rows, (...chunks) => {
        const keys = [0, 1, 2].map((key) =>
          keyOf(
            count,
            chunks.map((chunk) => chunk.map((parts) => parts[key]!)),
          ),
        );
        const sets = chunks.map((chunk) => fullSet(chunk.length));
        const groups = runSteps(divideIntoGroups(sets, keys, () => []));
        const expected = Map.groupBy(chunks.flat(), (parts) =>
          parts.map((each) => String(each).padStart(6)).join(),
        );
        assert.deepEqual(
          groups.counts.map((number, group) => [groups.partsOf(group), number]),
          [...expected]
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([, all]) => [all[0], all.length]),
        );
        assert.deepEqual(groups.found, { number: expected.size, isExact: true });
        for (const [at, chunk] of chunks.entries()) {
          const members = Uint16Array.from(chunk.keys());
          const numbers = groups.groupsOf(at, members);
          for (const [member, parts] of chunk.entries())
            assert.deepEqual(groups.partsOf(numbers[member]!), parts);
        }
      }),
      { numRuns: 30 },
    );
  }
});

test('of more than 10,000 groups by three keys of 300,000 values, 10,000 are counted', () => {
  const records = Array.from({ length: 10_001 }, (_, at) => at * 29);
  const key = keyOf(300_000, [records]);
  const groups = runSteps(divideIntoGroups([fullSet(records.length)], [key, key, key], () => []));
  assert.equal(groups.counts.length, 10_000);
  assert.deepEqual(groups.found, { number: 10_001, isExact: true });
});

test('pairs of keys past the million that are numbered leave a lower bound of the groups', () => {
  const pairsMax = 1 << 20;
  const chunks = Array.from({ length: 17 }, (_, chunk) =>
    Array.from({ length: 65_536 }, (__, at) => chunk * 65_536 + at),
  );
  const key = keyOf(2_000_000, chunks);
  const sets = chunks.map((chunk) => fullSet(chunk.length));
  const groups = runSteps(divideIntoGroups(sets, [key, key, key], () => []));
  assert.deepEqual(groups.found, { number: pairsMax, isExact: false });
  assert.equal(groups.counts.length, 10_000);
  assert.ok(groups.counts.every((count) => count === 1));
});
