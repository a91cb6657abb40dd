import type { StoredAxis } from '../axis.ts';
import type { AxisFiles } from './axis-files.ts';
import type { WrittenAxis } from './axis-writer.ts';
import { fileNames } from './layout.ts';

/** True if an axis that was written again equals its version in a snapshot, except for the collection time. */
export function isSameAxis(
  { stored, files }: WrittenAxis,
  previous: StoredAxis,
  snapshot: AxisFiles,
): boolean {
  const { collectedAt } = previous.axis;
  const withPreviousTime = { ...stored, axis: { ...stored.axis, collectedAt } };
  if (JSON.stringify(previous) !== JSON.stringify(withPreviousTime)) return false;
  return Object.entries(files).every(([name, { sha256 }]) => {
    const facts = snapshot.facts(stored.axis.code, name);
    return name === fileNames.axis || facts?.sha256 === sha256;
  });
}
