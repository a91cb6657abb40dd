import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredAxis } from '../axis.ts';
import { axisFolder, fileNames, type Manifest } from './layout.ts';
import { snapshotFolder } from './snapshots.ts';

/** The description of an axis in a snapshot; null if the snapshot lacks it. */
export function readAxis(data: string, manifest: Manifest, code: string): StoredAxis | null {
  const path = `${axisFolder(code)}/${fileNames.axis}`;
  if (manifest.files[path] === undefined) return null;
  const text = readFileSync(join(snapshotFolder(data, manifest.id), path), 'utf8');
  return JSON.parse(text) as StoredAxis;
}
