import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../../kernel/sqlite.ts';
import { migrate, migrationsIn } from '../../kernel/migrate.ts';

/** Paths of the job store and of the folders of runs, under a data folder. */
export function collectPaths(data: string): { jobs: string; raw: string } {
  return { jobs: join(data, 'collect.db'), raw: join(data, 'raw') };
}

/**
 * Opens the job store. Creates a missing one and migrates one of an earlier version; throws for one of a later
 * version.
 */
export function openJobs(data: string): DatabaseSync {
  const { jobs } = collectPaths(data);
  mkdirSync(dirname(jobs), { recursive: true });
  const database = new DatabaseSync(jobs, { timeout: 10_000 });
  try {
    // A power cut may lose the last transactions; the responses of a run are in a store of their own.
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON',
    );
    addMissingColumn(database);
    migrate(database, migrationsIn(join(import.meta.dirname, 'migrations')));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Adds the column that a store may lack if it is older than numbered migrations. */
function addMissingColumn(database: DatabaseSync): void {
  const columns = database.prepare(`SELECT name FROM pragma_table_info('runs')`);
  const isOld = (): boolean => {
    const names = columns.all().map(({ name }) => name);
    return names.length > 0 && !names.includes('since');
  };
  if (!isOld()) return;
  inTransaction(database, () => {
    // Another process may have been first.
    if (isOld()) database.exec('ALTER TABLE runs ADD COLUMN since INTEGER');
  });
}
