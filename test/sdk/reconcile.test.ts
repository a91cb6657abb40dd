import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSvc, type SvcOptions } from '../../sdk/src/svc.ts';
import { badServers } from '../hooks/bad-servers.ts';
import { openGate } from './gate.ts';
import { openService } from './rig.ts';

const longAgo = '2026-01-01T00:00:00Z';

/** Opens a client; returns it with its warnings and the uids that it reported for users. */
async function openClient(stack: AsyncDisposableStack, options: Partial<SvcOptions> = {}) {
  const service = await openService(stack);
  // Registrations have the times of the client's clock.
  Object.defineProperty(service.clock, 'now', { get: () => Date.now() });
  const gate = await openGate(stack, service.port);
  const warnings: string[] = [];
  const uids = new Map<string, string>();
  const svc = createSvc({
    membersUrl: `http://127.0.0.1:${gate.port}`,
    apiKey: service.keys.books,
    onWarning: (text) => void warnings.push(text),
    onRegistered: (answer, { local_user_id }) =>
      void uids.set(String(local_user_id), answer.svc_uid),
    ...options,
  });
  stack.defer(async () => void (await svc.close({ timeoutMs: 0 })));
  return { service, gate, svc, warnings, uids };
}

const user = (name: string, id = `u-${name}`, requestedAt = new Date().toISOString()) => ({
  email: `${name}@example.com`,
  platform: 'books',
  local_user_id: id,
  requested_at: requestedAt,
});

test('reconcile registers the missing users alone, and moves those with another address', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc, warnings, uids } = await openClient(stack);
  const known = await svc.signup(user('known'));
  const moved = await svc.signup(user('old', 'u-moved'));
  async function* users() {
    for (let count = 0; count < 1_100; count++) yield user(`n${count}`);
    yield { ...user('known'), email: ' Known@Example.com' };
    yield user('new', 'u-moved');
  }
  const report = await svc.reconcile(users());
  assert.deepEqual(report, { checked: 1_102, missing: 1_101, registered: 1_101 });
  assert.equal(uids.size, 1_101);
  assert.equal(uids.get('u-moved'), moved?.svc_uid);
  assert.equal((await svc.byEmail('known@example.com'))?.svc_uid, known?.svc_uid);
  assert.deepEqual(await svc.reconcile(users()), { checked: 1_102, missing: 0, registered: 0 });
  assert.deepEqual(warnings, []);
});

test('reconcile revives no user who left, and gives no user the uid of another', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc, warnings, uids } = await openClient(stack);
  await svc.signup(user('left', 'u-left', longAgo));
  await svc.leave('u-left');
  const owner = await svc.signup(user('taken', 'u-owner'));
  const undated = { ...user('undated'), requested_at: '' };
  // A row of a database may lack its address.
  const nameless = { ...user('nameless'), email: JSON.parse('null') as string };
  const users = [user('left', 'u-left', longAgo), user('taken', 'u-other'), user('no@')];
  const report = await svc.reconcile([...users, undated, nameless]);
  assert.deepEqual(report, { checked: 4, missing: 4, registered: 0 });
  assert.equal(uids.size, 0);
  assert.equal((await svc.byEmail('taken@example.com'))?.membership.local_user_id, 'u-owner');
  assert.match(owner?.svc_uid ?? '', /^svc_/);
  assert.deepEqual(
    warnings.map(
      (text) => /^svc: [12] users were not registered by reconcile \((\w+)\)/.exec(text)?.[1],
    ),
    ['no_requested_at', 'member_erased', 'invalid_email', 'local_user_id_mismatch'],
  );
});

test('reconcile sends what the service takes at once, and a refused user stops no other', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc, warnings } = await openClient(stack);
  const large = { note: 'x'.repeat(3_000) };
  const users = Array.from({ length: 300 }, (_, at) => ({ ...user(`n${at}`), extra: large }));
  const tooLarge = { ...user('large'), extra: { note: 'x'.repeat(600_000) } };
  const spoiled = {
    ...user('spoiled'),
    email_verified: JSON.parse('{"__proto__":{"a":1}}') as boolean,
  };
  const report = await svc.reconcile([...users, tooLarge, spoiled]);
  assert.deepEqual(report, { checked: 302, missing: 302, registered: 300 });
  assert.deepEqual(warnings, [
    'svc: 1 users were not registered by reconcile (body_too_large).',
    'svc: 1 users were not registered by reconcile (malformed_json).',
  ]);
});

test('reconcile settles users who exchanged addresses while all calls were lost', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc, warnings, uids } = await openClient(stack);
  const first = await svc.signup(user('a', 'u-1', longAgo));
  const second = await svc.signup(user('b', 'u-2', longAgo));
  const report = await svc.reconcile([user('b', 'u-1'), user('a', 'u-2')]);
  assert.deepEqual(report, { checked: 2, missing: 2, registered: 2 });
  assert.deepEqual(
    [...uids],
    [
      ['u-1', first?.svc_uid],
      ['u-2', second?.svc_uid],
    ],
  );
  assert.deepEqual(warnings, []);
});

test('T32: reconcile ends with a warning whatever answers in place of the service', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc, gate, warnings } = await openClient(stack, { timeoutMs: 300 });
  for (const [name, server] of Object.entries(badServers)) {
    gate.cut(server);
    assert.deepEqual((await svc.reconcile([user('a')])).registered, 0, name);
    assert.match(warnings.splice(0).join('\n'), /not reconciled to the end/, name);
  }
});
