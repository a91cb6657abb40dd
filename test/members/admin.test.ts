import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { adminContract } from '../../src/contract/admin.ts';
import { createServerContext } from '../../src/kernel/http/server-context.ts';
import type { Route } from '../../src/contract/route.ts';
import { silentLog } from '../../src/kernel/log.ts';
import type { Collections } from '../../src/admin/api/call.ts';
import { createAdminApi } from '../../src/admin/api/app.ts';
import {
  sendRequest,
  sendAsServer,
  openFixture,
  type TestResponse,
  type MembersFixture,
} from '../fixtures/members.ts';
import { recordBackup } from '../../src/members/backup-time.ts';
import { revokeKey } from '../../src/members/keys.ts';
import { Problem } from '../../src/kernel/problem.ts';
import { firstTokenOf, openOperators, passphrase, signInFirst } from '../fixtures/operators.ts';
import { addWebhookEndpoint } from '../../src/members/webhooks.ts';
import { createAdminSite } from '../../src/admin/pages/site.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function openAdmin(fixture: MembersFixture, folder: string) {
  const clock = { now: Date.now() };
  const operators = await openOperators(fixture.context, folder, () => clock.now);
  const { router } = createAdminApi({
    context: fixture.context,
    server: createServerContext(silentLog),
    operators,
    data: folder,
  });
  return { router, operators, clock };
}

async function signIn(
  admin: Awaited<ReturnType<typeof openAdmin>>,
): Promise<Record<string, string>> {
  const body = { token: await firstTokenOf(admin.operators), name: 'hana', passphrase };
  const answer = await sendRequest(admin, 'POST', '/api/sign-in', here, body);
  assert.equal(answer.status, 200, answer.text);
  const [cookie] = answer.headers.getSetCookie();
  assert.match(
    cookie!,
    /^__Host-maru_admin=svco_[a-z2-7]+; Path=\/; Max-Age=28800; Secure; HttpOnly; SameSite=Strict$/,
  );
  return { ...here, cookie: cookie!.split(';')[0]! };
}

const place = { address: '127.0.0.1' };
const here = { host: '127.0.0.1:3001' };

function completedRuns(): ReturnType<Collections> {
  return [
    {
      axis: 'file_1',
      origin: 'portal',
      state: 'done',
      asked_at: '2026-11-20T00:00:00Z',
      finished_at: null,
      rows: 3,
      requests: '1/1',
      requests_sent: 1,
      requests_planned: 1,
      progressed_at: null,
      message: null,
      findings: [],
    },
  ];
}

async function register(fixture: MembersFixture): Promise<string> {
  const user = { email: 'asha@example.com', platform: 'books', local_user_id: 'u-1' };
  const { body } = await sendAsServer(
    fixture,
    'POST',
    '/members/register',
    fixture.keys.books,
    user,
  );
  return String(body['svc_uid']);
}

test('every row of the operator’s interface refuses callers without a session and other sites', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const admin = await openAdmin(fixture, folder.path);
  const signedIn = await signIn(admin);
  for (const [name, row] of Object.entries<Route>(adminContract)) {
    const path = row.path.replace(/\{\w+\}/g, 'x');
    const body = row.body === undefined ? undefined : { reason: 'a test' };
    const anonymous = await sendRequest(admin, row.method, path, here, body);
    assert.equal(anonymous.body['code'], 'session_required', name);
    const byKey = await sendRequest(
      admin,
      row.method,
      path,
      { ...here, 'x-api-key': fixture.keys.operator },
      body,
    );
    assert.equal(byKey.body['code'], 'session_required', name);
    const strangers: Record<string, string>[] = [
      { ...signedIn, origin: 'https://evil.test' },
      { ...signedIn, origin: 'null' },
      { ...signedIn, 'sec-fetch-site': 'same-site' },
      { ...signedIn, host: 'rebound.evil.test:3001' },
    ];
    for (const stranger of strangers) {
      const refused = await sendRequest(admin, row.method, path, stranger, body);
      assert.equal(refused.body['code'], 'csrf_rejected', `${name} ${JSON.stringify(stranger)}`);
    }
    const allowed = await sendRequest(admin, row.method, path, signedIn, body);
    assert.notEqual(allowed.status, 401, name);
    assert.ok(allowed.status < 500, `${name}: ${allowed.text}`);
  }
});

test('the overview counts a registration as a journey event', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const admin = await openAdmin(fixture, folder.path);
  const headers = await signIn(admin);
  const before = await sendRequest(admin, 'GET', '/api/overview', headers);
  assert.equal(before.body['total_journey_events'], 0);
  await register(fixture);
  const after = await sendRequest(admin, 'GET', '/api/overview', headers);
  assert.equal(Object.keys(after.body)[0], 'total_journey_events');
  assert.equal(after.body['total_journey_events'], 1);
  assert.deepEqual(after.body['by_event'], { register: 1 });
});

test('weeks of the overview run from Monday to Sunday in Seoul and end with the current one', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const admin = await openAdmin(fixture, folder.path);
  const headers = await signIn(admin);
  // The last minute of a Sunday in Seoul.
  fixture.clock.now = Date.parse('2026-11-22T23:59:00+09:00');
  await register(fixture);
  const weeks = async () => {
    const { body } = await sendRequest(admin, 'GET', '/api/overview', headers);
    return body['events_by_week'] as { from: string; registrations: number }[];
  };
  const onSunday = await weeks();
  assert.equal(onSunday.length, 12);
  assert.deepEqual(onSunday.at(-1), {
    from: '2026-11-16',
    events: 1,
    registrations: 1,
    by_event: { register: 1 },
    by_platform: { books: 1 },
  });
  fixture.clock.now += 60_000;
  const onMonday = await weeks();
  assert.deepEqual(onMonday.at(-1), {
    from: '2026-11-23',
    events: 0,
    registrations: 0,
    by_event: {},
    by_platform: {},
  });
  assert.deepEqual(onMonday.at(-2), onSunday.at(-1));
});

test('a timeline is read page by page without gaps or repeats while events arrive', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const admin = await openAdmin(fixture, folder.path);
  const headers = await signIn(admin);
  const uid = await register(fixture);
  const send = async (from: number, to: number) => {
    const events = Array.from({ length: to - from }, (_, at) => ({
      svc_uid: uid,
      platform: 'books',
      event: 'visit',
      event_id: `v${from + at}`,
    }));
    await sendAsServer(fixture, 'POST', '/members/events/batch', fixture.keys.books, { events });
  };
  await send(0, 100);
  await send(100, 129);
  const seen: string[] = [];
  let path: string | null = `/api/members/${uid}/timeline`;
  while (path !== null) {
    const { body }: TestResponse = await sendRequest(admin, 'GET', path, headers);
    seen.push(...(body['items'] as { event_id: string }[]).map(({ event_id: id }) => id));
    await send(200 + seen.length, 201 + seen.length);
    const next = body['next_cursor'] as string | null;
    path = next === null ? null : `/api/members/${uid}/timeline?before=${next}`;
  }
  const expected = Array.from({ length: 129 }, (_, at) => `v${128 - at}`);
  assert.deepEqual(seen.slice(0, -1), expected);
  assert.equal(seen.length, 130);
  const shown = await sendRequest(admin, 'GET', `/api/members/${uid}`, headers);
  assert.notEqual(shown.body['timeline_cursor'], null);
});

test('limits, sessions, collection runs and storage are shown', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { context } = fixture;
  const operators = await openOperators(context, folder.path);
  const { router } = createAdminApi({
    context,
    server: createServerContext(silentLog),
    operators,
    data: folder.path,
    rateScale: 2,
    collections: completedRuns,
  });
  const token = await signInFirst(operators);
  const headers = { ...here, cookie: `__Host-maru_admin=${token}` };
  await register(fixture);
  const user = { email: 'asha@example.com', platform: 'books', local_user_id: 'u-1' };
  await sendAsServer(fixture, 'POST', '/auth/sso/issue', fixture.keys.books, user);
  const overview = await sendRequest({ router }, 'GET', '/api/overview', headers);
  assert.equal(overview.body['sessions'], 1);
  const limits = await sendRequest({ router }, 'GET', '/api/limits', headers);
  const items = limits.body['items'] as { name: string; calls: number }[];
  assert.deepEqual(
    items.find(({ name }) => name === 'register'),
    { name: 'register', calls: 12_000, window_s: 60 },
  );
  assert.ok(items.some(({ name }) => name === 'bad_keys'));
  const runs = await sendRequest({ router }, 'GET', '/api/collections', headers);
  assert.deepEqual(runs.body['items'], completedRuns());
  mkdirSync(join(folder.path, 'members'));
  writeFileSync(join(folder.path, 'members/members.db'), 'x'.repeat(1_000));
  const { body: storage } = await sendRequest({ router }, 'GET', '/api/storage', headers);
  assert.equal(storage['members_bytes'], 1_000);
  assert.ok(Number(storage['free_bytes']) > 0);
  assert.ok(Number(storage['disk_bytes']) >= Number(storage['free_bytes']));
  assert.equal(storage['last_backup_at'], null);
  recordBackup(join(folder.path, 'members'), Date.parse('2026-11-20T01:02:03Z'));
  const { body: later } = await sendRequest({ router }, 'GET', '/api/storage', headers);
  assert.equal(later['last_backup_at'], '2026-11-20T01:02:03.000Z');
});

test('every change needs a reason and is in the audit log with its operator', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const admin = await openAdmin(fixture, folder.path);
  const headers = await signIn(admin);
  const uid = await register(fixture);
  const post = (path: string, body: object): Promise<TestResponse> =>
    sendRequest(admin, 'POST', path, headers, body);
  const changes = Object.values<Route>(adminContract)
    .filter(({ body }) => body !== undefined)
    // An operator gives no reason for changes of their own account.
    .filter(({ path }) => path !== '/api/members/search' && !path.startsWith('/api/account/'));
  for (const { method, path } of changes) {
    const full = path.replace('{svc_uid}', uid).replace(/\{\w+\}/g, '1');
    const body = {
      scopes: ['stats:read'],
      url: 'https://a.example.com',
      types: [],
      from: uid,
      into: uid,
      tier: 'GOLD',
      code: 'x1',
      platform: 'books',
    };
    const refused = await sendRequest(admin, method, full, headers, body);
    assert.equal(refused.status, 422, path);
  }
  const reason = 'requested by phone';
  const shown = await sendRequest(admin, 'GET', `/api/members/${uid}`, headers);
  assert.doesNotMatch(shown.text, /asha@example\.com/);
  const revealed = await post(`/api/members/${uid}/reveal`, { reason });
  assert.equal(revealed.body['email'], 'asha@example.com');
  const key = await post('/api/keys', { platform: 'books', scopes: ['stats:read'], reason });
  assert.match(String(key.body['key']), /^svck_live_/);
  const erased = await post(`/api/members/${uid}/erase`, { reason });
  assert.match(String(erased.body['receipt_id']), /^rcp_/);
  const audit = await sendRequest(admin, 'GET', '/api/audit', headers);
  const rows = audit.body['items'] as { actor: string; action: string; reason: string }[];
  const own = rows.filter(({ actor }) => actor === 'operator:hana');
  assert.deepEqual(
    own.map(({ action }) => action),
    ['address_revealed', 'key_issued', 'member_erased'],
  );
  assert.ok(own.every((row) => row.reason === reason));
  const verdict = await sendRequest(admin, 'GET', '/api/audit/verification', headers);
  assert.equal(verdict.body['intact'], true);
});

test('overlap hours and webhook addresses are accepted up to their bounds and not beyond', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const admin = await openAdmin(fixture, folder.path);
  const headers = await signIn(admin);
  const post = (path: string, body: object): Promise<TestResponse> =>
    sendRequest(admin, 'POST', path, headers, { ...body, reason: 'a test' });
  let kid = fixture.keys.books.split('_')[2]!;
  const rotate = (hours: unknown) => post(`/api/keys/${kid}/rotate`, { overlap_hours: hours });
  for (const hours of [721, -1, 'soon', ' ', true, [5], {}]) {
    const refused = await rotate(hours);
    assert.deepEqual(
      [refused.status, refused.body['code']],
      [422, 'validation_failed'],
      JSON.stringify(hours),
    );
  }
  // An empty field is a day, never an immediate end. A key is rotated once.
  for (const [hours, given] of [
    [720, 720],
    ['24', 24],
    ['', 24],
  ] as const) {
    assert.equal((await rotate(hours)).status, 200, JSON.stringify(hours));
    const key = (await fixture.context.store.read.keys.byId(kid))!;
    assert.equal(key.expiresAt, fixture.clock.now + given * 3_600_000);
    kid = key.replacedBy!;
  }
  const url = 'https://hooks.example.com/';
  const types = ['member.erased', 'member.erased'];
  const longest = url.padEnd(2_048, 'x');
  for (const wrong of [
    { url, types: [] },
    { url: `${longest}x`, types },
  ]) {
    assert.equal((await post('/api/webhooks', wrong)).body['code'], 'validation_failed');
  }
  assert.equal((await post('/api/webhooks', { url: longest, types })).status, 200);
  const shown = await sendRequest(admin, 'GET', '/api/webhooks', headers);
  assert.match(shown.text, /"url":"https:\/\/hooks\.example\.com/);
  assert.doesNotMatch(shown.text, /whsec_/);
  const [added] = await fixture.context.store.read.webhooks.endpoints();
  assert.deepEqual([added?.types, added?.platformId], [['member.erased'], null]);
  assert.equal((await post('/api/webhooks', { url, types, platform: 'books' })).status, 200);
  const { text } = await sendRequest(admin, 'GET', '/api/webhooks', headers);
  assert.match(text, /"platform":"books","url":"https:\/\/hooks\.example\.com\/"/);
  const unknown = await post('/api/webhooks', { url, types, platform: 'absent' });
  assert.equal(unknown.body['code'], 'unknown_platform');
});

test('keys beyond a page are read page by page', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const admin = await openAdmin(fixture, folder.path);
  const headers = await signIn(admin);
  const issued: string[] = [];
  for (let count = 0; count < 220; count++) {
    const kid = (await fixture.issue('books', [])).split('_')[2]!;
    // A revoked key makes room for the next.
    await revokeKey(fixture.context, kid, { actor: 'operator:test', reason: 'the test' });
    issued.push(kid);
  }
  const seen: string[] = [];
  let path = '/api/keys';
  for (let page = 0; page < 3 && path !== ''; page++) {
    const { body } = await sendRequest(admin, 'GET', path, headers);
    const items = body['items'] as { kid: string }[];
    seen.push(...items.map(({ kid }) => kid));
    const next = body['next_cursor'] as string | null;
    path = next === null ? '' : `/api/keys?after=${next}`;
  }
  assert.equal(path, '');
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual(
    issued.filter((kid) => !seen.includes(kid)),
    [],
  );
  assert.equal((await sendRequest(admin, 'GET', '/api/keys?after=nothing', headers)).status, 404);
});

test('webhook messages beyond a page are read page by page', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const admin = await openAdmin(fixture, folder.path);
  const headers = await signIn(admin);
  const operator = { actor: 'operator:test', reason: 'the test' };
  const types = ['member.created'] as const;
  await addWebhookEndpoint(fixture.context, 'https://a.example.com', types, operator);
  for (let count = 0; count < 101; count++) {
    const user = { email: `m${count}@example.com`, platform: 'books', local_user_id: `u${count}` };
    await sendAsServer(fixture, 'POST', '/members/register', fixture.keys.books, user);
  }
  const first = await sendRequest(admin, 'GET', '/api/webhooks', headers);
  assert.equal((first.body['messages'] as unknown[]).length, 100);
  const path = `/api/webhooks?before=${String(first.body['next_cursor'])}`;
  const { body } = await sendRequest(admin, 'GET', path, headers);
  assert.deepEqual(
    (body['messages'] as { id: number }[]).map(({ id }) => id),
    [1],
  );
  assert.equal(body['next_cursor'], null);
});

test('a webhook without message types is refused, and the answer names the field', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const admin = await openAdmin(fixture, folder.path);
  const headers = await signIn(admin);
  const reason = 'the test';
  for (const [field, body] of [
    ['types', { url: 'https://a.example.com', types: [], reason }],
    ['url', { url: 'http://a.example.com', types: ['member.created'], reason }],
  ] as const) {
    const answer = await sendRequest(admin, 'POST', '/api/webhooks', headers, body);
    assert.equal(answer.status, 422);
    assert.equal((answer.body['errors'] as { pointer: string }[])[0]?.pointer, `/${field}`);
  }
});

test('a key is listed as live, ending, expired or revoked', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const admin = await openAdmin(fixture, folder.path);
  const headers = await signIn(admin);
  const statusOf = async (kid: string) => {
    const { body } = await sendRequest(admin, 'GET', '/api/keys', headers);
    return (body['items'] as { kid: string; status: string }[]).find((key) => key.kid === kid)
      ?.status;
  };
  const kid = (await fixture.issue('books', [])).split('_')[2]!;
  assert.equal(await statusOf(kid), 'live');
  const rotation = { overlap_hours: 1, reason: 'the test' };
  const rotated = await sendRequest(admin, 'POST', `/api/keys/${kid}/rotate`, headers, rotation);
  assert.equal(await statusOf(kid), 'ending');
  fixture.clock.now += 3_600_000;
  assert.equal(await statusOf(kid), 'expired');
  const next = String(rotated.body['kid']);
  await revokeKey(fixture.context, next, { actor: 'operator:test', reason: 'the test' });
  assert.equal(await statusOf(next), 'revoked');
});

test('the one-time token works once; sessions end after 8 hours or 30 idle minutes', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const admin = await openAdmin(fixture, folder.path);
  const token = await firstTokenOf(admin.operators);
  const headers = await signIn(admin);
  const again = await sendRequest(admin, 'POST', '/api/sign-in', here, {
    token,
    name: 'eve',
    passphrase,
  });
  assert.equal(again.status, 401);
  const status = async () => (await sendRequest(admin, 'GET', '/api/session', headers)).status;
  assert.equal(await status(), 200);
  admin.clock.now += 29 * 60_000;
  assert.equal(await status(), 200);
  admin.clock.now += 30 * 60_000;
  assert.equal(await status(), 401);
  // A page that updates itself keeps no session alive.
  const { token: watched } = await admin.operators.signIn({ name: 'hana', passphrase }, place);
  admin.clock.now += 20 * 60_000;
  const watching = { ...here, cookie: `__Host-maru_admin=${watched}` };
  const shown = await sendRequest(admin, 'GET', '/api/session?live=0', watching);
  assert.equal(shown.status, 200);
  admin.clock.now += 20 * 60_000;
  assert.equal((await sendRequest(admin, 'GET', '/api/session', watching)).status, 401);
  // Eight hours end an active session, too.
  const { token: busy } = await admin.operators.signIn({ name: 'hana', passphrase }, place);
  for (let minutes = 0; minutes < 8 * 60; minutes += 20) {
    assert.equal((await admin.operators.signedIn(busy))?.name, 'hana');
    admin.clock.now += 20 * 60_000;
  }
  assert.equal(await admin.operators.signedIn(busy), null);
  assert.equal(await admin.operators.firstTokenPath(), null);
  assert.equal(existsSync(join(folder.path, 'first-operator.token')), false);
});

test('wrong passphrases lead to longer and longer waits, never to a permanent one', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const admin = await openAdmin(fixture, folder.path);
  await signIn(admin);
  const attempt = async (word: string) =>
    sendRequest(admin, 'POST', '/api/sign-in', here, { name: 'hana', passphrase: word });
  for (let i = 0; i < 3; i++) assert.equal((await attempt('wrong')).status, 401);
  const hurried = await attempt(passphrase);
  assert.equal(hurried.status, 429);
  assert.equal(hurried.headers.get('retry-after'), '1');
  admin.clock.now += 300_000;
  assert.equal((await attempt(passphrase)).status, 200);
});

test('a clock set back by a day extends neither a wait nor a session', async (t) => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-20T12:00:00Z') });
  const operators = await openOperators(fixture.context, folder.path);
  const token = await signInFirst(operators);
  for (let i = 0; i < 3; i++)
    await assert.rejects(operators.signIn({ name: 'hana', passphrase: 'wrong' }, place));
  t.mock.timers.setTime(Date.parse('2026-11-19T12:00:00Z'));
  await operators.signIn({ name: 'hana', passphrase }, place).catch((error: unknown) => {
    assert.ok(error instanceof Problem && error.retryAfterS === 1, String(error));
  });
  t.mock.timers.setTime(Date.parse('2026-11-21T12:00:00Z'));
  assert.equal((await operators.signedIn(token))?.name, 'hana');
});

test('concurrent sign-ins run one by one, so that the backoff counts every failure', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const admin = await openAdmin(fixture, folder.path);
  await signIn(admin);
  const attempts = Array.from({ length: 20 }, async (_, at) => {
    const body = { name: 'hana', passphrase: `wrong ${at}` };
    return (await sendRequest(admin, 'POST', '/api/sign-in', here, body)).status;
  });
  const statuses = await Promise.all(attempts);
  assert.equal(statuses.filter((status) => status === 401).length, 3);
  assert.equal(statuses.filter((status) => status === 429).length, 17);
});

test('a refused action explains itself in the operator’s language and names the field', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const admin = await openAdmin(fixture, folder.path);
  const headers = await signIn(admin);
  const kid = fixture.keys.books.split('_')[2]!;
  await revokeKey(fixture.context, kid, { actor: 'operator:test', reason: 'the test' });
  const refusals = [
    [
      '/api/platforms',
      { code: 'books', origins: ['books.example.com'] },
      /http 또는 https/,
      /http or https/,
    ],
    ['/api/platforms', { code: 'books', realm: 'other' }, /회원 영역은 main에서/, /cannot move/],
    ['/api/platforms', { code: 'B', disabled: 'x' }, /코드는 영어 소문자로/, /The code must/],
    [`/api/keys/${kid}/rotate`, {}, /폐기된 키/, /is revoked/],
  ] as const;
  for (const [path, body, korean, english] of refusals) {
    for (const [language, pattern] of [
      ['ko', korean],
      ['en', english],
    ] as const) {
      const sent = { ...body, reason: 'a test' };
      const own = { ...headers, 'accept-language': language };
      const refused = await sendRequest(admin, 'POST', path, own, sent);
      assert.equal(refused.status, 422, refused.text);
      assert.match(String(refused.body['detail']), pattern);
      if (language === 'en') assert.doesNotMatch(refused.text, /[가-힣]/);
    }
  }
  const { body } = await sendRequest(admin, 'POST', '/api/platforms', headers, {
    code: 'B',
    reason: 'x',
  });
  assert.deepEqual(
    (body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer),
    ['/code'],
  );
});

test('a form for an unknown action is answered 404, including inherited property names', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const admin = await openAdmin(fixture, folder.path);
  const headers = await signIn(admin);
  const { operators } = admin;
  const router = createAdminSite({
    context: fixture.context,
    server: createServerContext(silentLog),
    operators,
    data: folder.path,
  });
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const name of ['toString', 'constructor', '__proto__', 'nothing']) {
    const answer = await sendRequest(
      { router },
      'POST',
      `/actions/${name}`,
      { ...headers, ...type },
      'reason=x',
    );
    assert.equal(answer.status, 404, name);
  }
});

test('a search by an address leads to its member, and also lists members that gave it up', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const admin = await openAdmin(fixture, folder.path);
  const headers = await signIn(admin);
  const { operators } = admin;
  const { context } = fixture;
  const server = createServerContext(silentLog);
  const router = createAdminSite({ context, server, operators, data: folder.path });
  const join = (platform: 'books' | 'cards', email: string, id: string) =>
    sendAsServer(fixture, 'POST', '/members/register', fixture.keys[platform], {
      platform,
      email,
      local_user_id: id,
    });
  const search = () => {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const own = { ...headers, ...type };
    return sendRequest({ router }, 'POST', '/search', own, 'who=old%40example.com');
  };
  await join('books', 'old@example.com', 'b1');
  const { body: former } = await join('cards', 'old@example.com', 'c1');
  const page = `/members/${String(former['svc_uid'])}`;
  assert.equal((await search()).headers.get('location'), page);
  await join('books', 'new@example.com', 'b1');
  assert.equal((await search()).headers.get('location'), page);
  const { body: next } = await join('books', 'old@example.com', 'b2');
  const found = await search();
  assert.equal(found.status, 200);
  const links = [...found.text.matchAll(/href="(\/members\/svc_[^"]*)"/g)].map(([, href]) => href);
  assert.deepEqual(links, [`/members/${String(next['svc_uid'])}`, page]);
});
