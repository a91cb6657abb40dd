import { BuildLock } from './lock.ts';
import { currentId, previousId, pointTo, readManifest, snapshotFolder } from './snapshots.ts';
import { verifyFolder } from './verify.ts';

/**
 * Serves an earlier snapshot again, by default the one from which the current one was built. Throws if the earlier
 * snapshot is missing or damaged, or while a build is under way.
 */
export function rollBack(data: string, id: string | null): { from: string | null; to: string } {
  using _lock = new BuildLock(data);
  const to = id ?? previousId(data);
  if (to === null) throw new Error('There is no earlier snapshot. Load data to build another.');
  const from = currentId(data);
  verifyFolder(snapshotFolder(data, to), readManifest(data, to), { hashes: false });
  pointTo(data, to);
  return { from, to };
}
