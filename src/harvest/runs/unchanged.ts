import type { Axis, StoredAxis, Quality } from '../../data/axis.ts';
import { koreanDay } from '../../data/korean-time.ts';

/**
 * Whether an axis that came as it is served has nothing new to tell, so that it need not be published: what is
 * odd about it is the same, and the day of the collection is no part of its freshness, or was told already.
 */
export function isTold({ axis, quality }: StoredAxis, now: Quality, collectedAt: string): boolean {
  if (JSON.stringify(quality) !== JSON.stringify(now)) return false;
  return !agesByCollection(axis) || koreanDay(axis.collectedAt) === koreanDay(collectedAt);
}

/** What has no date of its own is as fresh as its last collection, in whole days. */
function agesByCollection({ sourceModified, updateCycle }: Axis): boolean {
  return sourceModified === null && updateCycle !== null;
}
