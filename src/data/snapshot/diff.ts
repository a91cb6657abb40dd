import { AxisFiles } from './axis-files.ts';
import { fileNames } from './layout.ts';
import { readManifest, snapshotFolder } from './snapshots.ts';

/** Change of one axis between two snapshots. */
interface AxisDifference {
  readonly code: string;
  readonly change: 'added' | 'removed' | 'records' | 'description';
  readonly rowsBefore: number | null;
  readonly rowsAfter: number | null;
  readonly fieldsAdded: readonly string[];
  readonly fieldsRemoved: readonly string[];
}

/** Lists the axes in which two snapshots differ, by code. Axes with equal hashes are not read. */
export function diffSnapshots(data: string, beforeId: string, afterId: string): AxisDifference[] {
  using before = filesOf(data, beforeId);
  using after = filesOf(data, afterId);
  const codes = new Set([...before.codes, ...after.codes]);
  return [...codes].sort().flatMap((code) => {
    const recordsHash = (files: AxisFiles) => files.facts(code, fileNames.records)?.sha256;
    const axisHash = (files: AxisFiles) => files.facts(code, fileNames.axis)?.sha256;
    if (recordsHash(before) === recordsHash(after) && axisHash(before) === axisHash(after))
      return [];
    const storedBefore = before.description(code);
    const storedAfter = after.description(code);
    const namesBefore = (storedBefore?.fields ?? []).map((field) => field.name);
    const namesAfter = (storedAfter?.fields ?? []).map((field) => field.name);
    return [
      {
        code,
        change:
          storedBefore === null
            ? 'added'
            : storedAfter === null
              ? 'removed'
              : recordsHash(before) === recordsHash(after)
                ? 'description'
                : 'records',
        rowsBefore: storedBefore?.rows ?? null,
        rowsAfter: storedAfter?.rows ?? null,
        fieldsAdded: namesAfter.filter((name) => !namesBefore.includes(name)),
        fieldsRemoved: namesBefore.filter((name) => !namesAfter.includes(name)),
      },
    ];
  });
}

function filesOf(data: string, id: string): AxisFiles {
  return new AxisFiles(snapshotFolder(data, id), readManifest(data, id));
}
