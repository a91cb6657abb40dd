import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { adminContract } from '../../src/contract/admin.ts';
import { type Route, problemsOf } from '../../src/contract/route.ts';
import { membersContract } from '../../src/contract/members.ts';
import { createAdminApi } from '../../src/admin/api/app.ts';
import {
  sendRequest,
  sendAsServer,
  openFixture,
  sessionCookie,
  type TestResponse,
  type MembersFixture,
} from '../fixtures/members.ts';
import { openOperators, passphrase, signInFirst } from '../fixtures/operators.ts';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { request } from '../fixtures/inject.ts';
import { anyText } from '../any-text.ts';

const user = { email: 'asha@example.com', platform: 'books', local_user_id: 'local-4711' };
const runs = isLongForm ? 3_000 : 300;
const requests = isLongForm ? 100_000 : 2_500;

test('T12, T29: no input to any route gives a 5xx or logs a secret or address', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path, { MARU_RATE_SCALE: 0 });
  const { books, operator } = fixture.keys;
  const registered = await sendAsServer(fixture, 'POST', '/members/register', books, user);
  const uid = String(registered.body['svc_uid']);
  const cookie = sessionCookie(await sendAsServer(fixture, 'POST', '/auth/sso/issue', books, user));
  const page = { origin: 'https://books.example.com', 'x-svc-client': '1' };
  const caller = fc.constantFrom<Record<string, string>[]>(
    { 'x-api-key': books },
    { 'x-api-key': operator },
    { ...page, cookie },
    page,
  );
  const { body, segment } = arbitraries(uid, ['books', 'cards', 'visit', 'all', cookie.slice(8)]);
  const rows = Object.values<Route>(membersContract);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...rows),
      caller,
      body,
      segment,
      async (row, headers, text, part) => {
        const path = row.path.replace('{svc_uid}', part).replace('{platform}', 'books');
        const sent = row.method === 'GET' ? undefined : text;
        const answer = await sendRequest(fixture, row.method, path, headers, sent);
        assertHarmless(answer);
      },
    ),
    { numRuns: runs },
  );
  const log = fixture.logged();
  const secrets = [books.slice(20), operator.slice(20), cookie.slice(14), user.email, 'local-4711'];
  for (const secret of secrets)
    assert.equal(log.includes(secret), false, `The log holds ${secret}.`);
});

test('T29: random requests to every route cause no 5xx and show no stack and no secret', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path, { MARU_RATE_SCALE: 0 });
  const { books, operator } = fixture.keys;
  const registered = await sendAsServer(fixture, 'POST', '/members/register', books, user);
  const uid = String(registered.body['svc_uid']);
  const cookie = sessionCookie(await sendAsServer(fixture, 'POST', '/auth/sso/issue', books, user));
  const page = { origin: 'https://books.example.com', 'x-svc-client': '1' };
  const members = await sendMany(
    fixture,
    membersContract,
    problemsOf,
    uid,
    0.7 * requests,
    (part) => [
      { 'x-api-key': books },
      { 'x-api-key': operator },
      { ...page, cookie },
      { ...page, cookie: `svc_sso=${part}; ${cookie}` },
      { 'x-api-key': part },
      page,
      {},
    ],
  );
  assert.deepEqual(missing(members.statuses, [200, 201, 400, 401, 403, 404, 422]), []);
  // After the routes of members, because operators disable platforms and suspend members.
  const operators = await openOperators(fixture.context, folder.path);
  const admin = createAdminApi({ ...fixture, operators, data: folder.path });
  const token = await signInFirst(operators);
  const here = { host: '127.0.0.1:3001' };
  const signedIn = { ...here, cookie: `__Host-maru_admin=${token}` };
  const ways = [signedIn, signedIn, here, { ...signedIn, origin: 'https://evil.test' }];
  const { session, search } = adminContract;
  const signIn = { ...session, method: 'POST', path: '/api/sign-in', body: search.body } as const;
  const operatorRequests = await sendMany(
    admin,
    { ...adminContract, signIn },
    problemsOf,
    uid,
    0.3 * requests,
    (part) => [...ways, { ...here, cookie: `__Host-maru_admin=${part}` }],
  );
  for (const [name, number] of [...members.distinctCounts, ...operatorRequests.distinctCounts]) {
    // A row without a body differs in its path, query and cookies only, of which there are few.
    assert(number >= Math.min(20, requests / 2_500), `${name}: ${number}`);
  }
  assert.deepEqual(missing(operatorRequests.statuses, [200, 400, 401, 403, 404, 422]), []);
  const log = fixture.logged();
  const secrets = [books.slice(20), operator.slice(20), cookie.slice(14), user.email];
  for (const secret of [...secrets, token, passphrase]) {
    assert.equal(log.includes(secret), false, secret.slice(0, 4));
  }
});

interface SentRequests {
  readonly statuses: ReadonlySet<number>;
  /** Number of different requests by row. */
  readonly distinctCounts: ReadonlyMap<string, number>;
}

/** Sends requests of all kinds to the rows of a contract in turn. Each must get an answer that its row allows. */
async function sendMany<Row extends Route>(
  { router }: Pick<MembersFixture, 'router'>,
  contract: Readonly<Record<string, Row>>,
  codesOf: (row: Row) => readonly string[],
  uid: string,
  total: number,
  waysOf: (part: string) => readonly Record<string, string>[],
): Promise<SentRequests> {
  const { body, segment } = arbitraries(uid, ['books', 'visit', 'all']);
  // Sampled once, because generating arbitrary values takes most of the time. The numbers of samples are prime, so that
  // every row meets every combination.
  const bodies = fc.sample(body, { numRuns: 1_009, seed: 29 });
  const segments = fc.sample(segment, { numRuns: 101, seed: 29 });
  const others = segments.filter((part) => part !== uid);
  const rows = Object.entries(contract);
  const faults: string[] = [];
  const statuses = new Set<number>();
  const sentTo = new Map(rows.map(([name]) => [name, new Set<string>()]));
  for (let from = 0; from < total; from += inFlight) {
    const inTurn = Array.from({ length: inFlight }, async (_, within) => {
      const number = from + within;
      const [name, row] = rows[number % rows.length]!;
      const turn = Math.floor(number / rows.length);
      // Erasing the only member would leave none to send requests about.
      const parts = name === 'erase' ? others : segments;
      const isKnown = turn % 3 === 0 && name !== 'erase';
      const part = isKnown ? uid : parts[turn % parts.length]!;
      const path = row.path.replace('{platform}', 'books').replace(/\{\w+\}/g, part);
      const names = Object.keys(row.parameters).filter((key) => !row.path.includes(`{${key}}`));
      const query = names.map(
        (one, at) => `${one}=${segments[(turn * 7 + at) % segments.length]!}`,
      );
      const url = turn % 2 === 0 || query.length === 0 ? path : `${path}?${query.join('&')}`;
      const sent = row.method === 'GET' ? {} : { body: bodies[turn % bodies.length]! };
      const ways = waysOf(segments[(turn * 3) % segments.length]!);
      const headers = { 'content-type': 'application/json', ...ways[turn % ways.length] };
      sentTo.get(name)!.add(JSON.stringify([url, headers, sent.body]));
      const answer = await request(router, url, { method: row.method, headers, ...sent });
      statuses.add(answer.status);
      const text = await answer.text();
      // A new key is shown once, to the operator who issues it.
      const isIssued = answer.status === 200 && /"shown":"once"/.test(text);
      const isKnownCode = answer.ok || codesOf(row).includes(codeOf(text));
      if (answer.status >= 500 || (leaks.test(text) && !isIssued) || !isKnownCode) {
        faults.push(`${row.path}: ${text.slice(0, 500)}`);
      }
    });
    await Promise.all(inTurn);
  }
  assert.deepEqual(faults.slice(0, 10), []);
  return {
    statuses,
    distinctCounts: new Map([...sentTo].map(([name, sent]) => [name, sent.size])),
  };
}

/** Code of a problem; unknown paths are answered without one. */
function codeOf(text: string): string {
  return /"code":"(\w+)"/.exec(text)?.[1] ?? text;
}

function missing(seen: ReadonlySet<number>, statuses: readonly number[]): readonly number[] {
  return statuses.filter((status) => !seen.has(status));
}

test('T29: no input of an operator gives a 5xx', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const registered = await sendAsServer(
    fixture,
    'POST',
    '/members/register',
    fixture.keys.books,
    user,
  );
  const uid = String(registered.body['svc_uid']);
  const operators = await openOperators(fixture.context, folder.path);
  const { server, context } = fixture;
  const admin = createAdminApi({ server, context, operators, data: folder.path });
  const token = await signInFirst(operators);
  const headers = { host: '127.0.0.1:3001', cookie: `__Host-maru_admin=${token}` };
  const names = ['books', 'GOLD', 'https://a.example.com', 'trusted', 'card_issuer', 'stats:read'];
  const { body, segment } = arbitraries(uid, names);
  // Erasing would leave no member to send requests about.
  const rows = Object.entries<Route>(adminContract).filter(([name]) => name !== 'erase');
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...rows), body, segment, async ([, row], text, part) => {
      const path = row.path.replace(/\{\w+\}/g, part);
      const sent = row.method === 'GET' ? undefined : text;
      assertHarmless(await sendRequest(admin, row.method, path, headers, sent));
    }),
    { numRuns: runs },
  );
});

const inFlight = 500;
const leaks = /node:internal|\.ts:\d+|SQLITE|svck_|"key":/;

function assertHarmless(answer: TestResponse): void {
  assert.ok(answer.status < 500, answer.text);
  assert.doesNotMatch(answer.text, leaks);
  // Unknown paths get the 404 of the server, which is no-store, too.
  if (answer.text !== '404 Not Found')
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  const isOpenToAll = answer.headers.get('access-control-allow-origin') === '*';
  assert.ok(!isOpenToAll || answer.headers.get('access-control-allow-credentials') === null);
}

/** Bodies that are nearly valid, invalid, or not JSON; and parts of a path. */
function arbitraries(uid: string, words: readonly string[]) {
  const known = fc.constantFrom(uid, user.email, user.local_user_id, ...words);
  const leaf = fc.oneof(known, anyText(), fc.double(), fc.boolean(), fc.constant(null));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { weight: 4, arbitrary: leaf },
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    ),
  }));
  const object = fc.dictionary(fc.constantFrom(...properties), value, { maxKeys: 8 });
  const list = fc.array(object, { maxLength: 5 });
  const good = fc.record(
    {
      platform: fc.constantFrom('books', 'cards'),
      svc_uid: fc.constant(uid),
      email: fc.constant(user.email),
      local_user_id: known,
      event: known,
      reason: fc.constant('a test'),
    },
    { requiredKeys: [] },
  );
  const bodyObject = fc.oneof(
    object,
    fc.record({ events: list, registrations: list }),
    fc.tuple(object, good).map(([a, b]) => ({ ...a, ...b })),
  );
  const body = fc.oneof(
    { weight: 9, arbitrary: bodyObject.map((bodyObject) => JSON.stringify(bodyObject)) },
    anyText(),
  );
  const segment = fc.oneof(
    known.map(encodeURIComponent),
    anyText().map((text) => encodeURIComponent(text.toWellFormed()) || 'x'),
    fc.constant('%ff'),
  );
  return { body, segment };
}

const properties = [
  'assurance',
  'capabilities',
  'code',
  'consents',
  'cookie_domain',
  'dry_run',
  'email',
  'email_verified',
  'event',
  'event_id',
  'events',
  'expected_local_user_id',
  'extra',
  'from',
  'hashes',
  'into',
  'label',
  'local_user_id',
  'meta',
  'occurred_at',
  'origins',
  'overlap_hours',
  'platform',
  'realm',
  'reason',
  'registrations',
  'requested_at',
  'scope',
  'scopes',
  'sent_at',
  'svc_uid',
  'tier',
  'token',
  'types',
  'url',
];
