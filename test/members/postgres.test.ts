import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openMembers } from '../../bin/open-members.ts';
import { runMaru } from '../end-to-end/run-maru.ts';
import { createDatabase } from '../postgres/database.ts';
import { runSql } from '../postgres/server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startMembers, urlOf, type RunningService } from './started.ts';

test('two services with one secret serve the same members from PostgreSQL', async () => {
  using folder = temporaryFolder();
  using second = temporaryFolder();
  const environment = { DATABASE_URL: await createDatabase() };
  await using one = await startMembers(folder.path, environment);
  const key = /svck_\w+/.exec(one.output)![0];
  const secret = 'members/members.secret';
  cpSync(join(folder.path, secret), join(second.path, secret));
  await using two = await startMembers(second.path, environment);
  const asha = { email: 'asha@example.com', platform: 'demo', local_user_id: 'u-1' };
  const services = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? one : two));
  const answers = await Promise.all(services.map((each) => call(each, 'register', key, asha)));
  const bodies = answers.map(({ body }) => body);
  assert.equal(new Set(bodies.map(({ svc_uid: uid }) => uid)).size, 1);
  assert.equal(bodies.filter(({ created }) => created === true).length, 1);
  const words = ['key', 'revoke', key.split('_')[2]!, '--reason', 'a test'];
  const revoked = await runMaru(second.path, words, environment);
  assert.equal(revoked.status, 0, revoked.errors);
  assert.equal((await call(one, 'register', key, asha)).body['code'], 'revoked_api_key');
  const audit = await runMaru(folder.path, ['audit', 'verify'], environment);
  assert.equal(audit.status, 0, audit.errors);
  const backup = await runMaru(folder.path, ['backup', join(folder.path, 'copy')], environment);
  assert.deepEqual([backup.status, /pgBackRest/.test(backup.errors)], [1, true]);
});

test('a database that cannot be used ends the start with its fault and the remedy', async () => {
  using folder = temporaryFolder();
  const open = (url: string) => openMembers({ MARU_DATA: folder.path, DATABASE_URL: url });
  const url = await createDatabase();
  await (await open(url))[Symbol.asyncDispose]();
  const refusals = async (address: string, sentence: RegExp) =>
    assert.rejects(open(address), (error: Error) => {
      assert.match(error.message, sentence);
      assert.doesNotMatch(error.message, /hidden/);
      return true;
    });
  await refusals(
    'postgres://maru:hidden@127.0.0.1:1/maru',
    /at 127.0.0.1:1 .*that the server runs/,
  );
  await refusals(variantOf(url, { pathname: 'absent' }), /"absent" does not exist.*createdb/);
  await refusals(variantOf(url, { username: 'absent' }), /"absent" does not exist.*user/);
  const name = new URL(url).pathname.slice(1);
  const role = `reader_${name}`;
  await runSql(url, `CREATE ROLE ${role} LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC`);
  const empty = await createDatabase();
  await refusals(variantOf(empty, { username: role }), /permission denied.*right to create tables/);
  await runSql(url, `INSERT INTO migrations VALUES ('9999-future', 'x')`);
  await refusals(url, /older than the store. Start the newer program/);
  await runSql(url, `DELETE FROM migrations WHERE name = '9999-future'`);
  await runSql(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await refusals(url, /read-only, as a standby is. Give the address that leads to the primary/);
});

test('a service with another secret than the database was used with does not start', async () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  const DATABASE_URL = await createDatabase();
  await (await openMembers({ MARU_DATA: folder.path, DATABASE_URL }))[Symbol.asyncDispose]();
  const open = () => openMembers({ MARU_DATA: other.path, DATABASE_URL });
  await assert.rejects(open, /is not the secret of this database. Copy the file/);
  await (await openMembers({ MARU_DATA: other.path }))[Symbol.asyncDispose]();
  await assert.rejects(open, /is not the secret of this database. Copy the file/);
});

function variantOf(url: string, parts: { readonly pathname?: string; readonly username?: string }) {
  return Object.assign(new URL(url), parts).href;
}

async function call(service: RunningService, path: string, key: string, payload: object) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(payload) };
  const response = await fetch(`${urlOf(service, 'Members')}/members/${path}`, request);
  // Every answer of the service is a JSON object.
  return { body: (await response.json()) as Record<string, unknown> };
}
