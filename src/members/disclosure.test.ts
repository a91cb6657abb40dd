import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Cells } from './cells.ts';
import type { Figure } from './disclosure.ts';

test('one hidden cell takes another with it, so that the total less the rest does not give it away', () => {
  const { cells, total, sets } = tableOf([3, 40, 50]);
  const shown = cells.shownTo('platform');
  assert.deepEqual([total, ...sets].map(shown), [93, null, null, 50]);
  assert.equal(cells.suppressed, 2);
  assert.deepEqual([total, ...sets].map(cells.shownTo('operator')), [93, 3, 40, 50]);
});

test('a platform all but two of whose members are another’s is not shown beside the pair', () => {
  const cells = new Cells();
  const sets = [
    { platforms: 1, members: 2 },
    { platforms: 2, members: 30 },
    { platforms: 3, members: 20 },
  ];
  const first = cells.ofMasks(sets, ({ platforms }) => (platforms & 1) !== 0);
  const both = cells.ofMasks(sets, ({ platforms }) => platforms === 3);
  cells.difference(first, both);
  const shown = cells.shownTo('platform');
  assert.deepEqual([first, both].map(shown), [22, null]);
});

test('a few members that no cell names, but two cells differ by, are not given away either', () => {
  const cells = new Cells();
  const sets = [20, 30, 2].map((members, at) => ({ platforms: at, members }));
  const all = cells.ofMasks(sets);
  const most = cells.ofMasks(sets, ({ platforms }) => platforms < 2);
  assert.deepEqual([all, most].map(cells.shownTo('platform')), [52, null]);
});

test('from what is shown of any table, no hidden count of one to four is certain', () => {
  const sizes = fc.array(fc.oneof(fc.nat({ max: 6 }), fc.nat({ max: 40 })), {
    minLength: 2,
    maxLength: 7,
  });
  const count = { cells: 0, hidden: 0 };
  fc.assert(
    fc.property(sizes, fc.array(fc.nat({ max: 126 }), { maxLength: 5 }), (members, sums) => {
      const { cells, total, sets, groups } = tableOf(members);
      const marginals = sums.map((bits) =>
        cells.ofMasks(groups, ({ platforms }) => (bits & (1 << platforms)) !== 0),
      );
      const all = [total, ...sets, ...marginals];
      const shown = cells.shownTo('platform');
      const known = all.filter((cell) => shown(cell) !== null);
      count.cells += all.length;
      count.hidden += all.length - known.length;
      for (const cell of all) {
        if (cell.value === 0 || cell.value > 4) continue;
        assert.equal(shown(cell), null);
        assert(!follows(known, cell, members.length), `${members.join()} ${sums.join()}`);
      }
    }),
    { numRuns: 500 },
  );
  assert(count.hidden < count.cells, 'not everything is hidden');
});

function tableOf(members: readonly number[]) {
  const cells = new Cells();
  const groups = members.map((count, at) => ({ platforms: at, members: count }));
  const total = cells.ofMasks(groups);
  const sets = groups.map((group) => cells.ofMasks(groups, (one) => one === group));
  return { cells, total, sets, groups };
}

/** Whether a cell is a combination of known ones: by the rank of what is known with and without it. */
function follows(known: readonly Figure[], cell: Figure, parts: number): boolean {
  const rows = known.map((one) => weightsOf(one, parts));
  return rankOf(rows) === rankOf([...rows, weightsOf(cell, parts)]);
}

function weightsOf({ parts }: Figure, count: number): number[] {
  return Array.from({ length: count }, (_, at) => parts.get(at) ?? 0);
}

function rankOf(given: readonly (readonly number[])[]): number {
  const rows = given.map((row) => [...row]);
  let rank = 0;
  for (let column = 0; column < (rows[0]?.length ?? 0); column++) {
    const at = rows.findIndex((row, place) => place >= rank && Math.abs(row[column]!) > 1e-9);
    if (at === -1) continue;
    [rows[rank], rows[at]] = [rows[at]!, rows[rank]!];
    for (const row of rows.slice(rank + 1)) {
      const times = row[column]! / rows[rank]![column]!;
      for (let i = 0; i < row.length; i++) row[i]! -= times * rows[rank]![i]!;
    }
    rank++;
  }
  return rank;
}
