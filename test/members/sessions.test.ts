import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newCheckedSecret } from '../../src/members/checked-secret.ts';
import {
  sendRequest,
  sendAsPage,
  sendAsServer,
  openFixture,
  sessionCookie,
  type TestResponse,
  type MembersFixture,
} from '../fixtures/members.ts';
import { suspendMember } from '../../src/members/account-status.ts';
import { addWebhookEndpoint } from '../../src/members/webhooks.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const asha = { email: 'asha@example.com', platform: 'books', local_user_id: 'u-1' };
const books = 'https://books.example.com';

async function signIn(fixture: MembersFixture, user: typeof asha): Promise<TestResponse> {
  const key = fixture.keys[user.platform as 'books'];
  await sendAsServer(fixture, 'POST', '/members/register', key, user);
  return sendAsServer(fixture, 'POST', '/auth/sso/issue', key, user);
}

test('T11: cookies of one member are one session, of two members none, junk is ignored', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path, {
    MARU_PREVIOUS_COOKIE_DOMAINS: ['old.example.com'],
  });
  const own = sessionCookie(await signIn(fixture, asha));
  const again = sessionCookie(
    await sendAsServer(fixture, 'POST', '/auth/sso/issue', fixture.keys.books, asha),
  );
  const mallory = { ...asha, email: 'mallory@example.com', local_user_id: 'u-9' };
  const tossed = sessionCookie(await signIn(fixture, mallory));
  const me = async (cookie: string) =>
    sendAsPage(fixture, 'GET', '/auth/me', { origin: books, cookie });
  assert.equal((await me(`${own}; ${again}`)).body['authenticated'], true);
  assert.equal((await me(`svc_sso=svcs_junk; ${own}`)).body['authenticated'], true);
  for (const cookie of [`${own}; ${tossed}`, `${tossed}; ${own}`]) {
    const answer = await me(cookie);
    assert.equal(answer.body['authenticated'], false);
    assert.equal(answer.body['reason'], 'ambiguous_session');
    const event = { platform: 'books', event: 'visit' };
    const refused = await sendAsPage(
      fixture,
      'POST',
      '/members/events',
      { origin: books, cookie },
      event,
    );
    assert.equal(refused.status, 409);
    assert.equal(refused.body['code'], 'ambiguous_session');
  }
  const junk = Array.from({ length: 40 }, (_, at) => `svc_sso=junk-${at}`);
  for (const others of [
    [own, own, own, own],
    junk,
    plantedCookies(7),
    [...junk, ...plantedCookies(7)],
  ]) {
    assert.equal((await me([...others, own].join('; '))).body['authenticated'], true);
  }
  // Beyond eight with a checksum, none is read: the visitor is signed out, and the dead cookies are cleared.
  const crowded = await me([...plantedCookies(8), own].join('; '));
  assert.deepEqual([crowded.status, crowded.body['authenticated']], [200, false]);
  assert.equal(crowded.headers.getSetCookie().length > 0, true);
  const page = { origin: books, cookie: own };
  const out = await sendAsPage(fixture, 'POST', '/auth/logout', page, {});
  const cleared = out.headers.getSetCookie().filter((cookie) => cookie.startsWith('svc_sso='));
  assert.deepEqual(
    cleared.map((cookie) => /Domain=([^;]+)/.exec(cookie)?.[1] ?? null),
    ['example.com', null, 'old.example.com'],
  );
});

/** Cookies with tokens that only look real: their checksum is not secret. */
function plantedCookies(count: number): readonly string[] {
  return Array.from({ length: count }, () => `svc_sso=${newCheckedSecret('svcs_')}`);
}

test('T13: a key or token with a wrong checksum is refused without reading the store', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { sessions, keys } = fixture.context.store.read;
  let reads = 0;
  const live = sessions.live.bind(sessions);
  sessions.live = (...args) => (reads++, live(...args));
  const presented = keys.presented.bind(keys);
  keys.presented = (...args) => (reads++, presented(...args));
  const cookie = sessionCookie(await signIn(fixture, asha));
  const readsBefore = reads;
  assert.ok(readsBefore > 0);
  const broken = cookie.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
  const me = await sendAsPage(fixture, 'GET', '/auth/me', { origin: books, cookie: broken });
  assert.equal(me.body['authenticated'], false);
  const key = fixture.keys.books.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
  const refused = await sendAsServer(fixture, 'POST', '/members/register', key, asha);
  assert.equal(refused.body['code'], 'invalid_api_key');
  assert.equal(reads, readsBefore);
});

test('T14: no request after the answer to a revocation is authenticated', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const issued = await signIn(fixture, asha);
  const page = { origin: books, cookie: sessionCookie(issued) };
  const uid = String(issued.body['svc_uid']);
  await sendAsServer(fixture, 'POST', '/auth/sso/revoke', fixture.keys.books, { svc_uid: uid });
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => sendAsPage(fixture, 'GET', '/auth/me', page)),
  );
  assert.deepEqual(new Set(answers.map(({ body }) => body['authenticated'])), new Set([false]));
  const next = { origin: books, cookie: sessionCookie(await signIn(fixture, asha)) };
  const operator = { actor: 'operator:test', reason: 'the test' };
  await suspendMember(fixture.context, uid, operator);
  assert.equal((await sendAsPage(fixture, 'GET', '/auth/me', next)).body['authenticated'], false);
});

test('T15: logging out everywhere ends all five sessions and sends one webhook', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const operator = { actor: 'operator:test', reason: 'the test' };
  const url = 'https://hooks.example.com/';
  await addWebhookEndpoint(fixture.context, url, ['session.revoked'], operator);
  await signIn(fixture, asha);
  const cookies: string[] = [];
  for (let i = 0; i < 5; i++) {
    const issued = await sendAsServer(fixture, 'POST', '/auth/sso/issue', fixture.keys.books, asha);
    cookies.push(sessionCookie(issued));
  }
  const page = { origin: books, cookie: cookies[0]! };
  const out = await sendAsPage(fixture, 'POST', '/auth/logout', page, { scope: 'all' });
  assert.deepEqual(out.body, { ok: true, revoked: true });
  for (const cookie of cookies) {
    const me = await sendAsPage(fixture, 'GET', '/auth/me', { origin: books, cookie });
    assert.equal(me.body['authenticated'], false);
  }
  const messages = await fixture.context.store.read.webhooks.list(Number.MAX_SAFE_INTEGER, 10);
  assert.deepEqual(
    messages.map(({ type }) => type),
    ['session.revoked'],
  );
});

test('T16: the answer about a foreign member is that about none, after as many statements', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { cards, books: key } = fixture.keys;
  const foreign = { ...asha, platform: 'cards' };
  const registered = await sendAsServer(fixture, 'POST', '/members/register', cards, foreign);
  const theirs = String(registered.body['svc_uid']);
  const absent = theirs.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
  // Uses the key once: the first use in a day is stored after the answer, by one more statement.
  await sendAsServer(fixture, 'POST', '/members/register', key, {
    ...asha,
    email: 'b@example.com',
  });
  const statements = countStatements(fixture);
  const requests: [string, string, (uid: string) => object | undefined][] = [
    ['POST', '/members/lookup', (uid) => ({ svc_uid: uid })],
    ['GET', '/members/{svc_uid}', () => undefined],
    [
      'PATCH',
      '/members/{svc_uid}/memberships/books',
      () => ({ local_user_id: '2', expected_local_user_id: '1' }),
    ],
    ['GET', '/members/{svc_uid}/export', () => undefined],
    ['DELETE', '/members/{svc_uid}', () => undefined],
    ['DELETE', '/members/{svc_uid}/memberships/books', () => undefined],
    ['DELETE', '/members/{svc_uid}/memberships/books', () => ({ expected_local_user_id: '1' })],
    ['POST', '/members/events', (uid) => ({ svc_uid: uid, platform: 'books', event: 'visit' })],
    ['POST', '/auth/sso/revoke', (uid) => ({ svc_uid: uid })],
    ['POST', '/auth/sso/issue', (uid) => ({ svc_uid: uid, platform: 'books', local_user_id: '1' })],
  ];
  for (const [method, path, body] of requests) {
    const answers: [text: string, statements: number][] = [];
    for (const uid of [theirs, absent]) {
      const before = statements.count;
      const headers = { 'x-api-key': key, 'x-request-id': 'same' };
      const full = path.replace('{svc_uid}', uid);
      const answer = await sendRequest(fixture, method, full, headers, body(uid));
      assert.equal(answer.status, 404, path);
      answers.push([answer.text, statements.count - before]);
    }
    assert.deepEqual(answers[0], answers[1], path);
    assert.ok(answers[0]![1] > 0);
  }
  // Two more routes: a batch has a result for each event, and only card issuers may call the bridge.
  const events = [theirs, absent].map((uid) => ({
    svc_uid: uid,
    platform: 'books',
    event: 'visit',
  }));
  const batch = await sendAsServer(fixture, 'POST', '/members/events/batch', key, { events });
  const [first, second] = batch.body['results'] as object[];
  assert.deepEqual(first, second);
  assert.match(JSON.stringify(first), /"member_not_found"/);
  const reader = { ...asha, email: 'reader@example.com', local_user_id: 'u-3' };
  const ofBooks = await sendAsServer(fixture, 'POST', '/members/register', key, reader);
  const foreignToCards = String(ofBooks.body['svc_uid']);
  const unknown = foreignToCards.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
  const bridged = await Promise.all(
    [foreignToCards, unknown].map((uid) => {
      const body = { svc_uid: uid, platform: 'cards', event_id: 'e-1' };
      const headers = { 'x-api-key': cards, 'x-request-id': 'same' };
      return sendRequest(fixture, 'POST', '/bridges/card/events', headers, body);
    }),
  );
  assert.deepEqual([bridged[0]!.status, bridged[0]!.text], [404, bridged[1]!.text]);
});

/** Counts statements of the store from now on, in transactions and outside. */
function countStatements({ context: { store } }: MembersFixture): { count: number } {
  const statements = { count: 0 };
  const counting = <Parts extends object>(parts: Parts): Parts =>
    new Proxy(parts, {
      get(target, name) {
        const part: unknown = Reflect.get(target, name);
        if (typeof part === 'object' && part !== null) return counting(part);
        if (typeof part !== 'function') return part;
        return (...args: unknown[]): unknown => {
          statements.count++;
          return Reflect.apply(part, target, args);
        };
      },
    });
  const write = store.write.bind(store);
  Object.assign(store, {
    read: counting(store.read),
    write: (work: Parameters<typeof write>[0]) => write((tx) => work(counting(tx))),
  });
  return statements;
}

test('T37: a session that two browsers use is logged and counted, a server’s use is not', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const issued = await signIn(fixture, asha);
  const cookie = sessionCookie(issued);
  const me = (headers: Readonly<Record<string, string>>) =>
    sendRequest(fixture, 'GET', '/auth/me', { cookie, ...headers });
  const browser = { 'sec-fetch-site': 'same-site', 'user-agent': 'Firefox/140' };
  await me(browser);
  await me({ 'user-agent': 'node' });
  await me(browser);
  assert.doesNotMatch(fixture.logged(), /session_suspected/);
  await me({ ...browser, 'user-agent': 'Chrome/150' });
  const sessionId = String(issued.body['session_id']);
  assert.match(fixture.logged(), new RegExp(`session_suspected.*${sessionId}`));
  assert.match(fixture.server.metrics.text(), /^maru_sessions_suspected 1$/m);
});
