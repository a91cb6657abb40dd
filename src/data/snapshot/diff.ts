import { axisCodes, axisFolder, fileNames, type Manifest } from './layout.ts';
import { readAxis } from './read-axis.ts';
import { readManifest } from './snapshots.ts';

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
  const [before, after] = [readManifest(data, beforeId), readManifest(data, afterId)];
  const codes = new Set([...axisCodes(before), ...axisCodes(after)]);
  return [...codes].sort().flatMap((code) => {
    const recordsHash = (manifest: Manifest) => hashOf(manifest, code, fileNames.records);
    const axisHash = (manifest: Manifest) => hashOf(manifest, code, fileNames.axis);
    if (recordsHash(before) === recordsHash(after) && axisHash(before) === axisHash(after))
      return [];
    const storedBefore = readAxis(data, before, code);
    const storedAfter = readAxis(data, after, code);
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

function hashOf(manifest: Manifest, code: string, file: string): string | undefined {
  return manifest.files[`${axisFolder(code)}/${file}`]?.sha256;
}
