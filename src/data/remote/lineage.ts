import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../snapshot/durable.ts';
import { dataPaths, fileNames } from '../snapshot/layout.ts';
import { numberAfter, snapshotFolder } from '../snapshot/snapshots.ts';
import type { ObjectStore } from './object-store.ts';
import type { Pointer, PushedSnapshot } from './pointer.ts';
import { sha256 } from './sign-request.ts';

type Snapshot = Pick<PushedSnapshot, 'id' | 'manifest'>;

/**
 * True if a data folder goes on from the snapshot that a store has now: it was the last one that the folder pushed to
 * the store or pulled from it. A folder that has done neither must have the same snapshot.
 */
export function goesOnFrom(data: string, store: ObjectStore, { id, manifest }: Snapshot): boolean {
  const last = lastManifests(data, store);
  return last === null ? manifestHash(data, id) === manifest : last.includes(manifest);
}

/** Stores the hashes of manifests of which the last push or pull left one in the store. */
export function rememberManifests(
  data: string,
  store: ObjectStore,
  manifests: readonly string[],
): void {
  if (lastManifests(data, store)?.join() === manifests.join()) return;
  replaceFile(pathOf(data, store), `${manifests.join('\n')}\n`);
}

/** Lets the next snapshot that is built in a folder have a number past all of a store. */
export function numberPast(data: string, { snapshots, dropped }: Pointer): void {
  const last = [...snapshots, ...dropped]
    .map(({ id }) => id)
    .sort()
    .at(-1);
  if (last !== undefined) numberAfter(data, last);
}

/** SHA-256 of the manifest of a snapshot in a data folder; null if there is none. */
export function manifestHash(data: string, id: string): string | null {
  const path = join(snapshotFolder(data, id), fileNames.manifest);
  return existsSync(path) ? sha256(readFileSync(path)) : null;
}

function lastManifests(data: string, store: ObjectStore): string[] | null {
  const path = pathOf(data, store);
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : null;
}

function pathOf(data: string, { name }: ObjectStore): string {
  const address = sha256(Buffer.from(name)).slice(0, 16);
  return join(dataPaths(data).snapshots, `.store-${address}`);
}
