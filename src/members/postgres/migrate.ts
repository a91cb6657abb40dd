import { join } from 'node:path';
import { migrationsIn, missingMigrations, type AppliedMigration } from '../../kernel/migrate.ts';
import { PostgresConnection } from './connection.ts';
import { statement } from './statement.ts';

/**
 * Applies the missing migrations in one transaction; of several processes that start, one at a time. A table that is in
 * use for longer ends it, because a waiting change of a table stops all writes to it.
 */
export async function migrate(url: string, connection: PostgresConnection): Promise<void> {
  // Checked without the lock, so that opening an up-to-date store waits for no other process.
  if ((await missingIn(connection)).length === 0) return;
  const patient = await PostgresConnection.open(url, { waitMs: migrationMs });
  try {
    await patient.execute(
      `BEGIN; SET LOCAL lock_timeout = '60s'; ${takeTurn}; ${createTable}; SET LOCAL lock_timeout = '2s'`,
    );
    for (const { name, sql, checksum } of await missingIn(patient)) {
      await patient.execute(sql);
      await patient.run(note, [name, checksum]);
    }
    await patient.execute('COMMIT');
  } finally {
    patient.destroy();
  }
}

async function missingIn(connection: PostgresConnection) {
  const [table] = (await connection.run(migrationsTable, [])).rows;
  const rows = table!.exists ? (await connection.run(applied, [])).rows : [];
  return missingMigrations('The database', rows, migrationsIn(migrationsFolder));
}

/** Folder of the migrations. Past the first they only add, so that two releases can use one schema. */
export const migrationsFolder = join(import.meta.dirname, 'migrations');

/** Any constant serves as the number of the lock; this one is the bytes of `mig`. */
const takeTurn = 'SELECT pg_advisory_xact_lock(7170407)';
/** Two processes that create a table at once fail, in spite of its condition. */
const createTable = `CREATE TABLE IF NOT EXISTS migrations (
  name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`;

const migrationMs = 3_600_000;

const migrationsTable = statement<{ readonly exists: boolean }>(
  `SELECT to_regclass('migrations') IS NOT NULL AS exists`,
);
const applied = statement<AppliedMigration>(
  'SELECT name, checksum FROM migrations ORDER BY name LIMIT 10000',
);
const note = statement('INSERT INTO migrations (name, checksum) VALUES ($1, $2)');
