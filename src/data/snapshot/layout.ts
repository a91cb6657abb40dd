import { join } from 'node:path';
import type { BoundaryLevel } from '../regions/stored-boundaries.ts';

/**
 * The folder of a snapshot, which never changes once it has its name.
 *
 * ```
 * var/current                      the id of the snapshot being served
 * var/snapshots/20261121-0001/
 *   manifest.json                  every file with its size and SHA-256; what was built, when, from what
 *   packs/0001.bin                 many small axes with their other files, and one search index of them (pack-file.ts)
 *   parquet/CODE.parquet           the records of an axis in a pack for analysts
 *   axes/CODE/axis.json            another axis, its fields with statistics, number of records by region
 *   axes/CODE/records.json         a JSON array, one record per line
 *   axes/CODE/records.rows         offset of each record, then of the end of the last: u64 little-endian
 *   axes/CODE/search.bin           the search index
 *   axes/CODE/columns.bin          the values by column, for conditions, sorting and groups
 *   axes/CODE/records.parquet      the records for analysts, typed by field
 *   catalog/…                      the portal's catalog: catalog.json, records.json, records.rows, search.bin
 *   demand.json                    the demand ranking
 *   boundaries-sido.json           boundaries of the sidos for maps, if an operator loaded them
 *   boundaries-sigungu.json        boundaries of the sigungus, likewise
 * ```
 *
 * Unchanged files are hard-linked from the previous snapshot, so a new snapshot writes only the axes that changed.
 */
const formatVersion = 1;
/** Format of a snapshot with packs, which earlier versions cannot read. */
const packedFormatVersion = 2;
export const readableFormats: readonly number[] = [formatVersion, packedFormatVersion];

export interface Manifest {
  readonly formatVersion: number;
  readonly id: string;
  /** ISO 8601 date-time. */
  readonly builtAt: string;
  readonly previous: string | null;
  /** Cause of this snapshot, in one sentence. */
  readonly reason: string;
  /**
   * Outcome of the last collections as of this snapshot. A collection without changes publishes no snapshot. Absent
   * if none has run.
   */
  readonly collectors?: Collectors;
  /** Codes of the axes that are served from each pack, by its path; absent without packs. */
  readonly packs?: Readonly<Record<string, readonly string[]>>;
  /** By path within the folder, in order. */
  readonly files: Readonly<Record<string, FileFacts>>;
}

/** Numbers of axes by the outcome of their last collection. */
export interface Collectors {
  /** ISO 8601 date-time; null before the first. */
  readonly lastRun: string | null;
  readonly succeeded: number;
  readonly failed: number;
  readonly waitingForQuota: number;
}

export interface FileFacts {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

export const fileNames = {
  manifest: 'manifest.json',
  demand: 'demand.json',
  axis: 'axis.json',
  catalog: 'catalog.json',
  records: 'records.json',
  rows: 'records.rows',
  search: 'search.bin',
  columns: 'columns.bin',
  parquet: 'records.parquet',
} as const;

/** Files in the folder of an axis. */
export const axisFileNames = [
  fileNames.records,
  fileNames.rows,
  fileNames.columns,
  fileNames.parquet,
  fileNames.axis,
  fileNames.search,
] as const;

/** Paths under a data folder (`MARU_DATA`). */
export function dataPaths(data: string): { current: string; snapshots: string; lock: string } {
  return {
    current: join(data, 'current'),
    snapshots: join(data, 'snapshots'),
    lock: join(data, 'snapshots', '.lock'),
  };
}

/** Name of the file with the boundaries of a level. */
export function boundariesFile(level: BoundaryLevel): string {
  return `boundaries-${level}.json`;
}

export const catalogFolder = 'catalog';

/** Path of a pack within a snapshot. */
export function packPath(number: number): string {
  return `packs/${String(number).padStart(4, '0')}.bin`;
}

/** Path of the Parquet file of a packed axis, which stays a file of its own: analysts query it in place. */
export function packedParquetPath(code: string): string {
  return `parquet/${code}.parquet`;
}

/** Code of the axis whose Parquet file is at a path; null for another file. */
export function axisOfParquet(path: string): string | null {
  const [folder, name, file] = path.split('/');
  if (folder === 'axes' && file === fileNames.parquet) return name!;
  return folder === 'parquet' && name !== undefined ? name.replace(/\.parquet$/, '') : null;
}

/** The folder of an axis within a snapshot, with `/` on every system: it is also a key of the manifest. */
export function axisFolder(code: string): string {
  return `axes/${code}`;
}

/** Codes of the axes in a manifest. */
export function axisCodes(manifest: Manifest): string[] {
  const packed = packsOf(manifest).flatMap(([, codes]) => codes);
  return [...loneCodes(manifest), ...packed];
}

/** Codes of the axes that have a folder of their own. */
function loneCodes(manifest: Manifest): string[] {
  return Object.keys(manifest.files).flatMap((path) => {
    const [folder, code, file] = path.split('/');
    return folder === 'axes' && file === fileNames.axis ? [code!] : [];
  });
}

/** Paths of the packs of a manifest, with the codes of the axes that are served from each. */
export function packsOf({ packs = {} }: Pick<Manifest, 'packs'>): [string, readonly string[]][] {
  return Object.entries(packs);
}

export function formatOf({ packs = {} }: Pick<Manifest, 'packs'>): number {
  return Object.keys(packs).length === 0 ? formatVersion : packedFormatVersion;
}

/** True if every axis of a manifest has its columns, which snapshots of earlier versions lack; a packed one has. */
export function hasColumns(manifest: Manifest): boolean {
  return loneCodes(manifest).every(
    (code) => `${axisFolder(code)}/${fileNames.columns}` in manifest.files,
  );
}

const snapshotIdPattern = /^\d{8}-\d{4}$/;

export function isSnapshotId(text: string): boolean {
  return snapshotIdPattern.test(text);
}
