import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { isLongForm } from '../../../test/long-form.ts';
import { createDatabase, emptyDatabase } from '../../../test/postgres/database.ts';
import { runSql } from '../../../test/postgres/server.ts';
import { migrationsIn } from '../../kernel/migrate.ts';
import { options } from './connection.ts';
import { migrationsFolder } from './migrate.ts';
import { statements } from './statement.ts';
import { PostgresMemberStore } from './store.ts';

const migrations = migrationsIn(migrationsFolder);

test('processes that start at once on an empty database migrate it once', async () => {
  const url = await createDatabase();
  const stores = await Promise.all(Array.from({ length: 6 }, () => PostgresMemberStore.open(url)));
  assert.equal(await stores[0]!.read.members.count(), 0);
  for (const store of stores) await store[Symbol.asyncDispose]();
});

test('migrations past the first only add, so that the release before goes on', () => {
  for (const { name, sql } of migrations.slice(1)) {
    for (const command of commandsOf(sql)) {
      assert(
        additions.some((addition) => addition.test(command)),
        `${name}: ${command}`,
      );
    }
  }
  for (const command of [
    'DROP TABLE events',
    'ALTER TABLE events DROP COLUMN meta',
    'ALTER TABLE events RENAME COLUMN meta TO content',
    'ALTER TABLE events ADD COLUMN size integer NOT NULL',
    'ALTER TABLE events ADD COLUMN size integer, DROP COLUMN meta',
    'ALTER TABLE events ALTER COLUMN meta SET NOT NULL',
    'CREATE UNIQUE INDEX events_once ON events (meta)',
  ]) {
    assert(!additions.some((addition) => addition.test(command)), command);
  }
});

/** Commands that the release before, which does not know of them, survives. */
const additions = [
  /^CREATE TABLE \w+ \(/,
  /^CREATE INDEX \w+ ON /,
  /^INSERT INTO \w+ /,
  /^ALTER TABLE \w+ ADD COLUMN \w+ \w+(?: NOT NULL DEFAULT [^,]+| DEFAULT [^,]+)?$/,
];

function commandsOf(sql: string): readonly string[] {
  const commands = sql.replaceAll(/--.*$/gm, '').split(';');
  return commands.map((command) => command.trim()).filter((command) => command !== '');
}

test('statements that were prepared before columns were added run after it', async () => {
  const url = await emptyDatabase();
  const client = new pg.Client({ connectionString: url, options });
  await client.connect();
  try {
    for (const { name, text } of statements) await client.query(`PREPARE ${name} AS ${text}`);
    const tables = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
    );
    assert(tables.rows.length > 25);
    for (const { name } of tables.rows) {
      await runSql(url, `ALTER TABLE ${name} ADD COLUMN added text, ADD COLUMN more int DEFAULT 1`);
    }
    const prepared = await client.query<{ name: string; count: number }>(
      `SELECT name, cardinality(parameter_types) AS count FROM pg_prepared_statements`,
    );
    assert.equal(prepared.rows.length, statements.length);
    for (const { name, count } of prepared.rows) {
      const values = count === 0 ? '' : `(${Array(count).fill('NULL').join(', ')})`;
      await client.query(`EXPLAIN EXECUTE ${name}${values}`);
    }
  } finally {
    await client.end();
  }
});

/** Takes a database back to before the third migration. */
const undoNewer = `DROP TABLE operator_sessions; ALTER TABLE api_keys DROP COLUMN replaced_by;
  ALTER TABLE webhook_messages DROP COLUMN membership_id;
  DELETE FROM migrations WHERE name >= '0003'`;

test('a process goes on writing while a newer one migrates the database', async () => {
  const url = await emptyDatabase();
  await using older = await PostgresMemberStore.open(url);
  const write = () => older.write(async (tx) => tx.members.touchHistory());
  await write();
  await runSql(url, undoNewer);
  const state = { isMigrated: false, writes: 1 };
  const opening = PostgresMemberStore.open(url).finally(() => (state.isMigrated = true));
  for (; !state.isMigrated; state.writes++) await write();
  await using newer = await opening;
  await write();
  assert.equal(await newer.read.members.historyVersion(), 1 + state.writes + 1);
});

test('a migration gives up when a table stays in use, and names the remedy', async () => {
  const url = await emptyDatabase();
  await runSql(url, undoNewer);
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE operators IN ROW EXCLUSIVE MODE');
  await assert.rejects(PostgresMemberStore.open(url), /Start the service again in a moment/);
  await holder.end();
  await (await PostgresMemberStore.open(url))[Symbol.asyncDispose]();
});

// Longer than the service waits for any statement.
if (isLongForm) {
  test('a start waits for the migration of another process', async () => {
    const url = await createDatabase();
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('BEGIN; SELECT pg_advisory_xact_lock(7170407)');
    const opening = PostgresMemberStore.open(url);
    await holder.query('SELECT pg_sleep(10)');
    await holder.end();
    await (await opening)[Symbol.asyncDispose]();
  });
}
