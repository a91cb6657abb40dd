import type { Field } from '../src/data/axis.ts';
import type { Condition } from '../src/data/columns/condition.ts';
import { currentId } from '../src/data/snapshot/snapshots.ts';
import { SnapshotStore } from '../src/lookup/store/snapshot.ts';
import { benchData } from './bench-data.ts';

/**
 * Conditions, orders and groups over the largest axis of the snapshot of `bench/load.ts`, or of the data folder that is
 * its argument: milliseconds by the clock and of processor, medians of 21 runs.
 */
const runs = 21;
const data = process.argv[2] ?? benchData;
await using store = new SnapshotStore(data, currentId(data)!);
const [code, { fields, rows }] = [...store.axes].toSorted((a, b) => b[1].rows - a[1].rows)[0]!;
process.stdout.write(`${code}, ${rows} records, ${fields.length} fields\n`);

// Few values, as in a kind, and more, as in a name of a place; a measure to add up.
const [kind, place] = fields
  .filter(({ type, stats }) => type === 'string' && (stats.distinct ?? 0) > 1)
  .toSorted((a, b) => a.stats.distinct! - b.stats.distinct!) as [Field, Field];
const measure = fields.findLast(({ type }) => type === 'integer' || type === 'number')!;
const page = { offset: 0, limit: 20 };
const [common] = (await store.values(code, { column: place.name, ...page })).items;
const value = String(common!.value);
const equal: Condition = { kind: 'compare', column: place.name, operator: '=', value };
const large: Condition = { kind: 'compare', column: measure.name, operator: '>', value: '100' };
const pattern = `%${value.slice(1)}%`;
const like: Condition = { kind: 'like', column: place.name, pattern, isNegated: false };
const sort = [{ column: measure.name, isDescending: true }];

await measureWork('where =, total', () => store.select(code, { condition: equal, ...page }));
await measureWork('where = and >, total', () =>
  store.select(code, { condition: { kind: 'and', parts: [equal, large] }, ...page }),
);
await measureWork('where like, total', () => store.select(code, { condition: like, ...page }));
await measureWork('group by two, sum', () =>
  store.groups(code, {
    by: [keyOf(kind), keyOf(place)],
    aggregates: [{ name: 'sum', function: 'sum', column: measure.name }],
    sort: [{ column: 'sum', isDescending: true }],
    ...page,
  }),
);
await measureWork('group by one, median', () =>
  store.groups(code, {
    by: [keyOf(place)],
    aggregates: [{ name: 'median', function: 'median', column: measure.name }],
    ...page,
  }),
);
await measureWork('values with counts', () => store.values(code, { column: place.name, ...page }));
for (const offset of [0, Math.floor(rows * 0.93)]) {
  await measureWork(`sort, offset ${offset}`, () =>
    store.select(code, { sort, limit: 20, offset }),
  );
}

function keyOf({ name }: Field): { name: string; column: string; part: 'value' } {
  return { name, column: name, part: 'value' };
}

async function measureWork(name: string, work: () => Promise<unknown>): Promise<void> {
  const [clock, processor]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run++) {
    const [started, before] = [performance.now(), process.cpuUsage()];
    await work();
    const { user, system } = process.cpuUsage(before);
    clock.push(performance.now() - started);
    processor.push((user + system) / 1000);
  }
  const [byClock, ofProcessor] = [clock, processor].map(median);
  process.stdout.write(`${name.padEnd(24)}${byClock}${ofProcessor}\n`);
}

function median(times: readonly number[]): string {
  const middle = times.toSorted((a, b) => a - b)[runs >> 1]!;
  return middle.toFixed(1).padStart(8);
}
