import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnsafeSettingsError } from '../kernel/settings.ts';

/**
 * Notes in a data folder that its members are in a database, without user and password. A service that has lost its
 * DATABASE_URL would take up an old SQLite file otherwise, or begin an empty one.
 */
export function noteDatabase(folder: string, url: string): void {
  const { host = '', pathname = '' } = URL.parse(url) ?? {};
  const text = `${host || 'this machine'}${pathname}\n`;
  const path = pathOf(folder);
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

/** Removes the note: from now on the members are in the SQLite file of the folder. */
export function forgetDatabase(folder: string): void {
  rmSync(pathOf(folder), { force: true });
}

/** Throws if the members of a folder are in a database. */
export function requireNoDatabase(folder: string): void {
  const path = pathOf(folder);
  if (!existsSync(path)) return;
  const place = readFileSync(path, 'utf8').trim().slice(0, 300);
  throw new UnsafeSettingsError(
    `The members of this data folder are in the PostgreSQL database ${place}, but DATABASE_URL is not set. Set it. To serve an SQLite file instead, remove ${path} first.`,
  );
}

function pathOf(folder: string): string {
  return join(folder, 'database.txt');
}
