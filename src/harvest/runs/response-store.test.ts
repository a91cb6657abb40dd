import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { test } from 'node:test';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { PortalError } from '../client/portal-error.ts';
import { runLimits } from './limits.ts';
import { ResponseStore } from './response-store.ts';

test('stored responses are found by key and copy, with their time, in a reopened file', () => {
  using folder = temporaryFolder();
  {
    using store = new ResponseStore(folder.path, () => 7);
    for (let at = 0; at <= runLimits.unsyncedMax; at++) store.put(`page ${at}`, response(at));
    store.put('page 1', response(100), 1);
  }
  using store = new ResponseStore(folder.path, () => 8, { mustExist: true });
  for (let at = 0; at <= runLimits.unsyncedMax; at++) {
    assert.equal(textOf(store, `page ${at}`), `응답 ${at}`);
  }
  assert.equal(textOf(store, 'page 1', 1), '응답 100');
  assert.equal(store.find('page 1')?.storedAt, 7);
  assert.equal(store.find('page 2', 1), null);
});

test('load fetches a missing response once, and nothing without a fetch function', async () => {
  using folder = temporaryFolder();
  using store = new ResponseStore(folder.path, () => 7);
  let fetched = 0;
  const fetch = () => Promise.resolve(response(++fetched));
  assert.equal(await store.load('page', null), null);
  for (let time = 0; time < 3; time++) await store.load('page', fetch);
  assert.equal(fetched, 1);
  assert.equal(textOf(store, 'page'), '응답 1');
});

test('a request counts as empty when none of its copies has rows', () => {
  using folder = temporaryFolder();
  using store = new ResponseStore(folder.path, () => 7);
  store.put('empty', response(1), 0, 0);
  store.put('empty', response(1), 1, 0);
  store.put('full on retry', response(1), 0, 0);
  store.put('full on retry', response(2), 1, 3);
  store.put('not counted', response(1));
  const hasRecords = store.hasRecordsByKey();
  assert.equal(hasRecords.get('empty'), false);
  assert.equal(hasRecords.get('full on retry'), true);
  assert.equal(hasRecords.has('not counted'), false);
});

test('a damaged body counts as missing', () => {
  using folder = temporaryFolder();
  using store = new ResponseStore(folder.path, () => 7);
  store.put('page', response(1));
  using database = new DatabaseSync(join(folder.path, 'responses.db'));
  const update = database.prepare('UPDATE responses SET body = ?');
  const { body } = database.prepare('SELECT body FROM responses').get() as { body: Uint8Array };
  for (let at = 0; at < body.length; at++) {
    const damaged = Uint8Array.from(body);
    damaged[at]! ^= 1;
    update.run(damaged);
    const found = store.find('page');
    // Some bits of the header have no meaning.
    assert.ok(found === null || Buffer.from(found.body).equals(response(1).body), String(at));
  }
});

test('opening the missing store of a run fails with the advice to collect again', () => {
  using folder = temporaryFolder();
  assert.throws(
    () => new ResponseStore(folder.path, () => 7, { mustExist: true }),
    /without --reparse/,
  );
});

test('a process killed five times at random moments loses no response that was stored', async () => {
  using folder = temporaryFolder();
  let acknowledged = -1;
  for (let time = 0; time < 5; time++) {
    const writer = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
      env: { ...process.env, FOLDER: folder.path, FIRST: String(acknowledged + 1) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const goal = acknowledged + 1 + Math.floor(Math.random() * 3 * runLimits.unsyncedMax);
    for await (const line of createInterface(writer.stdout)) {
      acknowledged = Number(line);
      if (acknowledged === goal) writer.kill('SIGKILL');
    }
    if (writer.signalCode === null && writer.exitCode === null) await once(writer, 'close');
    assert.equal(writer.signalCode, 'SIGKILL');
    using store = new ResponseStore(folder.path, () => 7, { mustExist: true });
    for (let at = 0; at <= acknowledged; at++) {
      assert.equal(textOf(store, `page ${at}`), `응답 ${at}`);
    }
  }
});

/** Stores one response after the other until it is killed, and acknowledges each on standard output. */
const program = `
  import { writeSync } from 'node:fs';
  import { ResponseStore } from ${JSON.stringify(fileURLToPath(import.meta.resolve('./response-store.ts')))};
  const store = new ResponseStore(process.env.FOLDER, Date.now);
  for (let at = Number(process.env.FIRST); ; at++) {
    store.put(\`page \${at}\`, { status: 200, body: Buffer.from(\`응답 \${at}\`) });
    writeSync(1, \`\${at}\\n\`);
  }
`;

function response(at: number) {
  return { status: 200, body: Buffer.from(`응답 ${at}`) };
}

function textOf(store: ResponseStore, key: string, copy = 0): string {
  const found = store.find(key, copy);
  return found === null ? 'missing' : Buffer.from(found.body).toString();
}

test('a failure is found after a restart, until its request is answered', () => {
  using folder = temporaryFolder();
  const error = new PortalError({
    code: '01',
    class: 'retry',
    reason: 'APPLICATION_ERROR (01)',
    advice: 'Run again later.',
    operation: 'apis.data.go.kr/operation',
    status: 200,
    attempts: 6,
    retryAt: null,
  });
  {
    using store = new ResponseStore(folder.path, () => 7);
    assert.equal(store.findFailure('a'), null);
    store.putFailure('a', { error, runs: 2 });
  }
  using store = new ResponseStore(folder.path, () => 8);
  assert.deepEqual(store.findFailure('a'), { error, runs: 2 });
  assert.equal(store.findFailure('a')?.error.message, error.message);
  store.put('a', { status: 200, body: new Uint8Array([1]) });
  assert.equal(store.findFailure('a'), null);
});
