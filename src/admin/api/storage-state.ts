import { statSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** What the disk under the folder of all data has left, and what the members’ store takes of it, in bytes. */
interface StorageState {
  readonly disk_bytes: number;
  /** What this process may still write. */
  readonly free_bytes: number;
  /** With its log; 0 where members are kept elsewhere. */
  readonly members_bytes: number;
}

export function storageState(data: string): StorageState {
  const { blocks, bavail, bsize } = statfsSync(data);
  const files = ['members.db', 'members.db-wal'].map((name) => join(data, 'members', name));
  return {
    disk_bytes: blocks * bsize,
    free_bytes: bavail * bsize,
    members_bytes: files.reduce((sum, path) => sum + bytesOf(path), 0),
  };
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
