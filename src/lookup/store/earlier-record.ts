import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredAxis } from '../../data/axis.ts';
import { ColumnsFile } from '../../data/columns/columns-file.ts';
import { findId, readAdditions } from '../../data/columns/record-additions.ts';
import { axisCodes, axisFolder, fileNames } from '../../data/snapshot/layout.ts';
import { RecordsFile } from '../../data/snapshot/records.ts';
import { readManifest, snapshotFolder, snapshotIds } from '../../data/snapshot/snapshots.ts';
import type { SlicedWork } from './sliced-work.ts';
import type { EarlierRecord, EarlierRecordQuery } from './store.ts';

/** Reads a record of an earlier snapshot, whose files are opened for it; null if it is no longer stored. */
export async function readEarlierRecord(
  data: string,
  { snapshot, code, id }: EarlierRecordQuery,
  slicedWork: SlicedWork,
): Promise<EarlierRecord | null> {
  if (!snapshotIds(data).includes(snapshot)) return null;
  const manifest = readManifest(data, snapshot);
  const folder = join(snapshotFolder(data, snapshot), axisFolder(code));
  const columnsPath = join(folder, fileNames.columns);
  if (!axisCodes(manifest).includes(code) || !existsSync(columnsPath)) return null;
  using columns = new ColumnsFile(columnsPath);
  using records = new RecordsFile(folder);
  const row = await slicedWork.run(findId(columns, id));
  if (row === null) return null;
  return {
    // A hash in the manifest vouches for the file.
    stored: JSON.parse(readFileSync(join(folder, fileNames.axis), 'utf8')) as StoredAxis,
    record: records.record(row),
    additions: readAdditions(columns, row),
    builtAt: manifest.builtAt,
  };
}
