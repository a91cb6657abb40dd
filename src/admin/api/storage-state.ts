import type { adminContract } from '../../contract/admin.ts';
import type { Answer } from '../../contract/route.ts';
import { statSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { lastBackup } from '../../members/backup-time.ts';

/** Size and free space of the disk, size of the member store, in bytes, and the time of its last backup. */
export function storageState(data: string): Answer<typeof adminContract.storage> {
  const { blocks, bavail, bsize } = statfsSync(data);
  const files = ['members.db', 'members.db-wal'].map((name) => join(data, 'members', name));
  return {
    disk_bytes: blocks * bsize,
    free_bytes: bavail * bsize,
    members_bytes: files.reduce((sum, path) => sum + bytesOf(path), 0),
    last_backup_at: lastBackup(join(data, 'members')),
  };
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
