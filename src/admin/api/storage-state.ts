import { statSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Space on the disk of the data folder and size of the member store, in bytes. */
interface StorageState {
  readonly disk_bytes: number;
  /** Space that this process may use. */
  readonly free_bytes: number;
  /** Including its log; 0 if the store is elsewhere. */
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
