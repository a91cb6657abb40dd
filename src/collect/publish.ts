import type { SnapshotBuilder } from '../data/snapshot/builder.ts';

/** Publishes what was built, with everything that depends on which axes are held brought up to date. */
export async function publish(
  builder: SnapshotBuilder,
  _data: string,
  reason: string,
): Promise<string> {
  return builder.publish(reason);
}
