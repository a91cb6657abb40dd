import type { StoredAxis } from '../axis.ts';
import { AxisFiles } from './axis-files.ts';
import type { Manifest } from './layout.ts';
import { snapshotFolder } from './snapshots.ts';

/** The description of an axis in a snapshot; null if the snapshot lacks it. */
export function readAxis(data: string, manifest: Manifest, code: string): StoredAxis | null {
  using files = new AxisFiles(snapshotFolder(data, manifest.id), manifest);
  return files.description(code);
}
