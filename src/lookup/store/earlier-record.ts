import { findId, readAdditions } from '../../data/columns/record-additions.ts';
import { ColumnsFile } from '../../data/columns/columns-file.ts';
import { AxisFiles } from '../../data/snapshot/axis-files.ts';
import { fileNames } from '../../data/snapshot/layout.ts';
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
  using files = new AxisFiles(snapshotFolder(data, snapshot), manifest);
  const file = files.file(code, fileNames.columns);
  using records = files.records(code);
  if (file === null || records === null) return null;
  using columns = new ColumnsFile(file);
  const row = await slicedWork.run(findId(columns, id));
  if (row === null) return null;
  return {
    stored: files.description(code)!,
    record: records.record(row),
    additions: readAdditions(columns, row),
    builtAt: manifest.builtAt,
  };
}
