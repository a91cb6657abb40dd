import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { startServer } from '../../src/kernel/http/server.ts';
import type { GuardedRoute } from '../../src/contract/route.ts';
import { membersContract } from '../../src/contract/members.ts';
import { limits } from '../../src/kernel/http/limits.ts';
import { UnsafeSettingsError } from '../../src/kernel/settings.ts';
import { newCheckedSecret } from '../../src/members/checked-secret.ts';
import { membersConfig } from '../../src/members/http/members-config.ts';
import {
  sendRequest,
  sendAsPage,
  sendAsServer,
  fixtureSettings,
  openFixture,
  sessionCookie,
  type TestResponse,
  type MembersFixture,
} from '../fixtures/members.ts';
import { verifyAudit } from '../../src/members/verify-audit.ts';
import { rotateKey } from '../../src/members/keys.ts';
import { runMaru } from '../end-to-end/run-maru.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const asha = { email: 'asha@example.com', platform: 'books', local_user_id: 'u-1' };
const books = 'https://books.example.com';

async function signIn(fixture: MembersFixture, user: typeof asha): Promise<TestResponse> {
  const key = fixture.keys[user.platform as 'books'];
  await sendAsServer(fixture, 'POST', '/members/register', key, user);
  return sendAsServer(fixture, 'POST', '/auth/sso/issue', key, user);
}

test('T5: a preflight never allows the key, and a key sent by a page is refused and flagged', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const preflight = await sendRequest(fixture, 'OPTIONS', '/members/register', {
    origin: books,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,x-api-key',
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-origin'), books);
  assert.doesNotMatch(preflight.headers.get('access-control-allow-headers') ?? '', /api-key/i);
  const headers = { origin: books, 'x-api-key': fixture.keys.books };
  const refused = await sendRequest(fixture, 'POST', '/members/register', headers, asha);
  assert.equal(refused.status, 401);
  assert.equal(refused.body['code'], 'browser_call_refused');
  assert.equal(refused.headers.get('access-control-allow-origin'), books);
  const key = await fixture.context.store.read.keys.byId(fixture.keys.books.split('_')[2]!);
  assert.notEqual(key?.browserSeenDay, null);
});

test('T7: each header that marks a browser is refused on routes for servers, even with a key', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const signs: Record<string, string>[] = [
    { origin: 'null' },
    { origin: books },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-dest': 'iframe' },
    { 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-mode': 'websocket' },
  ];
  for (const [, row] of Object.entries<GuardedRoute>(membersContract)) {
    if (row.callers.includes('browser')) continue;
    const path = row.path.replace('{svc_uid}', 'svc_x').replace('{platform}', 'books');
    for (const sign of signs) {
      const headers = { ...sign, 'x-api-key': fixture.keys.books };
      const answer = await sendRequest(
        fixture,
        row.method,
        path,
        headers,
        row.body === undefined ? undefined : {},
      );
      assert.equal(answer.status, 401, `${path} ${JSON.stringify(sign)}`);
      assert.equal(answer.body['code'], 'browser_call_refused');
    }
  }
});

test('T8: requests without a registered origin, JSON or the header change nothing', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const cookie = sessionCookie(await signIn(fixture, asha));
  const good = {
    origin: books,
    'x-svc-client': 'test',
    cookie,
    'content-type': 'application/json',
  };
  const bad: [headers: Record<string, string>, lacks: string][] = [
    [{ ...good, origin: 'https://evil.test' }, 'a registered origin'],
    [{ ...good, 'content-type': 'text/plain' }, 'Content-Type'],
    [{ ...good, 'content-type': 'application/x-www-form-urlencoded' }, 'Content-Type'],
    [{ cookie, origin: books }, 'x-svc-client'],
    [{ cookie, 'x-svc-client': 'test', 'sec-fetch-site': 'same-site' }, 'a registered origin'],
    [{ cookie, 'x-svc-client': 'test', 'sec-fetch-site': 'cross-site' }, 'a registered origin'],
  ];
  for (const [headers, lacks] of bad) {
    for (const path of ['/auth/logout', '/members/events']) {
      const answer = await sendRequest(
        fixture,
        'POST',
        path,
        { ...headers, 'accept-language': 'en' },
        '{}',
      );
      assert.equal(answer.body['code'], 'csrf_rejected', JSON.stringify(headers));
      assert.match(String(answer.body['detail']), new RegExp(`This request lacks: .*${lacks}`));
    }
  }
  const me = await sendAsPage(fixture, 'GET', '/auth/me', { origin: books, cookie });
  assert.equal(me.body['authenticated'], true);
});

test('T9, T10: only exactly registered origins may read, and no answer has a wildcard', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const cookie = sessionCookie(await signIn(fixture, asha));
  const strangers = [
    'https://evil.example.com',
    'https://example.com',
    'https://books.example.com.evil.io',
    'https://evilbooks.example.com',
    'https://xn--books.example.com',
    'http://books.example.com',
    'https://books.example.com:8443',
    'https://books.example.com:443',
    'https://BOOKS.example.com',
    'https://books.example.com.',
    'https://books.example.com/',
    'https://books.example.com@evil.io',
    'https://books.example.com, https://evil.io',
    ' https://books.example.com.evil',
    'https://bооks.example.com'.normalize('NFC').replace(/[^\x20-\x7e]/g, '%'),
    'null',
    'file://',
    'chrome-extension://abc',
    '*',
    '',
  ];
  for (const origin of strangers) {
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await sendRequest(fixture, method, '/auth/me', { origin, cookie });
      assert.equal(answer.headers.get('access-control-allow-origin'), null, origin);
      assert.equal(answer.headers.get('access-control-allow-credentials'), null, origin);
      assert.match(answer.headers.get('vary') ?? '', /Origin/);
    }
    const out = await sendRequest(
      fixture,
      'POST',
      '/auth/logout',
      { origin, cookie, 'x-svc-client': '1' },
      {},
    );
    assert.equal(out.status, 403, origin);
  }
});

test('T17: a platform other than the key’s is refused on every route with a platform', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  // Every property that any of the routes requires.
  const required = {
    event: 'visit',
    hashes: [],
    event_id: 'e-1',
    svc_uid: 'svc_x',
    token: 'svcs_x',
  };
  const body = { ...asha, ...required, platform: 'cards' };
  const bodies: Readonly<Record<string, readonly [path: string, body: object | undefined]>> = {
    register: ['/members/register', body],
    registerBatch: ['/members/register/batch', { registrations: [body, body] }],
    reconcile: ['/members/reconcile', body],
    changeMembership: [
      '/members/svc_x/memberships/cards',
      { ...body, expected_local_user_id: null },
    ],
    endMembership: ['/members/svc_x/memberships/cards', undefined],
    leave: ['/members/leave', body],
    exportMember: ['/members/svc_x/export?platform=cards', undefined],
    eraseMember: ['/members/svc_x?platform=cards', undefined],
    event: ['/members/events', body],
    eventBatch: ['/members/events/batch', { events: [body, body] }],
    cardIssued: ['/bridges/card/events', body],
    issue: ['/auth/sso/issue', body],
    verify: ['/auth/sso/verify', body],
    revoke: ['/auth/sso/revoke', body],
    lookup: ['/members/lookup', body],
    member: ['/members/svc_x?platform=cards', undefined],
    entitlements: ['/members/svc_x/entitlements?platform=cards', undefined],
    grantEntitlement: ['/members/svc_x/entitlements/archive?platform=cards', {}],
    revokeEntitlement: ['/members/svc_x/entitlements/archive?platform=cards', undefined],
    consents: ['/members/svc_x/consents?platform=cards', undefined],
    giveConsent: ['/members/svc_x/consents/ads?platform=cards', {}],
    withdrawConsent: ['/members/svc_x/consents/ads?platform=cards', undefined],
  };
  const takesNone = ['crossPlatform', 'northStar'];
  const rows = Object.entries<GuardedRoute>(membersContract);
  for (const [name, row] of rows.filter(([, { callers }]) => callers.includes('server'))) {
    if (takesNone.includes(name)) continue;
    const call = bodies[name];
    assert.ok(call !== undefined, `${name} has no line in this test.`);
    const [path, sent] = call;
    const answer = await sendAsServer(fixture, row.method, path, fixture.keys.books, sent);
    // A refusal of a batch is in each place.
    const parts = (answer.body['results'] as { code?: string }[] | undefined) ?? [answer.body];
    assert.equal(parts.length, sent !== undefined && path.endsWith('/batch') ? 2 : 1, name);
    for (const { code } of parts) assert.equal(code, 'platform_mismatch', name);
  }
  assert.equal(await fixture.context.store.read.members.count(), 0);
});

test('T18: a key that links 100 unverified addresses of others’ members is reported once', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const link = (platform: 'books' | 'weak', from: number) => {
    const registrations = Array.from({ length: 60 }, (_, at) => {
      const id = `${from + at}`;
      return { email: `m${id}@example.com`, platform, local_user_id: id };
    });
    const body = { registrations };
    return sendAsServer(fixture, 'POST', '/members/register/batch', fixture.keys[platform], body);
  };
  const reports = async () => {
    const rows = await fixture.context.store.read.audit.after(0, 200);
    return rows.filter(({ action }) => action === 'asserted_links_suspected').length;
  };
  for (const from of [0, 60, 120]) await link('books', from);
  await link('weak', 0);
  assert.equal(await reports(), 0);
  await link('weak', 60);
  assert.equal(await reports(), 1);
  assert.equal((await link('weak', 120)).body['accepted'], 60);
  assert.equal(await reports(), 1);
});

test('T18: 100 lookups without a result end in 429 and an audit row; a page finds its member', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const statuses: number[] = [];
  for (let i = 0; i < 102; i++) {
    const body = { email: `absent${i}@example.com` };
    statuses.push(
      (await sendAsServer(fixture, 'POST', '/members/lookup', fixture.keys.books, body)).status,
    );
  }
  assert.deepEqual([statuses[99], statuses[100], statuses[101]], [404, 429, 429]);
  const rows = await fixture.context.store.read.audit.after(0, 200);
  assert.equal(rows.filter(({ action }) => action === 'enumeration_suspected').length, 1);
  assert.equal((await verifyAudit(fixture.context)).intact, true);
  const cookie = sessionCookie(await signIn(fixture, asha));
  await signIn(fixture, { ...asha, email: 'other@example.com', local_user_id: 'u-2' });
  const page = { origin: books, cookie };
  const other = await sendAsPage(fixture, 'POST', '/members/lookup', page, {
    email: 'other@example.com',
  });
  assert.equal(other.status, 404);
  const self = await sendAsPage(fixture, 'POST', '/members/lookup', page, { email: asha.email });
  assert.equal(self.status, 200);
});

test('T24, T25: wrong keys are limited by the peer’s address and lock out no other caller', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { router, keys } = fixture;
  await using server = await startServer({ router, host: '127.0.0.1', port: 0 });
  const statuses: number[] = [];
  for (let from = 0; from < 1_000; from += 50) {
    const tried = Array.from({ length: 50 }, (_, at) => {
      const forwarded = `198.51.100.${(from + at) % 250}`;
      const key = newCheckedSecret('svck_live_aaaaaaaaaa_');
      return registerFrom('127.0.0.1', server.port, key, { 'x-forwarded-for': forwarded });
    });
    statuses.push(...(await Promise.all(tried)));
  }
  // The limits recover by the clock: a few more than sixty may pass during the thousand requests.
  const passed = statuses.filter((status) => status === 401).length;
  assert.deepEqual(new Set(statuses), new Set([401, 429]));
  assert.ok(passed >= 60 && passed < 250, String(passed));
  assert.equal(statuses.at(-1), 429);
  assert.equal(await registerFrom('127.0.0.2', server.port, keys.books), 201);
  const wrong = newCheckedSecret('svck_live_aaaaaaaaaa_');
  assert.equal(await registerFrom('127.0.0.2', server.port, wrong), 401);
  // A platform with the same address as the attacker still works.
  assert.equal(await registerFrom('127.0.0.1', server.port, keys.books), 200);
});

/** Registers over the wire from an address of this machine; returns the status. */
async function registerFrom(
  localAddress: string,
  port: number,
  key: string,
  more: Readonly<Record<string, string>> = {},
): Promise<number> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json', ...more };
  const place = { host: '127.0.0.1', port, path: '/members/register', localAddress };
  const sent = request({ ...place, method: 'POST', headers, agent: false });
  sent.end(JSON.stringify(asha));
  // The event has only the response.
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode ?? 0;
}

test('T29: hostile JSON is refused and changes no prototype', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { books: key } = fixture.keys;
  const bodies: [string, number][] = [
    ['{"__proto__":{"polluted":1}}', 400],
    ['{"email":{"__proto__":{"polluted":1}}}', 400],
    ['['.repeat(50_000), 400],
    [`{"a":"${'x'.repeat(limits.bodyBytesMax)}"}`, 413],
    ['{"email":"a@example.com\' OR 1=1 --","platform":"books","local_user_id":"1"}', 422],
    ['{"email":["a@example.com"],"platform":"books","local_user_id":"1"}', 422],
    ['{"email":null,"platform":{"code":"books"}}', 422],
  ];
  for (const [body, status] of bodies) {
    const answer = await sendAsServer(fixture, 'POST', '/members/register', key, body);
    assert.equal(answer.status, status, body.slice(0, 80));
  }
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
});

test('T33: a key rotated under load works until its overlap ends, then is expired', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const operator = { actor: 'operator:test', reason: 'the test' };
  const old = fixture.keys.books;
  const keys = [old];
  const statuses: number[] = [];
  const hand = async (number: number): Promise<void> => {
    for (let call = 0; call < 40; call++) {
      const id = `user${number}-${call}`;
      const user = { ...asha, email: `${id}@example.com`, local_user_id: id };
      const key = keys[call % keys.length]!;
      statuses.push((await sendAsServer(fixture, 'POST', '/members/register', key, user)).status);
    }
  };
  const rotation = async (): Promise<void> => {
    const { secret } = await rotateKey(fixture.context, old.split('_')[2]!, 3_600_000, operator);
    keys.push(secret);
  };
  await Promise.all([...Array.from({ length: 16 }, (_, number) => hand(number)), rotation()]);
  assert.deepEqual([statuses.length, new Set(statuses)], [640, new Set([201])]);
  const registerWith = async (key: string) =>
    sendAsServer(fixture, 'POST', '/members/register', key, asha);
  fixture.clock.now += 3_600_001;
  assert.equal((await registerWith(old)).body['code'], 'expired_api_key');
  assert.equal((await registerWith(keys[1]!)).status, 201);
});

test('T35: a shared cookie domain, an address and a foreign domain exit with 78', async () => {
  const refused: [domain: string, url: string][] = [
    ['co.kr', 'https://id.co.kr'],
    ['com', 'https://example.com'],
    ['seoul.kr', 'https://id.seoul.kr'],
    ['fly.dev', 'https://maru.fly.dev'],
    ['up.railway.app', 'https://maru.up.railway.app'],
    ['github.io', 'https://maru.github.io'],
    ['or.kr', 'https://id.or.kr'],
    ['co.kr.', 'https://id.co.kr./'],
    ['go.kr', 'https://id.go.kr'],
    ['pe.kr', 'https://id.pe.kr'],
    ['kro.kr', 'https://id.kro.kr'],
    ['vercel.app', 'https://id.vercel.app'],
    ['com.au', 'https://id.com.au'],
    ['192.0.2.1', 'https://192.0.2.1'],
    ['example.com', 'https://id.example.net'],
    ['example.com', 'https://evilexample.com'],
    ['example.com', 'http://id.example.com'],
  ];
  for (const [domain, url] of refused) {
    const settings = { ...fixtureSettings, MARU_COOKIE_DOMAIN: domain, MARU_MEMBERS_URL: url };
    assert.throws(() => membersConfig(settings), UnsafeSettingsError, domain);
  }
  assert.throws(
    () => membersConfig({ ...fixtureSettings, MARU_COOKIE_DOMAIN: null }),
    /MARU_COOKIE_DOMAIN is empty/,
  );
  assert.equal(membersConfig(fixtureSettings).cookies.secure, true);
  using folder = temporaryFolder();
  const starts: [domain: string, url: string, message: RegExp][] = [
    ['co.kr', 'https://id.co.kr', /co\.kr, under which anyone/],
    ['fly.dev', 'https://maru.fly.dev', /fly\.dev, under which anyone/],
    ['github.io', 'https://maru.github.io', /github\.io, under which anyone/],
    ['192.0.2.1', 'https://192.0.2.1', /192\.0\.2\.1/],
    ['example.com', 'https://id.example.net', /id\.example\.net/],
  ];
  for (const [domain, url, message] of starts) {
    const environment = { MARU_COOKIE_DOMAIN: domain, MARU_MEMBERS_URL: url };
    const { status, errors } = await runMaru(folder.path, ['serve', 'members'], environment);
    assert.equal(status, 78, domain);
    assert.match(errors, message);
  }
});
