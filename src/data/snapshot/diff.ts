import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredAxis } from '../axis.ts';
import { axisCodes, axisFolder, fileNames, type Manifest } from './layout.ts';
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

/** The axes in which snapshot `after` differs from `before`, by code; equal files are not read. */
export function diffSnapshots(data: string, before: string, after: string): AxisDifference[] {
  const [old, young] = [readManifest(data, before), readManifest(data, after)];
  const codes = new Set([...axisCodes(old), ...axisCodes(young)]);
  return [...codes].sort().flatMap((code) => {
    const recordsOf = (manifest: Manifest) => hashOf(manifest, code, fileNames.records);
    const axisOf = (manifest: Manifest) => hashOf(manifest, code, fileNames.axis);
    if (recordsOf(old) === recordsOf(young) && axisOf(old) === axisOf(young)) return [];
    const was = readStored(data, old, code);
    const is = readStored(data, young, code);
    const namesBefore = (was?.fields ?? []).map((field) => field.name);
    const namesAfter = (is?.fields ?? []).map((field) => field.name);
    return [
      {
        code,
        change:
          was === null
            ? 'added'
            : is === null
              ? 'removed'
              : recordsOf(old) === recordsOf(young)
                ? 'description'
                : 'records',
        rowsBefore: was?.rows ?? null,
        rowsAfter: is?.rows ?? null,
        fieldsAdded: namesAfter.filter((name) => !namesBefore.includes(name)),
        fieldsRemoved: namesBefore.filter((name) => !namesAfter.includes(name)),
      },
    ];
  });
}

function hashOf(manifest: Manifest, code: string, file: string): string | undefined {
  return manifest.files[`${axisFolder(code)}/${file}`]?.sha256;
}

function readStored(data: string, manifest: Manifest, code: string): StoredAxis | null {
  const path = `${axisFolder(code)}/${fileNames.axis}`;
  if (manifest.files[path] === undefined) return null;
  return JSON.parse(
    readFileSync(join(snapshotFolder(data, manifest.id), path), 'utf8'),
  ) as StoredAxis;
}
