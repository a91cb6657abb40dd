import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './sqlite.ts';

/**
 * Applies the missing migrations to an SQLite database, in one transaction. Throws when an applied migration
 * was edited, or when the database is newer than this program.
 */
export function migrate(database: DatabaseSync, migrations: readonly Migration[]): void {
  // Checked without the lock, so that opening an up-to-date store does not wait for another process.
  if (hasMigrationsTable(database) && pendingMigrations(database, migrations).length === 0) return;
  inTransaction(database, () => {
    database.exec(
      `CREATE TABLE IF NOT EXISTS migrations (
         name TEXT PRIMARY KEY, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL
       ) STRICT, WITHOUT ROWID`,
    );
    const insert = database.prepare('INSERT INTO migrations VALUES (?, ?, ?)');
    for (const { name, sql, checksum } of pendingMigrations(database, migrations)) {
      database.exec(sql);
      insert.run(name, checksum, Date.now());
    }
  });
}

interface Migration {
  /** `0001-members`: applied in the order of names. */
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** Reads the migrations in the `.sql` files of a folder. */
export function migrationsIn(folder: string): readonly Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const sql = readFileSync(join(folder, file), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { name: basename(file, '.sql'), sql, checksum };
    });
}

/**
 * The migrations that a store lacks. Throws when an applied one was edited, or when the store is newer than this
 * program; `store` is its name in the message.
 */
export function missingMigrations(
  store: string,
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): Migration[] {
  const migrationsByName = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum } of applied) {
    const migration = migrationsByName.get(name);
    if (migration === undefined) {
      throw new Error(
        `${store} has the migration ${name}, which this program does not know: the program is older than the store. Start the newer program.`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new Error(
        `The migration ${name} was changed after it was applied. Restore its file, and put the change in a new migration.`,
      );
    }
  }
  const appliedNames = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !appliedNames.has(name));
}

export type AppliedMigration = Pick<Migration, 'name' | 'checksum'>;

function pendingMigrations(database: DatabaseSync, migrations: readonly Migration[]): Migration[] {
  // `migrate` creates the table with these columns.
  const applied = database
    .prepare('SELECT name, checksum FROM migrations ORDER BY name LIMIT 10000')
    .all() as unknown as AppliedMigration[];
  return missingMigrations(database.location() ?? 'The store', applied, migrations);
}

function hasMigrationsTable(database: DatabaseSync): boolean {
  const sql = `SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'`;
  return database.prepare(sql).get() !== undefined;
}
