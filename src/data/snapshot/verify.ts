import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonText } from '../../kernel/json-object.ts';
import type { StoredAxis } from '../axis.ts';
import { ColumnsFile } from '../columns/columns-file.ts';
import { SearchIndex } from '../search/index-file.ts';
import { repairAdvice } from '../read-fully.ts';
import { fileNames, type Manifest } from './layout.ts';
import { RecordsFile } from './records.ts';

/**
 * Checks that a snapshot's folder matches its manifest: every file has its size and, with `hashes`, its SHA-256. Also
 * checks each axis: its files have the same number of records, and its first and last record are JSON. Throws a
 * `DamagedSnapshot` with the first damaged file or folder.
 */
export function verifyFolder(
  folder: string,
  manifest: Manifest,
  options: { hashes: boolean },
): void {
  for (const [path, { bytes, sha256 }] of Object.entries(manifest.files)) {
    const file = join(folder, path);
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size !== bytes) {
      const damage = size === undefined ? 'is missing' : `has ${size} bytes instead of ${bytes}`;
      throw new DamagedSnapshot(path, damage);
    }
    if (options.hashes && hashOf(file) !== sha256)
      throw new DamagedSnapshot(path, 'has another SHA-256 than in the manifest');
  }
  for (const path of Object.keys(manifest.files)) {
    if (path.endsWith(`/${fileNames.records}`)) verifyRecords(folder, dirname(path));
  }
}

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
  using records = new RecordsFile(folder);
  using index = new SearchIndex(join(folder, fileNames.search));
  if (index.documents !== records.count) {
    throw new DamagedSnapshot(path, `indexes ${index.documents} of ${records.count} records`);
  }
  if (path.startsWith('axes/')) {
    const columnsPath = join(folder, fileNames.columns);
    if (existsSync(columnsPath)) {
      using columns = new ColumnsFile(columnsPath);
      if (columns.rows !== records.count) {
        const damage = `has columns of ${columns.rows} of ${records.count} records`;
        throw new DamagedSnapshot(path, damage);
      }
    }
    const stored = JSON.parse(readFileSync(join(folder, fileNames.axis), 'utf8')) as StoredAxis;
    if (stored.rows !== records.count) {
      throw new DamagedSnapshot(path, `has ${records.count} records instead of ${stored.rows}`);
    }
  }
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
