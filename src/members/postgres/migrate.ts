import { join } from 'node:path';
import { migrationsIn, missingMigrations, type AppliedMigration } from '../../kernel/migrate.ts';
import type { PostgresConnection } from './connection.ts';
import { statement } from './statement.ts';

/** Applies the missing migrations in one transaction; of several processes that start, one at a time. */
export async function migrate(connection: PostgresConnection): Promise<void> {
  await connection.execute(
    `CREATE TABLE IF NOT EXISTS migrations (
       name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
  );
  const all = migrationsIn(join(import.meta.dirname, 'migrations'));
  const missing = async () => {
    const { rows } = await connection.run(applied, []);
    return missingMigrations('The database', rows, all);
  };
  // Checked without the lock, so that opening an up-to-date store waits for no other process.
  if ((await missing()).length === 0) return;
  await connection.execute('BEGIN');
  await connection.execute(`SET LOCAL lock_timeout = '60s'`);
  await connection.execute('LOCK TABLE migrations IN EXCLUSIVE MODE');
  for (const { name, sql, checksum } of await missing()) {
    await connection.execute(sql);
    await connection.run(note, [name, checksum]);
  }
  await connection.execute('COMMIT');
}

const applied = statement<AppliedMigration>(
  'SELECT name, checksum FROM migrations ORDER BY name LIMIT 10000',
);
const note = statement('INSERT INTO migrations (name, checksum) VALUES ($1, $2)');
