import type { StoredAxis } from '../axis.ts';
import type { WrittenAxis } from './axis-writer.ts';
import { axisFolder, fileNames, type Manifest } from './layout.ts';

/** True if an axis that was written again equals its version in a snapshot, except for the collection time. */
export function isSameAxis(
  { stored, files }: WrittenAxis,
  previous: StoredAxis,
  snapshot: Pick<Manifest, 'files'>,
): boolean {
  const { collectedAt } = previous.axis;
  const withPreviousTime = { ...stored, axis: { ...stored.axis, collectedAt } };
  if (JSON.stringify(previous) !== JSON.stringify(withPreviousTime)) return false;
  return Object.entries(files).every(([name, { sha256 }]) => {
    const facts = snapshot.files[`${axisFolder(stored.axis.code)}/${name}`];
    return name === fileNames.axis || facts?.sha256 === sha256;
  });
}
