import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Field } from '../src/data/axis.ts';
import type { Condition } from '../src/data/columns/condition.ts';
import { axisFolder, fileNames } from '../src/data/snapshot/layout.ts';
import { currentId, snapshotFolder } from '../src/data/snapshot/snapshots.ts';
import { SnapshotStore } from '../src/lookup/store/snapshot.ts';
import { benchData } from './bench-data.ts';
import { openDuckdb, type Duckdb } from './duckdb.ts';

/**
 * Conditions, orders and groups over the largest axis of the snapshot of `bench/load.ts`, or of the data folder that is
 * its argument: milliseconds by the clock and of processor, medians of 21 runs. With `--duckdb` the same queries of
 * DuckDB over Parquet, in turn in one run, and the ratio of the two by the clock. Linux only: it reads /proc.
 */
const runs = 21;
const { values: flags, positionals } = parseArgs({
  options: { duckdb: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const data = positionals[0] ?? benchData;
const id = currentId(data)!;
await using store = new SnapshotStore(data, id);
const [code, { fields, rows }] = [...store.axes].toSorted((a, b) => b[1].rows - a[1].rows)[0]!;
using duckdb = flags.duckdb ? await openDuckdb() : null;
if (duckdb !== null) await writeParquet(duckdb);
const residentBefore = residentMegabytes();
print(
  `${code}, ${rows} records, ${fields.length} fields`,
  ['clock', 'processor'],
  ['DuckDB', 'ratio'],
);

// Few values, as in a kind, and more, as in a name of a place; a measure to add up.
const [kind, place] = fields
  .filter(({ type, stats }) => type === 'string' && (stats.distinct ?? 0) > 1)
  .toSorted((a, b) => a.stats.distinct! - b.stats.distinct!) as [Field, Field];
const measure = fields.findLast(({ type }) => type === 'integer' || type === 'number')!;
const page = { offset: 0, limit: 20 };
const [commonest] = (await store.values(code, { column: place.name, ...page })).items;
const value = String(commonest!.value);
const equal: Condition = { kind: 'compare', column: place.name, operator: '=', value };
const large: Condition = { kind: 'compare', column: measure.name, operator: '>', value: '100' };
const pattern = `%${value.slice(1)}%`;
const like: Condition = { kind: 'like', column: place.name, pattern, isNegated: false };
const sort = [{ column: measure.name, isDescending: true }];
const [k, p, m] = [kind, place, measure].map(({ name }) => quoted(name));

await compare(
  'where =, total',
  () => store.select(code, { condition: equal, ...page }),
  `select count(*) from records where ${p} = ${literal(value)}`,
);
await compare(
  'where = and >, total',
  () => store.select(code, { condition: { kind: 'and', parts: [equal, large] }, ...page }),
  `select count(*) from records where ${p} = ${literal(value)} and ${m} > 100`,
);
await compare(
  'where like, total',
  () => store.select(code, { condition: like, ...page }),
  `select count(*) from records where ${p} like ${literal(pattern)}`,
);
await compare(
  'group by two, sum',
  () =>
    store.groups(code, {
      by: [keyOf(kind), keyOf(place)],
      aggregates: [{ name: 'sum', function: 'sum', column: measure.name }],
      sort: [{ column: 'sum', isDescending: true }],
      ...page,
    }),
  `select ${k}, ${p}, sum(${m}) s from records group by 1, 2 order by s desc limit 20`,
);
await compare(
  'group by one, median',
  () =>
    store.groups(code, {
      by: [keyOf(place)],
      aggregates: [{ name: 'median', function: 'median', column: measure.name }],
      ...page,
    }),
  `select ${p}, median(${m}) from records group by 1 order by 1 limit 20`,
);
await compare(
  'values with counts',
  () => store.values(code, { column: place.name, ...page }),
  `select ${p}, count(*) n from records group by 1 order by n desc limit 20`,
);
for (const offset of [0, Math.floor(rows * 0.93)]) {
  await compare(
    `sort, offset ${offset}`,
    async () => {
      const { rows: rowNumbers } = await store.select(code, { sort, limit: 20, offset });
      return store.records(code, rowNumbers);
    },
    `select * from records order by ${m} desc nulls last limit 20 offset ${offset}`,
  );
}
process.stdout.write(
  `memory ${residentBefore} MB before and ${residentMegabytes()} MB after${duckdb === null ? '' : `, DuckDB ${duckdb.version} included`}\n`,
);

function keyOf({ name }: Field): { name: string; column: string; part: 'value' } {
  return { name, column: name, part: 'value' };
}

async function compare(name: string, work: () => Promise<unknown>, sql: string): Promise<void> {
  const ownTimes: Times[] = [];
  const duckdbTimes: Times[] = [];
  for (let run = 0; run < runs; run++) {
    ownTimes.push(await measureWork(work));
    if (duckdb !== null) duckdbTimes.push(await measureWork(() => duckdb.run(sql)));
  }
  const clock = median(ownTimes.map((one) => one.clock));
  const processor = median(ownTimes.map((one) => one.processor));
  if (duckdb === null) {
    print(name, [clock.toFixed(1), processor.toFixed(1)], []);
    return;
  }
  const duckdbClock = median(duckdbTimes.map((one) => one.clock));
  print(
    name,
    [clock.toFixed(1), processor.toFixed(1)],
    [duckdbClock.toFixed(1), (clock / duckdbClock).toFixed(2)],
  );
}

/** Milliseconds by the clock and of processor. */
interface Times {
  readonly clock: number;
  readonly processor: number;
}

async function measureWork(work: () => Promise<unknown>): Promise<Times> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { clock: performance.now() - started, processor: (user + system) / 1000 };
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[runs >> 1]!;
}

/** Writes the records with the types of their fields, under the name `records`. */
async function writeParquet(database: Duckdb): Promise<void> {
  const path = join(snapshotFolder(data, id), axisFolder(code), fileNames.records);
  const types = { integer: 'BIGINT', number: 'DOUBLE' } as const;
  const selected = fields.map(({ name, type }) =>
    type === 'integer' || type === 'number'
      ? `try_cast(replace(${quoted(name)}, ',', '') as ${types[type]}) as ${quoted(name)}`
      : quoted(name),
  );
  const schema = fields.map(({ name }) => `${literal(name)}: 'VARCHAR'`).join(', ');
  const source = `read_json(${literal(path)}, columns = {${schema}})`;
  const options = '(format parquet, compression zstd)';
  const target = literal(database.parquet);
  await database.run(`copy (select ${selected.join(', ')} from ${source}) to ${target} ${options}`);
  await database.run(`create view records as select * from ${target}`);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function residentMegabytes(): number {
  const status = readFileSync('/proc/self/status', 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024);
}

function print(name: string, own: readonly string[], other: readonly string[]): void {
  const cells = [...own, ...(duckdb === null ? [] : other)];
  process.stdout.write(`${name.padEnd(44)}${cells.map((cell) => cell.padStart(10)).join('')}\n`);
}
