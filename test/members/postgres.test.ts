import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { databaseChecks } from '../../bin/doctor-database.ts';
import { openExistingMembers, openMembers } from '../../bin/open-members.ts';
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

test('a session of an operator works in every service of a database, and ends in all at once', async () => {
  using folder = temporaryFolder();
  using second = temporaryFolder();
  const environment = { DATABASE_URL: await createDatabase() };
  await using one = await startMembers(folder.path, environment);
  cpSync(join(folder.path, 'members'), join(second.path, 'members'), { recursive: true });
  await using two = await startMembers(second.path, environment);
  const file = /in {2}(\S+)/.exec(one.output)![1]!;
  const token = readFileSync(file, 'utf8').split('\n')[0]!;
  const credentials = { name: 'hana', passphrase: 'a long enough passphrase' };
  const signIn = (service: RunningService, more: object = {}) =>
    asOperator(service, 'POST', '/api/sign-in', '', { ...credentials, ...more });
  const isIn = async (cookie: string) =>
    Promise.all(
      [one, two].map(
        async (each) => (await asOperator(each, 'GET', '/api/session', cookie)).status === 200,
      ),
    );
  const first = await signIn(one, { token });
  assert.deepEqual(await isIn(first.cookie), [true, true]);
  const out = await asOperator(two, 'POST', '/api/sign-out', first.cookie);
  assert.equal(out.status, 200);
  assert.deepEqual(await isIn(first.cookie), [false, false]);
  const again = await signIn(two);
  assert.deepEqual(await isIn(again.cookie), [true, true]);
  // An idle session is over for all, by the clock of the database.
  await runSql(
    environment.DATABASE_URL,
    `UPDATE operator_sessions SET seen_at = now() - interval '31 minutes'`,
  );
  assert.deepEqual(await isIn(again.cookie), [false, false]);
  const third = await signIn(one);
  const words = ['operator', 'remove-passkeys', 'hana', '--reason', 'a test'];
  const reset = await runMaru(second.path, words, environment);
  assert.equal(reset.status, 0, reset.errors);
  assert.deepEqual(await isIn(third.cookie), [false, false]);
});

test('a database that cannot be used ends the start with its fault and the remedy', async () => {
  using folder = temporaryFolder();
  const open = (url: string) => openMembers({ MARU_DATA: folder.path, DATABASE_URL: url });
  const url = await createDatabase();
  await (await open(url))[Symbol.asyncDispose]();
  const assertRefused = async (address: string, sentence: RegExp) =>
    assert.rejects(open(address), (error: Error) => {
      assert.match(error.message, sentence);
      assert.doesNotMatch(error.message, /hidden/);
      return true;
    });
  await assertRefused(
    'postgres://maru:hidden@127.0.0.1:1/maru',
    /at 127.0.0.1:1 .*that the server runs/,
  );
  await assertRefused(variantOf(url, { pathname: 'absent' }), /"absent" does not exist.*createdb/);
  await assertRefused(variantOf(url, { username: 'absent' }), /"absent" does not exist.*user/);
  const name = new URL(url).pathname.slice(1);
  const role = `reader_${name}`;
  await runSql(url, `CREATE ROLE ${role} LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC`);
  const empty = await createDatabase();
  await assertRefused(
    variantOf(empty, { username: role }),
    /permission denied.*right to create tables/,
  );
  await runSql(url, `INSERT INTO migrations VALUES ('9999-future', 'x')`);
  await assertRefused(url, /older than the store. Start the newer program/);
  await runSql(url, `DELETE FROM migrations WHERE name = '9999-future'`);
  await runSql(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await assertRefused(
    url,
    /read-only, as a standby is. Give the address that leads to the primary/,
  );
});

test('TLS follows the sslmode of the address, and each refusal is a sentence with its remedy', async () => {
  using folder = temporaryFolder();
  const plain = await createDatabase();
  const withTls = (parameters: string, hostname = '127.0.0.1') =>
    `${variantOf(plain, { hostname })}?${parameters}`;
  const open = (url: string) => openMembers({ MARU_DATA: folder.path, DATABASE_URL: url });
  const authority = `sslrootcert=${join(import.meta.dirname, '../fixtures/tls/ca.pem')}`;
  const assertRefused = async (url: string, sentence: RegExp) =>
    assert.rejects(open(url), { message: sentence });
  for (const parameters of [`sslmode=verify-full&${authority}`, 'sslmode=require']) {
    await using opened = await open(withTls(parameters));
    assert.equal(await opened.context.store.read.members.count(), 0);
    const encryption = (await databaseChecks(withTls(parameters), 1)).find(
      ({ check }) => check === 'encryption',
    )!;
    assert.deepEqual(encryption.ok, parameters.startsWith('sslmode=verify'), encryption.detail);
  }
  await assertRefused(withTls('sslmode=verify-full'), /certificate is refused: .*as sslrootcert/);
  await assertRefused(
    withTls(`sslmode=verify-full&${authority}`, 'localhost'),
    /certificate is refused: .*localhost.*altnames.*the name in the certificate/,
  );
  await assertRefused(withTls('sslmode=verify-full&sslrootcert=/absent.pem'), /absent.pem in its/);
  await assertRefused(withTls('sslmode=prefer'), /unknown sslmode. Use verify-full/);
  await assertRefused(withTls('sslmode=verify-ca'), /needs sslrootcert/);
});

test('a data folder whose members are in a database is not served from a file unasked', async () => {
  using folder = temporaryFolder();
  const MARU_DATA = folder.path;
  const DATABASE_URL = variantOf(await createDatabase(), { password: 'hidden' });
  await (await openMembers({ MARU_DATA }))[Symbol.asyncDispose]();
  const file = join(folder.path, 'members/members.db');
  for (const isThere of [true, false]) {
    await (await openMembers({ MARU_DATA, DATABASE_URL }))[Symbol.asyncDispose]();
    if (!isThere) rmSync(file);
    for (const open of [openMembers, openExistingMembers]) {
      await assert.rejects(open({ MARU_DATA }), (error: Error) => {
        assert.match(error.message, /in the PostgreSQL database 127.*DATABASE_URL is not set/);
        assert.doesNotMatch(error.message, /hidden/);
        return true;
      });
    }
    assert.equal(existsSync(file), isThere);
  }
  rmSync(join(folder.path, 'members/database.txt'));
  await (await openMembers({ MARU_DATA }))[Symbol.asyncDispose]();
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
  // An operator who replaces a leaked secret removes its fingerprint first.
  await runSql(DATABASE_URL, 'DELETE FROM secret_fingerprint');
  await (await open())[Symbol.asyncDispose]();
  const former = openMembers({ MARU_DATA: folder.path, DATABASE_URL });
  await assert.rejects(former, /is not the secret of this database. Copy the file/);
});

function variantOf(
  url: string,
  parts: Partial<Pick<URL, 'pathname' | 'username' | 'password' | 'hostname'>>,
) {
  return Object.assign(new URL(url), parts).href;
}

async function call(service: RunningService, path: string, key: string, payload: object) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(payload) };
  const response = await fetch(`${urlOf(service, 'Members')}/members/${path}`, request);
  // Every answer of the service is a JSON object.
  return { body: (await response.json()) as Record<string, unknown> };
}

async function asOperator(
  service: RunningService,
  method: string,
  path: string,
  cookie: string,
  body?: object,
) {
  const headers = { cookie, 'content-type': 'application/json' };
  const request = {
    method,
    headers,
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
  };
  const response = await fetch(new URL(path, urlOf(service, 'Operators')), request);
  await response.arrayBuffer();
  const [session = ''] = response.headers.getSetCookie();
  return { status: response.status, cookie: session.split(';')[0]! };
}
