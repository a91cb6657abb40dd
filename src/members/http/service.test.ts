import assert from 'node:assert/strict';
import { test } from 'node:test';
import Schema from 'typebox/schema';
import { request } from '../../../test/fixtures/inject.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { adminContract } from '../../contract/admin.ts';
import { openApi } from '../../contract/openapi.ts';
import { problemAnswer } from '../../contract/schemas.ts';
import { type GuardedRoute, answersOf, problemsOf } from '../../contract/route.ts';
import { membersContract } from '../../contract/members.ts';
import { scopes } from '../../contract/enumerations.ts';
import { problems } from '../../contract/problems.ts';
import {
  sendAsPage,
  sendAsServer,
  openFixture,
  sessionCookie,
} from '../../../test/fixtures/members.ts';
import { openHandlers, sessionHandlers } from './browser-routes.ts';
import { serverHandlers } from './server-routes.ts';

const rows = Object.entries<GuardedRoute>(membersContract);
const asha = { email: 'asha@example.com', platform: 'books', local_user_id: 'u-1' };

test('every row has handlers for its callers, an existing scope and existing codes', () => {
  for (const [name, row] of rows) {
    assert.equal(name in serverHandlers, row.callers.includes('server'), name);
    const isOpen = row.session === 'optional';
    assert.equal(name in openHandlers, row.callers.includes('browser') && isOpen, name);
    assert.equal(name in sessionHandlers, row.callers.includes('browser') && !isOpen, name);
    if (row.callers.includes('server')) assert.ok(scopes.includes(row.scope as never), name);
    for (const code of problemsOf(row)) {
      assert.ok(code in problems, `${name}: ${code}`);
    }
  }
});

test('registration returns svc_uid, created and tier; a second platform gets the same uid', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { books, cards } = fixture.keys;
  const first = await sendAsServer(fixture, 'POST', '/members/register', books, asha);
  assert.equal(first.status, 201);
  assert.match(String(first.body['svc_uid']), /^svc_[a-z2-7]{26}$/);
  assert.equal(first.body['created'], true);
  assert.equal(first.body['tier'], 'BRONZE');
  assert.equal(first.headers.get('cache-control'), 'no-store');
  const again = await sendAsServer(fixture, 'POST', '/members/register', books, {
    ...asha,
    extra: {},
  });
  assert.equal(again.status, 200);
  assert.equal(again.body['svc_uid'], first.body['svc_uid']);
  assert.equal(again.body['created'], false);
  const linked = { ...asha, platform: 'cards', local_user_id: 7 };
  const second = await sendAsServer(fixture, 'POST', '/members/register', cards, linked);
  assert.equal(second.body['svc_uid'], first.body['svc_uid']);
  assert.deepEqual([second.body['created'], second.body['linked']], [false, true]);
});

test('a deep extra is dropped with a warning in the requested language', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const deep = `{"email":"b@example.com","platform":"books","local_user_id":"1","extra":${'{"a":'.repeat(20)}1${'}'.repeat(20)}}`;
  const answer = await sendAsServer(fixture, 'POST', '/members/register', fixture.keys.books, deep);
  assert.equal(answer.status, 201);
  const [warning] = answer.body['warnings'] as { code: string; message: string }[];
  assert.equal(warning?.code, 'extra_dropped');
  assert.match(warning.message, /[가-힣]/);
});

test('a DELETE needs no body, with or without a Content-Type', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { router, keys } = fixture;
  for (const type of [{}, { 'content-type': 'application/json' }]) {
    const member = await sendAsServer(fixture, 'POST', '/members/register', keys.books, asha);
    fixture.clock.now += 1_000;
    const url = `/members/${String(member.body['svc_uid'])}/memberships/books`;
    const headers = { ...type, 'x-api-key': keys.books };
    const answer = await request(router, url, { method: 'DELETE', headers });
    assert.deepEqual([answer.status, await answer.json()], [200, { left: true, erased: true }]);
  }
});

test('single sign-on sets exactly two cookies, and /auth/me reports their session', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { books } = fixture.keys;
  await sendAsServer(fixture, 'POST', '/members/register', books, asha);
  const issued = await sendAsServer(fixture, 'POST', '/auth/sso/issue', books, asha);
  assert.equal(issued.status, 200);
  const [sso, uid, ...more] = issued.headers.getSetCookie();
  assert.deepEqual(more, []);
  assert.match(
    sso!,
    /^svc_sso=svcs_[a-z2-7]+; Domain=example\.com; Path=\/; Max-Age=604800; HttpOnly; Secure; SameSite=Lax$/,
  );
  assert.equal(
    uid,
    `svc_uid=${String(issued.body['svc_uid'])}; Domain=example.com; Path=/; Max-Age=604800; Secure; SameSite=Lax`,
  );
  assert.doesNotMatch(issued.text, /svcs_/);
  const page = { origin: 'https://cards.example.com', cookie: sessionCookie(issued) };
  const me = await sendAsPage(fixture, 'GET', '/auth/me', page);
  assert.equal(me.body['authenticated'], true);
  assert.equal(me.body['svc_uid'], issued.body['svc_uid']);
  assert.equal(
    (me.body['member'] as { email_masked: string }).email_masked.includes('asha@'),
    false,
  );
  assert.equal(me.headers.get('access-control-allow-origin'), page.origin);
  assert.equal(me.headers.get('access-control-allow-credentials'), 'true');
  const out = await sendAsPage(fixture, 'POST', '/auth/logout', page, {});
  assert.deepEqual(out.body, { ok: true, revoked: true });
  assert.equal(
    out.headers.getSetCookie().every((cookie) => cookie.includes('Max-Age=0')),
    true,
  );
  const after = await sendAsPage(fixture, 'GET', '/auth/me', page);
  assert.deepEqual(after.body, { authenticated: false, svc_uid: null, member: null });
  assert.ok(after.headers.getSetCookie().length >= 2);
});

test('batches return each result at the position of its entry', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { books } = fixture.keys;
  const registrations = [asha, { ...asha, email: 'no address' }, { ...asha, platform: 'cards' }];
  const answer = await sendAsServer(fixture, 'POST', '/members/register/batch', books, {
    registrations,
  });
  assert.equal(answer.status, 200);
  const results = answer.body['results'] as { status: number; code?: string; svc_uid?: string }[];
  assert.deepEqual(
    results.map(({ status, code }) => code ?? status),
    [201, 'invalid_email', 'platform_mismatch'],
  );
  assert.deepEqual([answer.body['accepted'], answer.body['refused']], [1, 2]);
  const uid = results[0]!.svc_uid;
  const event = { svc_uid: uid, platform: 'books', event: 'visit', event_id: 'e1' };
  const deep: unknown = JSON.parse('{"a":'.repeat(9) + '1' + '}'.repeat(9));
  const wrong = [
    { ...event, event: 'fly', event_id: 'e2' },
    { ...event, meta: deep, event_id: 'e3' },
  ];
  const events = { events: [event, event, ...wrong] };
  const recorded = await sendAsServer(fixture, 'POST', '/members/events/batch', books, events);
  assert.deepEqual(
    (recorded.body['results'] as { status: number }[]).map(({ status }) => status),
    [201, 200, 422, 422],
  );
});

test('answers and problems match the schemas of the contract', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { books, cards } = fixture.keys;
  const registered = await sendAsServer(fixture, 'POST', '/members/register', books, asha);
  const uid = String(registered.body['svc_uid']);
  const cardsUser = { ...asha, platform: 'cards', local_user_id: 'c-1' };
  await sendAsServer(fixture, 'POST', '/members/register', cards, cardsUser);
  const issued = await sendAsServer(fixture, 'POST', '/auth/sso/issue', books, asha);
  const cookie = sessionCookie(issued);
  const bodies: Record<string, Parameters<typeof sendAsServer>[4]> = {
    register: asha,
    registerBatch: { registrations: [asha] },
    reconcile: { hashes: ['0'.repeat(64)] },
    changeMembership: { local_user_id: 'u-2', expected_local_user_id: 'u-1' },
    event: { svc_uid: uid, platform: 'books', event: 'visit', meta: { page: '/' } },
    eventBatch: { events: [{ svc_uid: uid, platform: 'books', event: 'login' }, {}] },
    cardIssued: { svc_uid: uid, event_id: 'card-1' },
    issue: asha,
    verify: { token: cookie.slice('svc_sso='.length) },
    revoke: { svc_uid: uid },
    lookup: { svc_uid: uid },
    leave: { local_user_id: 'u-1' },
    grantEntitlement: { until: '2030-01-01T00:00:00Z' },
    giveConsent: { version: '1' },
    withdrawConsent: {},
  };
  for (const [name, row] of rows) {
    // An earlier row may have ended the link.
    await sendAsServer(fixture, 'POST', '/members/register', books, asha);
    const path = row.path
      .replace('{svc_uid}', uid)
      .replace('{platform}', 'books')
      .replace('{code}', 'archive')
      .replace('{purpose}', 'mail');
    const page = { origin: 'https://books.example.com', cookie };
    const key = name === 'cardIssued' ? cards : books;
    const answer = row.callers.includes('server')
      ? await sendAsServer(fixture, row.method, path, key, bodies[name])
      : await sendAsPage(fixture, row.method, path, page, row.body === undefined ? undefined : {});
    const schema = Object.fromEntries(answersOf(row))[answer.status];
    assert.ok(schema !== undefined, `${name}: ${answer.status} ${answer.text}`);
    const [isValid, errors] = Schema.Compile(schema).Errors(answer.body);
    assert.ok(isValid, `${name}: ${JSON.stringify(errors.slice(0, 3))} ${answer.text}`);
    const refused = await sendAsServer(fixture, row.method, path, 'svck_nix', bodies[name]);
    if (refused.status < 400) continue;
    const [isProblem] = Schema.Compile(problemAnswer).Errors(refused.body);
    assert.ok(isProblem, refused.text);
    assert.equal(refused.body['status'], refused.status);
    assert.equal(refused.body['requestId'], refused.headers.get('x-request-id'));
  }
});

test('a series has the requested 1 to 52 weeks, and any other number is refused', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const northStarOf = (weeks: string) =>
    sendAsServer(fixture, 'GET', `/stats/north-star?weeks=${weeks}`, fixture.keys.operator);
  for (const weeks of [1, 52]) {
    const { body } = await northStarOf(String(weeks));
    assert.equal((body['weeks'] as unknown[]).length, weeks);
  }
  for (const wrong of ['0', '53', '999', '-1', '1.5', 'x']) {
    const { status, body } = await northStarOf(wrong);
    assert.deepEqual([status, body['code']], [422, 'validation_failed'], wrong);
  }
});

test('the description of a members service has exactly its rows, with their codes', () => {
  const description = openApi({
    services: ['members'],
    axisCodes: [],
    baseUrl: null,
    language: 'en',
  });
  const { paths } = description as { paths: Record<string, Record<string, object>> };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(
    described.sort(),
    rows.map(([, { method, path }]) => `${method} ${path}`).sort(),
  );
  for (const [, row] of rows) {
    const text = JSON.stringify(paths[row.path]![row.method.toLowerCase()]);
    for (const code of problemsOf(row)) assert.ok(text.includes(code), `${row.path} ${code}`);
  }
  const admin = openApi({ services: ['operators'], language: 'ko' }) as { paths: object };
  assert.deepEqual(
    Object.keys(admin.paths).sort(),
    [...new Set(Object.values(adminContract).map(({ path }) => path))].sort(),
  );
});
