import { inParallel } from './in-parallel.ts';
import { isDamage, type ObjectStore } from './object-store.ts';
import type { Pointer, PushedSnapshot } from './pointer.ts';
import { manifestKey, objectKey, readStoredManifest } from './stored-manifest.ts';
import { StoreWriter } from './write-lease.ts';

export interface CleanOptions {
  /** Number of snapshots that stay in the list. */
  readonly keep: number;
  /** Time for which the objects of a dropped snapshot stay: a follower may be fetching them. */
  readonly graceMs: number;
  readonly signal?: AbortSignal | undefined;
}

interface CleanFacts {
  /** Ids of the snapshots taken off the list now. */
  readonly dropped: readonly string[];
  readonly objectsRemoved: number;
}

export const keptByDefault = 5;
export const graceMsByDefault = 24 * 3_600_000;

/** Takes old snapshots off the list, and removes objects that no snapshot of the list has any more. */
export async function cleanStore(
  store: ObjectStore,
  writerId: string,
  options: CleanOptions,
): Promise<CleanFacts> {
  using writer = await StoreWriter.take(store, writerId, () => null, options.signal);
  try {
    const { pointer, dropped } = withoutOld(writer.pointer, options.keep);
    return { dropped, objectsRemoved: await removeDropped(store, writer, pointer, options) };
  } catch (error) {
    await writer.giveUp();
    throw error;
  }
}

/** The pointer with the newest snapshots and the current one; the ids of the others. */
export function withoutOld(
  pointer: Pointer,
  keep: number,
): { pointer: Pointer; dropped: string[] } {
  const kept = new Set(pointer.snapshots.slice(-Math.max(1, keep)));
  const isKept = (each: PushedSnapshot): boolean => kept.has(each) || each.id === pointer.id;
  const old = pointer.snapshots.filter((each) => !isKept(each));
  const droppedAt = new Date().toISOString();
  return {
    pointer: {
      ...pointer,
      snapshots: pointer.snapshots.filter(isKept),
      dropped: [
        ...pointer.dropped,
        ...old.map(({ id, manifest }) => ({ id, manifest, droppedAt })),
      ],
    },
    dropped: old.map(({ id }) => id),
  };
}

/**
 * Removes the objects of manifests that were dropped a while ago, then these manifests, and gives the lease back.
 * Returns the number of objects. Only the writer that has the lease removes objects, so that none is removed which a
 * push under way found in the store.
 */
export async function removeDropped(
  store: ObjectStore,
  writer: StoreWriter,
  pointer: Omit<Pointer, 'lease'>,
  { graceMs, signal }: Omit<CleanOptions, 'keep'>,
): Promise<number> {
  const due = pointer.dropped.filter(
    ({ droppedAt }) => Date.parse(droppedAt) + graceMs <= Date.now(),
  );
  if (due.length === 0) {
    await writer.finish(pointer);
    return 0;
  }
  // The list is shortened first: a follower that comes now must not choose what is removed.
  await writer.change(pointer);
  const remaining = pointer.dropped.filter((each) => !due.includes(each));
  const used = new Set<string>();
  for (const snapshot of pointer.snapshots) {
    for (const key of await objectKeys(store, snapshot, signal)) used.add(key);
  }
  for (const snapshot of remaining) {
    for (const key of await droppedKeys(store, snapshot, signal)) used.add(key);
  }
  const unused = new Set<string>();
  for (const snapshot of due) {
    for (const key of await droppedKeys(store, snapshot, signal)) {
      if (!used.has(key)) unused.add(key);
    }
  }
  await inParallel(removalsAtOnce, unused, async (key) => {
    writer.check();
    await store.remove(key, signal);
  });
  for (const snapshot of due) {
    const key = manifestKey(snapshot);
    if (!pointer.snapshots.some((each) => manifestKey(each) === key))
      await store.remove(key, signal);
  }
  await writer.finish({ ...pointer, dropped: remaining });
  return unused.size;
}

const removalsAtOnce = 8;

/** Keys of the objects of a snapshot in a store. */
export async function objectKeys(
  store: ObjectStore,
  snapshot: Pick<PushedSnapshot, 'id' | 'manifest'>,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const { manifest } = await readStoredManifest(store, snapshot, signal);
  return Object.entries(manifest.files).map(([path, facts]) => objectKey(path, facts));
}

/** Keys of the objects of a dropped manifest; none if it is gone or damaged, as after a cleaning that was stopped. */
async function droppedKeys(
  store: ObjectStore,
  snapshot: Pick<PushedSnapshot, 'id' | 'manifest'>,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  try {
    return await objectKeys(store, snapshot, signal);
  } catch (error) {
    if (isDamage(error)) return [];
    throw error;
  }
}
