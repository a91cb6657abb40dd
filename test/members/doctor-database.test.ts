import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { databaseChecks } from '../../bin/doctor-database.ts';
import { PostgresMemberStore } from '../../src/members/postgres/store.ts';
import { createDatabase } from '../postgres/database.ts';
import { PostgresServer, runSql } from '../postgres/server.ts';

/** Details of the checks that fail, by name. */
async function faults(url: string): Promise<Readonly<Record<string, string>>> {
  const failed = (await databaseChecks(url, 1)).filter(({ ok }) => !ok);
  return Object.fromEntries(failed.map(({ check, detail }) => [check, detail]));
}

test('the doctor finds a server without standby, archive and durable commits', async () => {
  const found = await faults(await createDatabase());
  assert.deepEqual(Object.keys(found), [
    'synchronous standby',
    'synchronous commit',
    'archive of the log',
  ]);
  assert.match(found['synchronous standby']!, /none: sign-ups that were acknowledged are lost/);
  assert.match(found['archive of the log']!, /^off: a restore goes back/);
});

test('the doctor finds a clock that differs, and an archive that fails', async (t) => {
  await using server = await PostgresServer.start();
  const now = Date.now;
  t.mock.method(Date, 'now', () => now() - 5_000);
  assert.match((await faults(server.url))['database clock']!, /^differs by 5\.\d s: run NTP/);
  t.mock.restoreAll();
  assert.equal((await faults(server.url))['database clock'], undefined);
  await runSql(server.url, `ALTER SYSTEM SET archive_mode = 'on'`);
  await runSql(server.url, `ALTER SYSTEM SET archive_command = 'false'`);
  await server.crash();
  await server.restart();
  const archive = async () => (await faults(server.url))['archive of the log']!;
  assert.equal(await archive(), 'nothing was archived yet');
  await runSql(server.url, 'CREATE TABLE filled (n int)');
  await runSql(server.url, 'SELECT pg_switch_wal()');
  let found = await archive();
  while (found === 'nothing was archived yet') found = await archive();
  assert.match(found, /^the last attempt failed: see the log of the server/);
});

test('the doctor finds more processes of the service than its setting names', async () => {
  const url = await createDatabase();
  await using own = await PostgresMemberStore.open(url);
  await own.read.members.count();
  const connect = async (name: string) => {
    const client = new pg.Client({ connectionString: url, application_name: name });
    await client.connect();
    return client;
  };
  const clients = await Promise.all(['maru 7 a', 'maru 7 a', 'maru 7 b', 'psql'].map(connect));
  const check = async (processes: number) =>
    (await databaseChecks(url, processes)).find((each) => each.check === 'processes')!;
  const names = await clients[3]!.query<{ name: string }>(
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'maru ${process.pid} %'`,
  );
  assert.equal(names.rows.length, 1, 'all connections of a process have its name');
  const { ok, detail } = await check(1);
  assert.equal(ok, false);
  assert.match(detail, /^2 are connected, .*: set MARU_PROCESSES to 2$/);
  assert.deepEqual(await check(2), { check: 'processes', ok: true, detail: '2 of 2 connected' });
  for (const client of clients) await client.end();
});

test('the doctor finds settings of the server and the user that harm the service', async () => {
  await using server = await PostgresServer.start();
  for (const setting of [
    `synchronous_standby_names = 's1'`,
    `statement_timeout = '2s'`,
    `wal_sender_timeout = '60s'`,
    'ssl = off',
  ]) {
    await runSql(server.url, `ALTER SYSTEM SET ${setting}`);
  }
  await runSql(server.url, 'CREATE ROLE app LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC');
  await runSql(server.url, 'SELECT pg_reload_conf()');
  const url = Object.assign(new URL(server.url), { username: 'app' }).href;
  let found = await faults(url);
  // The server reads its settings a moment after the call.
  while (found['statement timeout'] === undefined) found = await faults(url);
  assert.match(found['privileges']!, /GRANT CREATE ON SCHEMA public/);
  assert.match(found['statement timeout'], /^2000 ms: set it to 0/);
  assert.match(found['frozen standby']!, /writes wait 60 s for it/);
  assert.match(found['synchronous standby']!, /configured, and none is connected/);
  const withTls = PostgresMemberStore.open(`${server.url}?sslmode=require`);
  await assert.rejects(withTls, /offers no TLS, which sslmode requires/);
  const rule = `COPY (SELECT 'hostssl all all 127.0.0.1/32 trust') TO %L`;
  await runSql(
    server.url,
    `DO $$ BEGIN EXECUTE format($f$${rule}$f$, current_setting('hba_file')); END $$; SELECT pg_reload_conf()`,
  );
  while ((await faults(server.url))['database'] === undefined);
  const withoutTls = PostgresMemberStore.open(server.url);
  await assert.rejects(withoutTls, /takes connections with TLS only. Add \?sslmode=verify-full/);
  await server.crash();
  assert.match((await faults(url))['database']!, /Check DATABASE_URL and that the server runs/);
});
