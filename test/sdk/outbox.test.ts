import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RegisterBody } from '../../sdk/src/contract.ts';
import type { OutboxEntry } from '../../sdk/src/journal.ts';
import { fileOutbox } from '../../sdk/src/outbox.ts';
import { createSvc } from '../../sdk/src/svc.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { listen, openService } from './rig.ts';

function entry(id: string): OutboxEntry {
  return { id, at: 1, kind: 'registration', body: { email: `${id}@example.com` } };
}

test('entries survive restarts until they are dropped, in any order of calls', () => {
  const steps = fc.array(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      kind: fc.constantFrom('put', 'drop', 'restart'),
    }),
  );
  fc.assert(
    fc.property(steps, (chosenSteps) => {
      using folder = temporaryFolder();
      const path = join(folder.path, 'outbox.jsonl');
      const pending = new Map<string, OutboxEntry>();
      let outbox = fileOutbox(path);
      outbox.open();
      for (const { id, kind } of chosenSteps) {
        if (kind === 'put' && !pending.has(id)) {
          outbox.put(entry(id));
          pending.set(id, entry(id));
        } else if (kind === 'drop') {
          outbox.drop(id);
          pending.delete(id);
        } else if (kind === 'restart') {
          outbox.close();
          outbox = fileOutbox(path);
          assert.deepEqual(outbox.open(), [...pending.values()]);
        }
      }
      outbox.close();
      const last = fileOutbox(path);
      assert.deepEqual(last.open(), [...pending.values()]);
      last.close();
    }),
    { numRuns: 40 },
  );
});

test('only its owner can read the file, which is empty once everything is delivered', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'outbox.jsonl');
  const outbox = fileOutbox(path);
  outbox.open();
  outbox.put(entry('a'));
  outbox.put(entry('b'));
  assert.equal(statSync(path).mode & 0o777, 0o600);
  outbox.drop('a');
  assert.match(readFileSync(path, 'utf8'), /b@example/);
  outbox.drop('b');
  assert.equal(statSync(path).size, 0);
  outbox.close();
  assert.ok(!existsSync(`${path}.lock`));
});

test('a line cut short by a crash is ignored, the lines before and after it are read', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'outbox.jsonl');
  writeFileSync(path, `${JSON.stringify(entry('a'))}\n${JSON.stringify(entry('b')).slice(0, 20)}`);
  const outbox = fileOutbox(path);
  assert.deepEqual(outbox.open(), [entry('a')]);
  outbox.put(entry('c'));
  outbox.close();
  appendFileSync(path, '{"id":');
  const after = fileOutbox(path);
  assert.deepEqual(after.open(), [entry('a'), entry('c')]);
  after.close();
});

test('the file grows up to its bound and not a byte more', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'outbox.jsonl');
  const bytesMax = 2 * (JSON.stringify(entry('a')).length + 1);
  const outbox = fileOutbox(path, { bytesMax });
  outbox.open();
  outbox.put(entry('a'));
  outbox.put(entry('b'));
  assert.throws(() => outbox.put(entry('c')), /full/);
  outbox.close();
});

test('an entry that the disk has no room for is refused, and a later one survives a restart', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'outbox.jsonl');
  const script = `
    const { fileOutbox } = await import(${JSON.stringify(import.meta.resolve('../../sdk/src/outbox.ts'))});
    const outbox = fileOutbox(process.argv[1]);
    outbox.open();
    const entry = (id, body) => ({ id, at: 1, kind: 'registration', body });
    outbox.put(entry('before', {}));
    try {
      outbox.put(entry('large', { note: 'x'.repeat(5_000) }));
    } catch {
      process.exitCode = 3;
    }
    outbox.put(entry('after', {}));
    outbox.close();
  `;
  // Two blocks of 512 or 1,024 bytes. Like a full disk, the limit cuts a line short.
  const limited = ['-c', 'ulimit -f 2; exec "$@"', 'sh', process.execPath];
  const child = spawn('sh', [...limited, '--input-type=module', '--eval', script, path]);
  assert.deepEqual(await once(child, 'exit'), [3, null]);
  const next = fileOutbox(path);
  const ids = next.open().map(({ id }) => id);
  assert.deepEqual(ids, ['before', 'after']);
  next.close();
});

test('one entry that waits keeps no room from later ones that are delivered', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'outbox.jsonl');
  const bytesMax = 10_000;
  const outbox = fileOutbox(path, { bytesMax });
  outbox.open();
  outbox.put(entry('waits'));
  for (let count = 0; count < 1_000; count++) {
    outbox.put(entry(`n${count}`));
    outbox.drop(`n${count}`);
    assert.ok(statSync(path).size <= bytesMax);
  }
  assert.equal(statSync(path).mode & 0o777, 0o600);
  outbox.put(entry('last'));
  outbox.close();
  const next = fileOutbox(path);
  assert.deepEqual(next.open(), [entry('waits'), entry('last')]);
  next.close();
});

test('a process killed at any moment of a rewrite leaves each undelivered entry', async () => {
  const script = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const [path, call, moment] = process.argv.slice(1);
    const { fileOutbox } = await import(${JSON.stringify(import.meta.resolve('../../sdk/src/outbox.ts'))});
    const outbox = fileOutbox(path, { bytesMax: 4_000 });
    outbox.open();
    const real = fs[call];
    fs[call] = (...given) => {
      if (moment === 'after') real(...given);
      process.kill(process.pid, 'SIGKILL');
    };
    syncBuiltinESMExports();
    const entry = (id) => ({ id, at: 1, kind: 'registration', body: {} });
    outbox.put(entry('waits'));
    for (let count = 0; ; count++) {
      outbox.put(entry('n' + count));
      outbox.drop('n' + count);
    }
  `;
  for (const [moment, call] of [
    ['before', 'writeFileSync'],
    ['before', 'renameSync'],
    ['after', 'renameSync'],
  ] as const) {
    using folder = temporaryFolder();
    const path = join(folder.path, 'outbox.jsonl');
    const command = ['--input-type=module', '--eval', script, path, call, moment];
    const [, signal] = await once(spawn(process.execPath, command), 'exit');
    assert.equal(signal, 'SIGKILL');
    const next = fileOutbox(path);
    const ids = next.open().map(({ id }) => id);
    assert.deepEqual(ids, ['waits'], `${moment} ${call}`);
    next.close();
  }
});

test('a second process is refused the file, unless the first has ended', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'outbox.jsonl');
  writeFileSync(`${path}.lock`, String(process.ppid));
  assert.throws(() => fileOutbox(path).open(), /Give each process a file of its own/);
  // The process id was reused: the lock was not refreshed for a minute.
  utimesSync(`${path}.lock`, new Date(0), new Date(0));
  const later = fileOutbox(path);
  assert.deepEqual(later.open(), []);
  later.close();
  // No process has this id: the largest is 2^22.
  writeFileSync(`${path}.lock`, '4194305');
  const outbox = fileOutbox(path);
  assert.deepEqual(outbox.open(), []);
  outbox.close();
});

test('a lock of a process that cannot be checked counts for a minute', (context) => {
  context.mock.method(process, 'kill', () => {
    throw new Error('Requires run access');
  });
  using folder = temporaryFolder();
  const path = join(folder.path, 'outbox.jsonl');
  writeFileSync(`${path}.lock`, '4194305');
  assert.throws(() => fileOutbox(path).open(), /Give each process a file of its own/);
  utimesSync(`${path}.lock`, new Date(0), new Date(0));
  const outbox = fileOutbox(path);
  assert.deepEqual(outbox.open(), []);
  outbox.close();
});

test('a process can open a file once at a time', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'outbox.jsonl');
  const first = fileOutbox(path);
  first.open();
  assert.throws(() => fileOutbox(`${folder.path}/./outbox.jsonl`).open(), /already has/);
  first.put(entry('a'));
  first.close();
  const second = fileOutbox(path);
  assert.deepEqual(second.open(), [entry('a')]);
  second.close();
});

test('a failing outbox warns, and the sign-up continues', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder());
  const service = await openService(stack);
  const warnings: string[] = [];
  const svc = createSvc({
    membersUrl: service.address,
    apiKey: service.keys.books,
    outbox: fileOutbox(join(folder.path, 'outbox.jsonl'), { bytesMax: 10 }),
    onWarning: (text) => void warnings.push(text),
  });
  const user = { email: 'asha@example.com', platform: 'books', local_user_id: 'u-1' };
  assert.equal((await svc.signup(user))?.created, true);
  assert.match(warnings.join(), /outbox failed/);
  await svc.close();
});

test('a sign-up of a process killed during the call is registered by the next one', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder());
  const service = await openService(stack);
  const path = join(folder.path, 'outbox.jsonl');
  const { server, port } = await listen(stack, () => {
    // No response.
  });
  const script = resolve(import.meta.dirname, 'sign-up-once.ts');
  const key = service.keys.books;
  const platform = spawn(process.execPath, [script, `http://127.0.0.1:${port}`, key, path]);
  await once(server, 'request');
  platform.kill('SIGKILL');
  await once(platform, 'exit');
  const registered: string[] = [];
  const svc = createSvc({
    membersUrl: service.address,
    apiKey: key,
    outbox: fileOutbox(path),
    onRegistered: (_, { local_user_id }) => void registered.push(String(local_user_id)),
  });
  assert.deepEqual(await svc.flush(), { delivered: 1, pending: 0 });
  assert.deepEqual(registered, ['u-9']);
  assert.equal(statSync(path).size, 0);
  await svc.close();
});

for (const [callback, address] of [
  ['onRegistered', 'killed@example.com'],
  ['onRefused', 'killed@localhost'],
] as const) {
  test(`a process killed within ${callback} calls it again when it starts anew`, async () => {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(temporaryFolder());
    const service = await openService(stack);
    const path = join(folder.path, 'outbox.jsonl');
    const person = { ...user('u-9'), email: address };
    const cutOff = createSvc({
      membersUrl: 'http://127.0.0.1:1',
      apiKey: service.keys.books,
      outbox: fileOutbox(path),
      onWarning: () => {},
    });
    await cutOff.signup(person);
    await cutOff.close({ timeoutMs: 0 });
    const script = `
      import { fileOutbox } from ${JSON.stringify(import.meta.resolve('../../sdk/src/outbox.ts'))};
      import { createSvc } from ${JSON.stringify(import.meta.resolve('../../sdk/src/svc.ts'))};
      const [membersUrl, apiKey, path] = process.argv.slice(1);
      const ${callback} = () => process.kill(process.pid, 'SIGKILL');
      await createSvc({ membersUrl, apiKey, outbox: fileOutbox(path), ${callback} }).flush();
    `;
    const given = [service.address, service.keys.books, path];
    const command = ['--input-type=module', '--eval', script, ...given];
    const [, signal] = await once(spawn(process.execPath, command), 'exit');
    assert.equal(signal, 'SIGKILL');
    const called: unknown[] = [];
    const svc = createSvc({
      membersUrl: service.address,
      apiKey: service.keys.books,
      outbox: fileOutbox(path),
      onWarning: () => {},
      onRegistered: (_, { local_user_id }) => void called.push(local_user_id),
      onRefused: ({ local_user_id, email }, code) => void called.push(local_user_id, email, code),
    });
    assert.equal((await svc.flush()).pending, 0);
    const refusal = ['u-9', address, 'invalid_email'];
    assert.deepEqual(called, callback === 'onRefused' ? refusal : ['u-9']);
    await svc.close();
  });
}

test('ends of memberships and sessions that wait are delivered by the next process', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder());
  const service = await openService(stack);
  const path = join(folder.path, 'outbox.jsonl');
  const open = (membersUrl: string) =>
    createSvc({
      membersUrl,
      apiKey: service.keys.books,
      outbox: fileOutbox(path),
      onWarning: () => {},
    });
  const first = open(service.address);
  const asha = (await first.signup(user('asha')))!;
  await first.signup(user('ben'));
  const cookies = (await first.ssoLogin(user('asha'))).map((each) => each.split(';')[0]).join('; ');
  await first.close();
  service.clock.now = Date.now();
  const cutOff = open('http://127.0.0.1:1');
  assert.equal(await cutOff.leave('ben'), false);
  assert.equal(await cutOff.logoutEverywhere(asha.svc_uid), false);
  await cutOff.close({ timeoutMs: 0 });
  const next = open(service.address);
  assert.equal((await next.verify(cookies)).active, false);
  assert.deepEqual(await next.flush(), { delivered: 2, pending: 0 });
  assert.equal(await next.byEmail('ben@example.com'), null);
  assert.equal((await next.me(cookies)).authenticated, false);
  assert.equal(statSync(path).size, 0);
  await next.close();
});

function user(id: string): RegisterBody {
  return { email: `${id}@example.com`, platform: 'books', local_user_id: id };
}
