import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the time of a backup that has ended beside the store. A backup itself has no such file. */
export function recordBackup(folder: string, now: number): void {
  writeFileSync(join(folder, fileName), `${new Date(now).toISOString()}\n`, { mode: 0o600 });
}

/** Time of the last backup of the store in a folder, ISO 8601; null before the first. */
export function lastBackup(folder: string): string | null {
  let text;
  try {
    text = readFileSync(join(folder, fileName), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return Number.isNaN(Date.parse(text)) ? null : text;
}

const fileName = 'last-backup';
