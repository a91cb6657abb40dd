import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from './durable.ts';
import { dataPaths, fileNames, isSnapshotId, readableFormats, type Manifest } from './layout.ts';

/** Number of snapshots kept for rollback, the served one included. */
export const snapshotsKept = 5;

/** Ids of the snapshots in a data folder, oldest first. */
export function snapshotIds(data: string): string[] {
  const { snapshots } = dataPaths(data);
  if (!existsSync(snapshots)) return [];
  return readdirSync(snapshots).filter(isSnapshotId).sort();
}

/** The id of the snapshot being served; null before the first. */
export function currentId(data: string): string | null {
  const { current } = dataPaths(data);
  let id;
  try {
    id = readFileSync(current, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  if (!isSnapshotId(id))
    throw new Error(`${current} names no snapshot. Write the id of one into it.`);
  return id;
}

/** Points to another snapshot; running servers follow within a second. The caller must have the `BuildLock`. */
export function pointTo(data: string, id: string): void {
  readManifest(data, id);
  replaceFile(dataPaths(data).current, `${id}\n`);
}

/** Throws for a text that is no id, so that no path leaves the folder of a snapshot. */
export function snapshotFolder(data: string, id: string): string {
  if (!isSnapshotId(id)) {
    throw new Error(
      `${id} is no id of a snapshot, such as 20261121-0003. ./maru snapshot list has the ids.`,
    );
  }
  return join(dataPaths(data).snapshots, id);
}

/** Throws if the snapshot is absent or has another format. */
export function readManifest(data: string, id: string): Manifest {
  const path = join(snapshotFolder(data, id), fileNames.manifest);
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const available = snapshotIds(data).join(', ') || 'none';
    throw new Error(`There is no snapshot ${id} in ${data}. Available: ${available}.`, {
      cause: error,
    });
  }
  const manifest = JSON.parse(text) as Manifest;
  const { formatVersion } = manifest;
  if (!readableFormats.includes(formatVersion)) {
    throw new Error(
      `Snapshot ${id} has format ${formatVersion}; this version reads ${readableFormats.join(' and ')}. Install the version of Maru that built it, or serve another snapshot: ./maru snapshot rollback ID.`,
    );
  }
  return manifest;
}

/** Prefix of folders that are being built or removed. */
export const unfinishedPrefix = '.building-';

/** Removes what builds, pulls and removals that were killed left behind. The caller must have the `BuildLock`. */
export function removeUnfinished(data: string): void {
  const { snapshots } = dataPaths(data);
  for (const name of readdirSync(snapshots)) {
    if (name.startsWith(unfinishedPrefix)) rmSync(join(snapshots, name), { recursive: true });
  }
}

/**
 * Target of a rollback without an id: the snapshot from which the current one was built, or, if that was removed, the
 * one with the next lower id; null if there is none.
 */
export function previousId(data: string): string | null {
  const current = currentId(data);
  if (current === null) return null;
  const earlier = snapshotIds(data).filter((id) => id < current);
  const { previous } = readManifest(data, current);
  return previous !== null && earlier.includes(previous) ? previous : (earlier.at(-1) ?? null);
}

/** Removes the oldest snapshots past `snapshotsKept`, never the current one. Returns their ids. */
export function removeOldSnapshots(data: string): string[] {
  const current = currentId(data);
  const ids = snapshotIds(data);
  const removed = ids.slice(0, -snapshotsKept).filter((id) => id !== current);
  for (const id of removed) removeSnapshot(data, id);
  return removed;
}

/** Removes a snapshot if it is there. The caller must have the `BuildLock`. */
export function removeSnapshot(data: string, id: string): void {
  const folder = snapshotFolder(data, id);
  if (!existsSync(folder)) return;
  // Renamed first: a half-removed snapshot must not look like a whole one.
  const unfinished = join(dataPaths(data).snapshots, `${unfinishedPrefix}${id}`);
  renameSync(folder, unfinished);
  rmSync(unfinished, { recursive: true });
}

/** The id for a snapshot built now: the day in Seoul, then a number within the day. */
export function nextId(data: string, now: Date): string {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Seoul' })
    .format(now)
    .replaceAll('-', '');
  // A clock that was set back must not make an id that sorts before an older snapshot.
  const last = lastId(data);
  const [lastDay, lastNumber] = [last.slice(0, 8), Number(last.slice(9))];
  if (lastDay < day) return `${day}-0001`;
  return `${lastDay}-${String(lastNumber + 1).padStart(4, '0')}`;
}

/** Lets all snapshots that are built from now on have ids past this one, which a store has. */
export function numberAfter(data: string, id: string): void {
  if (id > lastId(data)) replaceFile(lastIdPath(data), `${id}\n`);
}

/** The last id in use; empty if there is none. */
function lastId(data: string): string {
  const path = lastIdPath(data);
  const taken = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  const stored = snapshotIds(data).at(-1) ?? '';
  return taken > stored ? taken : stored;
}

/** Path of a file with the last id that another data folder has used. */
function lastIdPath(data: string): string {
  return join(dataPaths(data).snapshots, '.last-id');
}
