import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Value } from '../src/data/axis.ts';
import { AxisWriter } from '../src/data/snapshot/axis-writer.ts';
import { SnapshotBuilder } from '../src/data/snapshot/builder.ts';
import { axisFolder, fileNames } from '../src/data/snapshot/layout.ts';
import { currentId, snapshotFolder } from '../src/data/snapshot/snapshots.ts';
import { SnapshotStore } from '../src/lookup/store/snapshot.ts';
import { benchData } from './bench-data.ts';

/**
 * Publishes one axis of many records, for `bench/columns.ts var-bench/copies`: `bench/columns-copies.ts [ROWS] [DATA]`,
 * ten million by default. They are copies of the largest axis of DATA or of the snapshot of `bench/load.ts`, and each
 * copy has names of its own. The origin of the axis is `sample`.
 */
const rows = Number(process.argv[2] ?? 10_000_000);
const source = process.argv[3] ?? benchData;
const data = join(benchData, 'copies');
rmSync(data, { recursive: true, force: true });

await using store = new SnapshotStore(source, currentId(source)!);
const [code, stored] = [...store.axes].toSorted((a, b) => b[1].rows - a[1].rows)[0]!;
const { fields } = stored;
const nameIndex = fields.findIndex(({ role }) => role === 'name');
if (nameIndex < 0) throw new Error(`${code} has no field of names. Give a data folder with one.`);

const started = performance.now();
const cpuBefore = process.cpuUsage();
using builder = new SnapshotBuilder(data);
using writer = new AxisWriter(
  builder.stageAxis(code),
  fields.map((field) => field.name),
);
for (let row = 0; row < rows; row++) {
  const [record] = store.records(code, [row % stored.rows]);
  // A record is an object of its fields.
  const values = Object.values(JSON.parse(record!.toString()) as Record<string, Value>);
  values[nameIndex] = `${values[nameIndex]} ${Math.floor(row / stored.rows) + 1}`;
  writer.add(values);
}
const title = `${stored.axis.title}, copies`;
const { files } = writer.finish({ ...stored.axis, title, origin: 'sample' }, fields);
builder.putAxis(code, files);
const id = builder.publish(`Copied ${code}.`);

const { user, system } = process.cpuUsage(cpuBefore);
const folder = join(snapshotFolder(data, id), axisFolder(code));
const sizes = [fileNames.records, fileNames.search, fileNames.columns].map((file) =>
  Math.round(statSync(join(folder, file)).size / 1e6),
);
process.stdout.write(
  `${code}, ${rows} records in ${Math.round((performance.now() - started) / 1000)} s, ` +
    `${Math.round((user + system) / 1e6)} s of processor; MB of records, index and columns: ${sizes.join(', ')}\n`,
);
