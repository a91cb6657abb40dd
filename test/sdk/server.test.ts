import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RegisterAnswer } from '../../sdk/src/contract.ts';
import { createSvc, type SvcOptions } from '../../sdk/src/svc.ts';
import { SvcError } from '../../sdk/src/svc-error.ts';
import { eventsHeld, openService, type Service } from './rig.ts';

const asha = { email: 'asha@example.com', platform: 'books', local_user_id: 'u-1', extra: {} };

/** Opens a client of a service that can fail; returns it with its warnings and requests. */
async function openClient(stack: AsyncDisposableStack, options: Partial<SvcOptions> = {}) {
  const service = await openService(stack);
  const warnings: string[] = [];
  const requests: { path: string; body: string; at: number }[] = [];
  type Answer = () => Promise<Response>;
  const trouble: { next: Answer | null; route: ((path: string) => Answer | null) | null } = {
    next: null,
    route: null,
  };
  const late: RegisterAnswer[] = [];
  const svc = createSvc({
    membersUrl: `${service.address}/`,
    apiKey: service.keys.books,
    onWarning: (text) => void warnings.push(text),
    onRegistered: (answer) => void late.push(answer),
    fetch: (input, init) => {
      // The package calls with strings.
      const path = (input as string).slice(service.address.length);
      requests.push({ path, body: (init?.body ?? '') as string, at: Date.now() });
      return (trouble.next ?? trouble.route?.(path) ?? (() => fetch(input, init)))();
    },
    ...options,
  });
  stack.defer(async () => void (await svc.close({ timeoutMs: 0 })));
  return { service, svc, warnings, requests, trouble, late };
}

async function members({ context }: Service): Promise<number> {
  return context.store.read.members.count();
}

const broken = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));
const refusing = (status: number, code: string) => (): Promise<Response> =>
  Promise.resolve(Response.json({ code, detail: 'no' }, { status }));

test('a sign-up is registered at once, and a repeat returns the same uid', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc, warnings } = await openClient(stack);
  const first = await svc.signup(asha);
  assert.equal(first?.created, true);
  assert.equal(first.tier, 'BRONZE');
  const second = await svc.signup(asha);
  assert.deepEqual([second?.created, second?.svc_uid], [false, first.svc_uid]);
  assert.deepEqual(warnings, []);
});

test('a failed sign-up is null with a warning, and registered later with its first time', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, svc, warnings, requests, trouble, late } = await openClient(stack);
  for (const next of [broken, refusing(503, 'overloaded'), refusing(429, 'rate_limited')]) {
    trouble.next = next;
    const email = `late-${requests.length}@example.com`;
    assert.equal(await svc.signup({ ...asha, email, local_user_id: email }), null);
  }
  assert.equal(warnings.length, 3);
  assert.ok(warnings.every((text) => !text.includes('example.com') && !text.includes('svck_')));
  assert.deepEqual(await svc.flush(), { delivered: 0, pending: 3 });
  assert.equal(warnings.length, 3, 'a retry warns of nothing');
  const firstTries = requests.slice(0, 3).map(({ at }) => at);
  trouble.next = null;
  assert.deepEqual(await svc.flush(), { delivered: 3, pending: 0 });
  assert.equal(await members(service), 3);
  assert.equal(late.length, 3);
  for (const [index, { body }] of requests.slice(-3).entries()) {
    const { requested_at: requestedAt } = JSON.parse(body) as { requested_at: string };
    assert.ok(Date.parse(requestedAt) <= firstTries[index]!, body);
  }
});

test('a server call takes at most 5 s, a hook 3 s, or the given timeout', async (context) => {
  const timeouts: number[] = [];
  context.mock.method(AbortSignal, 'timeout', (ms: number) => {
    timeouts.push(ms);
    return new AbortController().signal;
  });
  await using stack = new AsyncDisposableStack();
  const { svc } = await openClient(stack);
  await svc.signup(asha);
  await svc.signup(asha, { hook: true });
  await svc.signup(asha, { timeoutMs: 900 });
  await svc.ssoLogin(asha);
  await svc.byEmail(asha.email);
  assert.deepEqual(timeouts, [5_000, 3_000, 900, 5_000, 5_000]);
  const own = await openClient(stack, { timeoutMs: 800, hookTimeoutMs: 700 });
  await own.svc.signup(asha);
  await own.svc.signup(asha, { hook: true });
  assert.deepEqual(timeouts.slice(5), [800, 700]);
});

test('an address moves by a sign-up with the same id, and an account ends once', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, svc } = await openClient(stack);
  const first = await svc.signup(asha);
  service.clock.now = Date.now();
  const moved = await svc.signup({ ...asha, email: 'new@example.com' });
  assert.equal(moved?.svc_uid, first?.svc_uid);
  assert.equal(await svc.byEmail(asha.email), null);
  assert.equal(await svc.leave(asha.local_user_id), true);
  assert.equal(await members(service), 0);
  assert.equal(await svc.leave(asha.local_user_id), true, 'there is nothing to end');
  assert.deepEqual(await svc.flush(), { delivered: 0, pending: 0 });
});

test('a call to end an account that waits is sent before a new sign-up with its id', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, svc, warnings, requests, trouble, late } = await openClient(stack);
  const first = await svc.signup(asha);
  // The queue may send at any moment. A clock that lags would give both calls one time, its own.
  service.clock.now = Date.now() + 60_000;
  trouble.next = broken;
  assert.equal(await svc.leave('u-1'), false);
  assert.match(warnings.join(), /end of a membership failed \(unreachable\); it will be retried/);
  trouble.next = refusing(403, 'insufficient_scope');
  assert.equal((await svc.flush()).pending, 1);
  trouble.next = null;
  const sent = requests.length;
  const requestedAt = new Date(Date.now() + 1).toISOString();
  const next = { ...asha, email: 'other@example.com', requested_at: requestedAt };
  assert.equal(await svc.signup(next), null);
  assert.equal(requests.length, sent, 'the sign-up is not sent');
  const otherUser = { ...asha, local_user_id: 'u-2', email: 'else@example.com' };
  assert.notEqual(await svc.signup(otherUser), null, 'no other user waits');
  assert.deepEqual(await svc.flush(), { delivered: 2, pending: 0 });
  const paths = requests.slice(-2).map(({ path }) => path);
  assert.deepEqual(paths, ['/members/leave', '/members/register']);
  assert.equal(late.length, 1);
  assert.notEqual(late[0]?.svc_uid, first?.svc_uid, 'the former user left');
  assert.equal(await svc.byEmail(asha.email), null);
});

test('calls to end accounts that the key has no scope for delay no registration', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc, requests, trouble } = await openClient(stack);
  trouble.next = broken;
  for (const id of ['u-1', 'u-2', 'u-3']) await svc.leave(id);
  await svc.signup({ ...asha, local_user_id: 'u-4' });
  const sent = requests.length;
  trouble.next = null;
  const unscoped = refusing(403, 'insufficient_scope');
  trouble.route = (path) => (path === '/members/leave' ? unscoped : null);
  assert.deepEqual(await svc.flush(), { delivered: 1, pending: 3 });
  const paths = requests.slice(sent).map(({ path }) => path);
  assert.deepEqual(paths, ['/members/leave', '/members/register'], 'one of three is tried');
  trouble.route = null;
  assert.deepEqual(await svc.flush(), { delivered: 4, pending: 0 });
});

test('sessions of all devices end by svc_uid, and none is valid while that call waits', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc, warnings, trouble } = await openClient(stack);
  const { svc_uid: uid } = (await svc.signup(asha))!;
  const signIn = async () =>
    (await svc.ssoLogin(asha)).map((each) => each.split(';')[0]).join('; ');
  const first = await signIn();
  assert.equal((await svc.verify(first)).sign_in_allowed, true);
  assert.equal(await svc.logoutEverywhere(uid), true);
  assert.equal((await svc.verify(first)).active, false);
  const second = await signIn();
  const out = refusing(503, 'overloaded');
  trouble.route = (path) => (path === '/auth/sso/revoke' ? out : null);
  assert.equal(await svc.logoutEverywhere(uid), false);
  assert.match(warnings.join(), /end of sessions failed/);
  assert.equal((await svc.verify(second)).active, false);
  assert.equal((await svc.me(second)).authenticated, false);
  trouble.route = null;
  assert.deepEqual(await svc.flush(), { delivered: 1, pending: 0 });
  assert.equal((await svc.verify(second)).active, false);
  const third = await signIn();
  assert.equal((await svc.verify(third)).sign_in_allowed, true);
  assert.equal(await svc.logoutEverywhere(null), true, 'a user without a member');
  assert.equal(await svc.leave('u-1'), true);
  assert.equal(await svc.logoutEverywhere(uid), true, 'an erased member');
});

test('logging out everywhere ends only this platform’s sessions of an unverified address', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, svc, requests } = await openClient(stack);
  const { svc_uid: uid } = (await svc.signup({ ...asha, email_verified: false }))!;
  service.clock.now = Date.now();
  assert.equal(await svc.logoutEverywhere(uid), true);
  const scopes = requests
    .filter(({ path }) => path === '/auth/sso/revoke')
    .map(({ body }) => (JSON.parse(body) as { scope: string }).scope);
  assert.deepEqual(scopes, ['all', 'platform']);
});

test('a server lists, grants and revokes entitlements of its members', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc } = await openClient(stack);
  const { svc_uid: uid } = (await svc.signup(asha))!;
  const until = '2040-01-01T00:00:00.000Z';
  const granted = await svc.grantEntitlement(uid, 'archive', { until });
  assert.deepEqual([granted?.entitlement.code, granted?.entitlement.until], ['archive', until]);
  await svc.grantEntitlement(uid, 'news');
  const codesAt = async (at?: string) => {
    const answer = await svc.entitlements(uid, at === undefined ? {} : { at });
    return answer?.entitlements.map(({ code }) => code);
  };
  assert.deepEqual(await codesAt(), ['archive', 'news']);
  assert.deepEqual(await codesAt(until), ['news']);
  assert.equal((await svc.revokeEntitlement(uid, 'news'))?.ended, 1);
  assert.deepEqual(await codesAt(), ['archive']);
  assert.deepEqual((await svc.byUid(uid))?.entitlements, ['archive']);
  const stranger = 'svc_aaaaaaaaaaaaaaaaaaaaaaaaaa';
  assert.equal(await svc.entitlements(stranger), null);
  assert.equal(await svc.grantEntitlement(stranger, 'archive'), null);
  await assert.rejects(svc.grantEntitlement(uid, 'No code'), { code: 'unknown_entitlement' });
});

test('a sign-up and a change of address that both wait lead to the new address', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, svc, trouble } = await openClient(stack);
  trouble.next = broken;
  const [first, second] = ['2026-11-22T09:00:00Z', '2026-11-22T09:01:00Z'];
  await svc.signup({ ...asha, requested_at: first });
  await svc.signup({ ...asha, email: 'new@example.com', requested_at: second });
  trouble.next = null;
  assert.deepEqual(await svc.flush(), { delivered: 2, pending: 0 });
  assert.equal(await svc.byEmail(asha.email), null);
  assert.notEqual(await svc.byEmail('new@example.com'), null);
  assert.equal(await members(service), 1);
});

test('users who exchange addresses while their calls wait keep their members', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, svc, trouble, late, warnings } = await openClient(stack);
  const signUp = (id: string, email: string) => svc.signup({ ...asha, local_user_id: id, email });
  const uids = [
    (await signUp('kim', 'kim@example.com'))?.svc_uid,
    (await signUp('lee', 'lee@example.com'))?.svc_uid,
  ];
  const flush = async () => {
    trouble.next = null;
    service.clock.now = Date.now();
    return svc.flush();
  };
  trouble.next = broken;
  await signUp('kim', 'lee@example.com');
  await signUp('lee', 'kim@example.com');
  await flush();
  assert.deepEqual(
    late.map((answer) => answer.svc_uid),
    uids,
  );
  assert.equal((await svc.byEmail('kim@example.com'))?.svc_uid, uids[1]);
  // The uid of another user is reported for no registration.
  trouble.next = broken;
  await signUp('park', 'kim@example.com');
  assert.equal((await flush()).pending, 0);
  assert.equal(late.length, 2);
  assert.match(warnings.at(-1) ?? '', /local_user_id_mismatch/);
});

test('an exchange is settled beside large calls and one that spoils a request', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, svc, trouble, late, requests } = await openClient(stack);
  const signUp = (id: string, email: string, extra: Readonly<Record<string, unknown>>) =>
    svc.signup({ ...asha, local_user_id: id, email, extra });
  const kim = await signUp('kim', 'kim@example.com', {});
  await signUp('lee', 'lee@example.com', {});
  trouble.next = broken;
  await signUp('kim', 'lee@example.com', {});
  await signUp('lee', 'kim@example.com', {});
  const spoiled = JSON.parse('{"__proto__":{"a":1}}') as boolean;
  await svc.signup({ ...asha, local_user_id: 'spoiled', email_verified: spoiled });
  const waitingCount = 190;
  for (let count = 0; count < waitingCount; count++) {
    await signUp(`u-${count}`, `u-${count}@example.com`, { note: 'x'.repeat(3_000) });
  }
  trouble.next = null;
  service.clock.now = Date.now();
  let report = await svc.flush();
  // One flush lasts five seconds at most.
  for (let delivered = 0; report.pending > 0 && report.delivered > delivered;) {
    delivered = report.delivered;
    report = await svc.flush();
  }
  assert.deepEqual(report, { delivered: waitingCount + 2, pending: 0 });
  assert.equal(late.length, waitingCount + 2);
  assert.equal((await svc.byEmail('lee@example.com'))?.svc_uid, kim?.svc_uid);
  const batches = requests.filter(({ path }) => path.endsWith('/batch'));
  assert.ok(batches.every(({ body }) => Buffer.byteLength(body) <= 524_288));
});

test('a fault of calls that are sent together refuses none of them and delays no other', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, svc, trouble, late } = await openClient(stack);
  const signUp = (id: string, email: string) => svc.signup({ ...asha, local_user_id: id, email });
  await signUp('kim', 'kim@example.com');
  await signUp('lee', 'lee@example.com');
  trouble.next = broken;
  await signUp('kim', 'lee@example.com');
  await signUp('lee', 'kim@example.com');
  await signUp('park', 'park@example.com');
  service.clock.now = Date.now();
  trouble.next = null;
  const faults = [broken, refusing(405, 'refused')];
  trouble.route = (path) => (path.endsWith('/batch') ? faults[0]! : null);
  assert.deepEqual(await svc.flush(), { delivered: 1, pending: 2 });
  faults.shift();
  assert.deepEqual(await svc.flush(), { delivered: 1, pending: 2 });
  trouble.route = null;
  assert.deepEqual(await svc.flush(), { delivered: 3, pending: 0 });
  assert.equal(late.length, 3);
});

test('users who exchange addresses while the service is up each have their own', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, svc, late, warnings } = await openClient(stack);
  const signUp = (id: string, email: string) => {
    service.clock.now = Date.now();
    return svc.signup({ ...asha, local_user_id: id, email });
  };
  await signUp('kim', 'kim@example.com');
  await signUp('lee', 'lee@example.com');
  assert.equal(await signUp('kim', 'lee@example.com'), null);
  // The other user may change the address minutes later.
  assert.equal((await svc.flush()).pending, 1);
  assert.equal(await signUp('lee', 'kim@example.com'), null);
  assert.equal((await svc.flush()).pending, 0);
  assert.equal(late.length, 2);
  assert.ok(warnings.every((text) => text.includes('waits for an address')));
  for (const [email, id] of [
    ['lee@example.com', 'kim'],
    ['kim@example.com', 'lee'],
  ] as const) {
    assert.equal((await svc.byEmail(email))?.membership.local_user_id, id);
  }
});

test('a change that waits for an address is given up after an hour', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  await using stack = new AsyncDisposableStack();
  const { service, svc, late, warnings } = await openClient(stack);
  await svc.signup(asha);
  await svc.signup({ ...asha, local_user_id: 'u-2', email: 'other@example.com' });
  context.mock.timers.tick(1_000);
  service.clock.now = Date.now();
  await svc.signup({ ...asha, email: 'other@example.com' });
  context.mock.timers.tick(3_590_000);
  assert.equal((await svc.flush()).pending, 1);
  context.mock.timers.tick(20_000);
  assert.equal((await svc.flush()).pending, 0);
  assert.deepEqual(late, []);
  assert.match(warnings.at(-1) ?? '', /refused \(local_user_id_mismatch\)/);
});

test('a sign-up with the address of another user is null, without the uid of that one', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc, late, warnings } = await openClient(stack);
  await svc.signup(asha);
  assert.equal(await svc.signup({ ...asha, local_user_id: 'u-2' }), null);
  assert.match(warnings.join(), /refused \(local_user_id_mismatch\)/);
  assert.deepEqual(await svc.flush(), { delivered: 0, pending: 0 });
  assert.deepEqual(late, []);
});

test('a leave during a delivery drops the sign-ups that wait behind it', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, svc, requests, trouble, late } = await openClient(stack);
  trouble.next = broken;
  for (const id of ['u-1', 'u-2', 'u-3', 'u-4']) {
    await svc.signup({ ...asha, email: `${id}@example.com`, local_user_id: id });
  }
  trouble.next = null;
  const sent = requests.length;
  const leaves: Promise<boolean>[] = [];
  const respond = () => {
    if (leaves.length === 0) leaves.push(svc.leave('u-3'));
    return fetch(`${service.address}/members/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': service.keys.books },
      body: requests[sent]!.body,
    });
  };
  trouble.route = (path) => {
    const isFirst = path === '/members/register' && leaves.length === 0;
    return isFirst ? respond : null;
  };
  assert.deepEqual(await svc.flush(), { delivered: 3, pending: 0 });
  assert.deepEqual(await Promise.all(leaves), [true]);
  assert.equal(late.length, 3);
  assert.ok(requests.slice(sent).every(({ body }) => !body.includes('u-3@')));
  assert.equal(await svc.byEmail('u-3@example.com'), null);
});

test('calls behind a fault of the service are not sent, and a delivered one waits no longer', async () => {
  await using stack = new AsyncDisposableStack();
  const stored: string[] = [];
  const outbox = {
    open: () => [],
    put: ({ id }: { readonly id: string }) => void stored.push(id),
    drop: (id: string) => void stored.splice(stored.indexOf(id), 1),
    close: () => {},
  };
  const { svc, requests, trouble } = await openClient(stack, {
    outbox,
    onRegistered: () => {
      waiting.push(stored.length);
    },
  });
  const waiting: number[] = [];
  trouble.next = broken;
  for (const id of ['u-1', 'u-2', 'u-3', 'u-4']) {
    await svc.signup({ ...asha, email: `${id}@example.com`, local_user_id: id });
  }
  trouble.next = null;
  const sent = requests.length;
  trouble.route = () => (requests.length - sent === 3 ? broken : null);
  assert.deepEqual(await svc.flush(), { delivered: 2, pending: 2 });
  assert.equal(requests.length, sent + 3);
  assert.deepEqual(waiting, [4, 3]);
  assert.deepEqual(await svc.flush(), { delivered: 4, pending: 0 });
  assert.deepEqual(stored, []);
});

test('what waits is not listed anew for each visit or each delivered sign-up', async (context) => {
  await using stack = new AsyncDisposableStack();
  const { svc, trouble } = await openClient(stack);
  const cookie = `svc_sso=svcs_${'a'.repeat(59)}`;
  const waitingCount = 300;
  trouble.next = broken;
  for (let count = 0; count < waitingCount; count++) {
    await svc.signup({ ...asha, local_user_id: `u-${count}` });
  }
  const lists = (['values', 'keys'] as const).map((name) =>
    context.mock.method(Map.prototype, name),
  );
  const listCount = () => lists.reduce((sum, { mock }) => sum + mock.callCount(), 0);
  trouble.next = () => Promise.resolve(Response.json({ active: false }));
  for (let count = 0; count < waitingCount; count++) await svc.verify(cookie);
  assert.ok(listCount() < 30, `${listCount()} lists for ${waitingCount} visits`);
  trouble.next = () => Promise.resolve(Response.json({ svc_uid: 'svc_a', warnings: [] }));
  assert.deepEqual(await svc.flush(), { delivered: waitingCount, pending: 0 });
  assert.ok(listCount() < 60, `${listCount()} lists for ${waitingCount} sign-ups`);
});

test('a leave has the time of its call, and refuses no later sign-up', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, svc, requests } = await openClient(stack);
  const before = Date.now();
  await svc.leave('u-1');
  const { requested_at: at } = JSON.parse(requests.at(-1)!.body) as { requested_at: string };
  assert.ok(Date.parse(at) >= before && Date.parse(at) <= Date.now());
  service.clock.now = Date.now();
  const earlier = { requested_at: '2026-01-02T00:00:00Z' };
  assert.equal(await svc.signup({ ...asha, ...earlier }), null, 'from before the leave');
  await svc.signup(asha);
  assert.equal(await members(service), 1);
});

test('an account that ends while its sign-up waits is not registered later', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, svc, trouble } = await openClient(stack);
  trouble.next = broken;
  await svc.signup(asha);
  await svc.signup({ ...asha, email: 'other@example.com', local_user_id: 'u-2' });
  trouble.next = null;
  assert.equal(await svc.leave(asha.local_user_id), true);
  assert.deepEqual(await svc.flush(), { delivered: 1, pending: 0 });
  assert.equal(await members(service), 1);
});

test('a permanent refusal drops a registration; a refused key keeps it queued', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc, warnings, trouble } = await openClient(stack);
  assert.equal(await svc.signup({ ...asha, email: 'no address' }), null);
  assert.equal(await svc.signup({ ...asha, platform: 'cards' }), null);
  assert.match(warnings.join(), /invalid_email.*platform_mismatch/);
  assert.deepEqual(await svc.flush(), { delivered: 0, pending: 0 });
  for (const [status, code] of [
    [401, 'revoked_api_key'],
    [403, 'insufficient_scope'],
  ] as const) {
    trouble.next = refusing(status, code);
    assert.equal(await svc.signup({ ...asha, email: `${code}@example.com` }), null);
  }
  assert.deepEqual(await svc.flush(), { delivered: 0, pending: 2 });
  trouble.next = null;
  assert.deepEqual(await svc.flush(), { delivered: 2, pending: 0 });
});

test('a failed onRegistered is called again and delays no other registration', async () => {
  await using stack = new AsyncDisposableStack();
  const registered: string[] = [];
  const { svc, trouble } = await openClient(stack, {
    onRegistered: (_, { email }) => {
      registered.push(email);
      if (registered.length === 1) throw new Error('the database is away');
    },
  });
  trouble.next = broken;
  await svc.signup(asha);
  await svc.signup({ ...asha, email: 'second@example.com', local_user_id: 'u-2' });
  trouble.next = null;
  assert.deepEqual(await svc.flush(), { delivered: 1, pending: 1 });
  assert.deepEqual(await svc.flush(), { delivered: 2, pending: 0 });
  assert.deepEqual(registered, [asha.email, 'second@example.com', asha.email]);
});

test('a refused registration is reported, at once or late, and again while that fails', async () => {
  await using stack = new AsyncDisposableStack();
  const reported: string[] = [];
  const { svc, trouble } = await openClient(stack, {
    onRefused: ({ email }, code) => {
      reported.push(`${email} ${code}`);
      if (reported.length === 1) throw new Error('the database is away');
    },
  });
  await svc.signup(asha);
  assert.equal(await svc.signup({ ...asha, email: 'no address', local_user_id: 'u-2' }), null);
  assert.deepEqual(await svc.flush(), { delivered: 0, pending: 0 });
  assert.deepEqual(reported.splice(0), Array(2).fill('no address invalid_email'));
  reported.push('');
  assert.equal(await svc.signup({ ...asha, local_user_id: 'u-3' }), null);
  const mismatch = `${asha.email} local_user_id_mismatch`;
  assert.deepEqual(reported.splice(1), [mismatch]);

  trouble.next = broken;
  await svc.signup({ ...asha, local_user_id: 'u-4' });
  trouble.next = null;
  await svc.flush();
  assert.deepEqual(reported.splice(1), [mismatch]);
});

test('data that is not JSON or beyond the bound is dropped with a warning, not thrown', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc, warnings, trouble } = await openClient(stack, { registrationsMax: 2, eventsMax: 2 });
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  assert.equal(await svc.signup({ ...asha, extra: circle }), null);
  const event = { svc_uid: 'svc_x', platform: 'books', event: 'visit' } as const;
  assert.equal(await svc.logEvent({ ...event, meta: circle }), null);
  assert.equal(await svc.logEvent({ ...event, meta: { text: 'x'.repeat(9_000) } }), null);
  assert.equal(warnings.length, 3);
  trouble.next = broken;
  for (const email of ['a@example.com', 'b@example.com', 'c@example.com']) {
    await svc.signup({ ...asha, email });
    await svc.logEvent(event);
  }
  assert.deepEqual(await svc.flush(), { delivered: 0, pending: 4 });
  assert.equal(warnings.filter((text) => text.includes('dropped')).length, 2);
});

test('events are sent in batches of 100, count once, and a refused one delays no other', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, svc, warnings, requests, trouble } = await openClient(stack);
  const { svc_uid } = (await svc.signup(asha))!;
  const event = { svc_uid, platform: 'books', event: 'visit' } as const;
  const ids = await Promise.all(Array.from({ length: 160 }, () => svc.logEvent(event)));
  assert.equal(new Set(ids).size, 160);
  await svc.logEvent({ ...event, meta: { card: '4242 4242 4242 4242' } });
  // The response is lost after the service has stored them.
  trouble.next = async () => {
    const { body } = requests.at(-1)!;
    const headers = { 'content-type': 'application/json', 'x-api-key': service.keys.books };
    await fetch(`${service.address}/members/events/batch`, { method: 'POST', headers, body });
    throw new TypeError('connection reset');
  };
  assert.deepEqual(await svc.flush(), { delivered: 0, pending: 161 });
  trouble.next = null;
  assert.deepEqual(await svc.flush(), { delivered: 160, pending: 0 });
  assert.deepEqual(
    requests
      .filter(({ path }) => path.endsWith('/batch'))
      .map(({ body }) => JSON.parse(body).events.length),
    [100, 100, 61],
  );
  assert.match(warnings.join('\n'), /forbidden_content/);
  assert.equal(await eventsHeld(service, 'visit'), 160);
});

test('a batch stays below the size limit of the service', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, svc, requests } = await openClient(stack);
  const { svc_uid } = (await svc.signup(asha))!;
  const meta = { text: 'x'.repeat(8_100) };
  for (let index = 0; index < 100; index++) {
    await svc.logEvent({ svc_uid, platform: 'books', event: 'visit', meta });
  }
  assert.deepEqual(await svc.flush(), { delivered: 100, pending: 0 });
  const batches = requests.filter(({ path }) => path.endsWith('/batch'));
  assert.equal(batches.length, 2);
  assert.ok(batches.every(({ body }) => Buffer.byteLength(body) <= 524_288));
  assert.equal(await eventsHeld(service, 'visit'), 100);
});

test('an event that makes a batch fail does not stop the others', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, svc, warnings, requests } = await openClient(stack);
  const { svc_uid } = (await svc.signup(asha))!;
  const event = { svc_uid, platform: 'books', event: 'visit' } as const;
  const spoiled: unknown = JSON.parse('{"__proto__":{"a":1}}');
  for (let index = 0; index < 20; index++) {
    await svc.logEvent(index === 13 ? { ...event, occurred_at: spoiled as string } : event);
  }
  assert.deepEqual(await svc.flush(), { delivered: 19, pending: 0 });
  assert.equal(await eventsHeld(service, 'visit'), 19);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /event was refused \(malformed_json: /);
  assert.ok(requests.length <= 12, 'it is found by halves');
});

test('close reports delivered and pending items within its time and ends the retries', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc, trouble, requests } = await openClient(stack);
  await svc.logEvent({ svc_uid: 'svc_x', platform: 'books', event: 'visit' });
  // A response that never arrives.
  trouble.next = () => new Promise(() => {});
  const hanging = svc.signup(asha);
  assert.deepEqual(await svc.close({ timeoutMs: 50 }), { delivered: 0, pending: 2 });
  assert.ok(requests.length >= 1);
  void hanging;
});

test('single sign-on returns cookies to relay, verifies, reports and ends the session', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc, warnings } = await openClient(stack);
  const { svc_uid } = (await svc.signup(asha))!;
  const cookies = await svc.ssoLogin(asha);
  assert.equal(cookies.length, 2);
  const cookie = `theme=dark; ${cookies.map((each) => each.split(';')[0]).join('; ')}`;
  assert.equal(svc.uid(cookie), svc_uid);
  const verdict = await svc.verify(cookie);
  assert.deepEqual(
    [verdict.sign_in_allowed, verdict.membership?.local_user_id],
    [true, asha.local_user_id],
  );
  const me = await svc.me(cookie);
  assert.deepEqual([me.authenticated, me.svc_uid], [true, svc_uid]);
  assert.equal(await svc.isAuthenticated(cookie), true);
  const ended = await svc.logout({ cookie, origin: 'https://books.example.com', scope: 'all' });
  assert.deepEqual([ended.ok, ended.revoked], [true, true]);
  assert.ok(ended.cookies.every((each) => each.includes('Max-Age=0')));
  assert.equal((await svc.verify(cookie)).active, false);
  assert.equal((await svc.me('theme=dark')).authenticated, false);
  assert.deepEqual(await svc.ssoLogin({ ...asha, local_user_id: 'another' }), []);
  assert.equal(warnings.length, 1);
});

test('a user whose change of address waits is signed in by no session', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, svc, trouble } = await openClient(stack);
  await svc.signup(asha);
  const cookies = await svc.ssoLogin(asha);
  service.clock.now += 60_000;
  const cookie = cookies.map((each) => each.split(';')[0]).join('; ');
  trouble.next = broken;
  await svc.signup({ ...asha, email: 'new@example.com' });
  trouble.next = null;
  const { sign_in_allowed, reason, membership } = await svc.verify(cookie);
  assert.deepEqual([sign_in_allowed, reason, membership], [false, 'no_membership', null]);
  await svc.flush();
  assert.equal((await svc.verify(cookie)).reason, 'session_ended');
});

test('sessions of two members at once are not authenticated', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc } = await openClient(stack);
  const other = { ...asha, email: 'other@example.com', local_user_id: 'u-2' };
  const pairs = [];
  for (const user of [asha, other]) {
    await svc.signup(user);
    pairs.push(...(await svc.ssoLogin(user)).map((each) => each.split(';')[0]));
  }
  assert.equal((await svc.verify(pairs.join('; '))).sign_in_allowed, false);
});

test('only the session cookie of a request is forwarded', async () => {
  await using stack = new AsyncDisposableStack();
  const service = await openService(stack);
  const sent: unknown[] = [];
  const svc = createSvc({
    membersUrl: service.address,
    apiKey: service.keys.books,
    fetch: (_, init) => {
      sent.push(init?.headers);
      return Promise.resolve(Response.json({ authenticated: false, svc_uid: null, member: null }));
    },
  });
  const own = `svc_sso=svcs_${'a'.repeat(59)}`;
  const junk = 'svc_sso=junk; '.repeat(9);
  await svc.me(`session=of-the-platform; ${junk}${own}; svc_uid=svc_b`);
  assert.deepEqual(sent, [{ cookie: own }]);
});

test('members are found by address and uid, and an absent one is null', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc } = await openClient(stack);
  const { svc_uid } = (await svc.signup(asha))!;
  assert.equal((await svc.byEmail('ASHA@example.com'))?.svc_uid, svc_uid);
  assert.equal((await svc.byUid(svc_uid))?.membership.local_user_id, 'u-1');
  assert.equal(await svc.byEmail('absent@example.com'), null);
  assert.equal(await svc.byUid('svc_absent'), null);
  await assert.rejects(svc.byEmail('no address'), (error) => {
    assert.ok(error instanceof SvcError);
    assert.deepEqual([error.status, error.code, error.retryable], [422, 'invalid_email', false]);
    return true;
  });
});

test('a server gets statistics', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc } = await openClient(stack);
  await svc.signup(asha);
  assert.equal((await svc.statsCrossPlatform()).time_zone, 'Asia/Seoul');
  assert.equal((await svc.statsNorthStar({ weeks: 2 })).weeks.length, 2);
});

test('a warning about a refused key contains the advice of the service', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc, warnings } = await openClient(stack, { apiKey: 'svck_live_unknown' });
  assert.equal(await svc.signup(asha), null);
  assert.deepEqual(await svc.ssoLogin(asha), []);
  assert.match(
    warnings[0]!,
    /^svc: a registration failed \(invalid_api_key: .+\); it will be retried\.$/,
  );
  assert.match(warnings[1]!, /^svc: no single sign-on .*\(invalid_api_key: .+\)\.$/);
});

test('the package refuses to run in a page', (context) => {
  const options = { membersUrl: 'http://127.0.0.1:1', apiKey: 'svck_secret' };
  context.after(() => Reflect.deleteProperty(globalThis, 'document'));
  Object.assign(globalThis, { document: {} });
  assert.throws(
    () => createSvc(options),
    ({ message }: Error) => message.includes('sdk.js') && !message.includes('svck_secret'),
  );
});

test('unusable options are refused at once, without repeating the key', () => {
  const membersUrl = 'http://127.0.0.1:1';
  assert.throws(() => createSvc({ membersUrl: 'id.example.com', apiKey: 'svck_x' }), /membersUrl/);
  assert.throws(
    () => createSvc({ membersUrl, apiKey: 'topsecret' }),
    ({ message }: Error) => message.includes('apiKey is no') && !message.includes('topsecret'),
  );
  // A missing environment variable in JavaScript.
  const environment: Record<string, string> = {};
  const apiKey = environment['KEY'] as string;
  assert.throws(() => createSvc({ membersUrl, apiKey }), /^TypeError: apiKey is not set: .*svck_/);
});

test('a response of another server counts as unreachable', async () => {
  await using stack = new AsyncDisposableStack();
  const { svc, trouble } = await openClient(stack);
  trouble.next = () => Promise.resolve(new Response('<h1>Hotel Wi-Fi</h1>'));
  assert.equal(await svc.signup(asha), null);
  await assert.rejects(svc.byEmail(asha.email), { status: 0, code: 'unreachable' });
  trouble.next = () => Promise.resolve(Response.json({ status: 'up' }));
  assert.deepEqual(await svc.flush(), { delivered: 0, pending: 1 });
  trouble.next = () => Promise.resolve(Response.json(null));
  assert.deepEqual(await svc.flush(), { delivered: 0, pending: 1 });
  trouble.next = null;
  assert.deepEqual(await svc.flush(), { delivered: 1, pending: 0 });
});
