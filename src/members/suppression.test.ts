import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CountTable, type Count } from './suppression.ts';

test('a small count hides the next smallest of its sum, for platforms only', () => {
  const table = new CountTable();
  const parts = [3, 40, 50].map((value) => table.add(value));
  const total = table.add(93);
  table.balance([total], parts);
  assert.deepEqual([total, ...parts].map(table.shownTo('platform')), [93, null, null, 50]);
  assert.equal(table.suppressed, 2);
  assert.deepEqual([total, ...parts].map(table.shownTo('operator')), [93, 3, 40, 50]);
});

test('two counts that differ by a few members are not both shown', () => {
  const table = new CountTable();
  const [whole, part] = [table.add(22), table.add(20)];
  table.nest(whole, part);
  assert.deepEqual([whole, part].map(table.shownTo('platform')), [22, null]);
});

test('hidden counts that add up to a few members hide a further count', () => {
  const table = new CountTable();
  const parts = [1, 2, 30, 40].map((value) => table.add(value));
  const total = table.add(73);
  table.balance([total], parts);
  const shown = parts.map(table.shownTo('platform'));
  assert.deepEqual(shown, [null, null, null, 40]);
});

test('counts of five and more are all shown, and counts of zero hide no others', () => {
  const table = new CountTable();
  const parts = [0, 5, 30].map((value) => table.add(value));
  const total = table.add(35);
  table.balance([total], parts);
  assert.deepEqual([total, ...parts].map(table.shownTo('platform')), [35, null, 5, 30]);
});

test('no hidden count of a table follows from its row and column sums, one after another', () => {
  const cells = fc
    .tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 2, max: 5 }))
    .chain(([rows, columns]) => {
      const value = fc.oneof(fc.nat({ max: 6 }), fc.nat({ max: 60 }));
      const row = fc.array(value, { minLength: columns, maxLength: columns });
      return fc.array(row, { minLength: rows, maxLength: rows });
    });
  const seen = { counts: 0, hidden: 0 };
  fc.assert(
    fc.property(cells, (values) => {
      const { table, counts, sums } = tableOf(values);
      const shown = table.shownTo('platform');
      const known = new Map(counts.map((count) => [count, shown(count)] as const));
      seen.counts += counts.length;
      seen.hidden += table.suppressed;
      solve(sums, known);
      for (const [count, value] of known) {
        if (count.value > 0 && count.value < 5) assert.equal(value, null, JSON.stringify(values));
      }
    }),
    { numRuns: 2_000 },
  );
  assert(seen.hidden > 0 && seen.hidden < seen.counts, 'some counts are hidden, and not all');
});

interface TableSum {
  readonly total: Count;
  readonly parts: readonly Count[];
}

/** A table with its row sums, its column sums and their sum. */
function tableOf(values: readonly (readonly number[])[]) {
  const table = new CountTable();
  const rows = values.map((row) => row.map((value) => table.add(value)));
  const columns = rows[0]!.map((_, at) => rows.map((row) => row[at]!));
  const sums: TableSum[] = [...rows, ...columns].map((parts) => ({
    total: table.add(parts.reduce((sum, { value }) => sum + value, 0)),
    parts,
  }));
  const rowTotals = sums.slice(0, rows.length).map(({ total }) => total);
  const grand = table.add(rowTotals.reduce((sum, { value }) => sum + value, 0));
  const columnTotals = sums.slice(rows.length).map(({ total }) => total);
  sums.push({ total: grand, parts: rowTotals }, { total: grand, parts: columnTotals });
  for (const { total, parts } of sums) table.balance([total], parts);
  const counts = [...new Set(sums.flatMap(({ total, parts }) => [total, ...parts]))];
  return { table, counts, sums };
}

/** Works out each count that is the only unknown one of a sum, as long as there is such a sum. */
function solve(sums: readonly TableSum[], known: Map<Count, number | null>): void {
  for (let found = true; found;) {
    found = false;
    for (const { total, parts } of sums) {
      const unknown = [total, ...parts].filter((count) => known.get(count) === null);
      if (unknown.length !== 1) continue;
      known.set(unknown[0]!, unknown[0]!.value);
      found = true;
    }
  }
}
