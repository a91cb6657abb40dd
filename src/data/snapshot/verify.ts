import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runSteps } from '../../kernel/run-steps.ts';
import { isJsonText } from '../../kernel/json-object.ts';
import type { StoredAxis } from '../axis.ts';
import { ColumnsFile } from '../columns/columns-file.ts';
import { FileRange } from '../file-range.ts';
import { SearchIndex } from '../search/index-file.ts';
import { repairAdvice } from '../read-fully.ts';
import { AxisFiles } from './axis-files.ts';
import { chunkOf } from './axis-index.ts';
import { fileNames, packsOf, type Manifest } from './layout.ts';
import { RecordsFile } from './records.ts';

/**
 * Checks that a snapshot's folder matches its manifest: every file has its size and, with `hashes`, its SHA-256. Also
 * checks each axis: its files have the same number of records, and its first and last record are JSON. Axes of packs that
 * are among the `verified` files are not checked again. Throws a `DamagedSnapshot` with the first damaged file or folder.
 */
export function verifyFolder(
  folder: string,
  manifest: Manifest,
  options: { readonly hashes: boolean; readonly verified?: Manifest['files'] },
): void {
  runSteps(verifySizes(folder, manifest));
  for (const [path, { sha256 }] of Object.entries(manifest.files)) {
    if (options.hashes && hashOf(join(folder, path)) !== sha256)
      throw new DamagedSnapshot(path, 'has another SHA-256 than in the manifest');
  }
  for (const path of Object.keys(manifest.files)) {
    if (path.endsWith(`/${fileNames.records}`)) verifyRecords(folder, dirname(path));
  }
  verifyPacks(folder, manifest, options.verified ?? {});
}

/** Checks the axes of each pack that is not among the verified files. */
function verifyPacks(folder: string, manifest: Manifest, verified: Manifest['files']): void {
  using files = new AxisFiles(folder, manifest);
  for (const [path, codes] of packsOf(manifest)) {
    if (verified[path]?.sha256 === manifest.files[path]?.sha256) continue;
    const pack = files.pack(path);
    const indexed = pack.axes.reduce((sum, { summary }) => sum + summary.rows, 0);
    const { documents } = chunkOf(pack);
    if (documents !== indexed)
      throw new DamagedSnapshot(path, `indexes ${documents} of ${indexed} records`);
    for (const code of codes) {
      using columns = new ColumnsFile(pack.file(code, fileNames.columns)!);
      verifyAxis(`${path} ${code}`, files.description(code)!, files.records(code)!, columns);
    }
  }
}

/** Checks in steps that every file has its size. Throws a `DamagedSnapshot` with the first that has not. */
export function* verifySizes(folder: string, manifest: Manifest): Generator<void, void> {
  for (const [at, [path, { bytes }]] of Object.entries(manifest.files).entries()) {
    if (at % filesPerStep === filesPerStep - 1) yield;
    const size = statSync(join(folder, path), { throwIfNoEntry: false })?.size;
    if (size === bytes) continue;
    const damage = size === undefined ? 'is missing' : `has ${size} bytes instead of ${bytes}`;
    throw new DamagedSnapshot(path, damage);
  }
}

const filesPerStep = 512;

export class DamagedSnapshot extends Error {
  readonly path: string;
  readonly damage: string;

  constructor(path: string, damage: string) {
    super(`The snapshot is damaged: ${path} ${damage}. ${repairAdvice}`);
    this.name = 'DamagedSnapshot';
    this.path = path;
    this.damage = damage;
  }
}

function verifyRecords(root: string, path: string): void {
  const folder = join(root, path);
  using records = RecordsFile.in(folder);
  using index = SearchIndex.open(FileRange.of(join(folder, fileNames.search)));
  if (index.documents !== records.count) {
    throw new DamagedSnapshot(path, `indexes ${index.documents} of ${records.count} records`);
  }
  if (!path.startsWith('axes/')) return verifyJson(path, records);
  const columnsPath = join(folder, fileNames.columns);
  using columns = existsSync(columnsPath) ? new ColumnsFile(FileRange.of(columnsPath)) : null;
  const stored = JSON.parse(readFileSync(join(folder, fileNames.axis), 'utf8')) as StoredAxis;
  verifyAxis(path, stored, records, columns);
}

function verifyAxis(
  path: string,
  stored: StoredAxis,
  records: RecordsFile,
  columns: ColumnsFile | null,
): void {
  if (columns !== null && columns.rows !== records.count) {
    const damage = `has columns of ${columns.rows} of ${records.count} records`;
    throw new DamagedSnapshot(path, damage);
  }
  if (stored.rows !== records.count) {
    throw new DamagedSnapshot(path, `has ${records.count} records instead of ${stored.rows}`);
  }
  verifyJson(path, records);
}

function verifyJson(path: string, records: RecordsFile): void {
  for (const row of records.count === 0 ? [] : [0, records.count - 1]) {
    if (!isJsonText(records.record(row).toString())) {
      throw new DamagedSnapshot(path, 'has a record that is not JSON');
    }
  }
}

function hashOf(path: string): string {
  const hash = createHash('sha256');
  const block = Buffer.allocUnsafe(1 << 20);
  const descriptor = openSync(path, 'r');
  try {
    for (let read; (read = readSync(descriptor, block)) > 0;) hash.update(block.subarray(0, read));
  } finally {
    closeSync(descriptor);
  }
  return hash.digest('hex');
}
