import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrate, migrationsIn } from '../../kernel/migrate.ts';

/** Where runs are written down, under a data folder. */
export function collectPaths(data: string): { jobs: string; raw: string } {
  return { jobs: join(data, 'collect.db'), raw: join(data, 'raw') };
}

/**
 * Opens the job store, made when it is absent, brought up to date when it is of an earlier version. Throws
 * when it is of a later one.
 */
export function openJobs(data: string): DatabaseSync {
  const { jobs } = collectPaths(data);
  mkdirSync(dirname(jobs), { recursive: true });
  const database = new DatabaseSync(jobs, { timeout: 10_000 });
  try {
    // A lost transaction costs nothing: answers lie in the raw store first, and are found there again.
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON',
    );
    adopt(database);
    migrate(database, migrationsIn(join(import.meta.dirname, 'migrations')));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Brings a store of before migrations had numbers to where the first of them leaves a new one. */
function adopt(database: DatabaseSync): void {
  const columns = database.prepare(`SELECT name FROM pragma_table_info('runs')`);
  const isOld = (): boolean => {
    const names = columns.all().map(({ name }) => name);
    return names.length > 0 && !names.includes('since');
  };
  if (!isOld()) return;
  database.exec('BEGIN IMMEDIATE');
  // Another process may have been first.
  if (isOld()) database.exec('ALTER TABLE runs ADD COLUMN since INTEGER');
  database.exec('COMMIT');
}
