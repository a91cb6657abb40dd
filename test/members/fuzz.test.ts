import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { adminContract } from '../../src/contract/admin.ts';
import { membersContract, type MemberOperation } from '../../src/contract/members.ts';
import type { Operation } from '../../src/kernel/http/operation.ts';
import { createAdminApp } from '../../src/members/http/admin-app.ts';
import {
  ask,
  askAsServer,
  openFixture,
  sessionCookie,
  type Asked,
} from '../../src/members/http/fixture.ts';
import { Operators } from '../../src/members/http/operators.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const user = { email: 'asha@example.com', platform: 'books', local_user_id: 'local-4711' };
const runsMax = 50_000;

test('T12, T29: whatever is sent to any route, nothing is a fault of ours and no secret or address is logged', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path, { MARU_RATE_SCALE: 0 });
  const { books, operator } = fixture.keys;
  const registered = await askAsServer(fixture, 'POST', '/members/register', books, user);
  const uid = String(registered.body['svc_uid']);
  const cookie = sessionCookie(await askAsServer(fixture, 'POST', '/auth/sso/issue', books, user));
  const page = { origin: 'https://books.example.com', 'x-svc-client': '1' };
  const caller = fc.constantFrom<Record<string, string>[]>(
    { 'x-api-key': books },
    { 'x-api-key': operator },
    { ...page, cookie },
    page,
  );
  const { body, segment } = arbitraries(uid, ['books', 'cards', 'visit', 'all', cookie.slice(8)]);
  const rows = Object.values<MemberOperation>(membersContract);
  const seen = new Set<number>();
  let asked = 0;
  let pending: Promise<unknown> = Promise.resolve();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...rows),
      caller,
      body,
      segment,
      async (row, headers, text, part) => {
        const path = row.path.replace('{svc_uid}', part).replace('{platform}', 'books');
        const sent = row.method === 'GET' ? undefined : text;
        const asking = ask(fixture, row.method, path, headers, sent);
        pending = asking;
        const answer = await asking;
        assertHarmless(answer);
        seen.add(answer.status);
        asked++;
      },
    ),
    { numRuns: runsMax, interruptAfterTimeLimit: 12_000, markInterruptAsFailure: false },
  );
  // What is being asked when the time is up is left to itself by the runner.
  await pending;
  assert.ok(asked > 2_000, String(asked));
  for (const status of [200, 201, 400, 401, 403, 404, 422])
    assert.ok(seen.has(status), String(status));
  const log = fixture.logged();
  const secrets = [books.slice(20), operator.slice(20), cookie.slice(14), user.email, 'local-4711'];
  for (const secret of secrets)
    assert.equal(log.includes(secret), false, `The log holds ${secret}.`);
});

test('T29: whatever an operator sends, nothing is a fault of ours', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const registered = await askAsServer(
    fixture,
    'POST',
    '/members/register',
    fixture.keys.books,
    user,
  );
  const uid = String(registered.body['svc_uid']);
  const operators = new Operators(folder.path);
  const { front, context } = fixture;
  const admin = createAdminApp({ front, context, operators, data: folder.path });
  const token = await operators.accept(operators.invitation!, 'hana', 'a long enough passphrase');
  const headers = { host: '127.0.0.1:3001', cookie: `__Host-maru_admin=${token}` };
  const names = ['books', 'GOLD', 'https://a.example.com', 'trusted', 'card_issuer', 'stats:read'];
  const { body, segment } = arbitraries(uid, names);
  let pending: Promise<unknown> = Promise.resolve();
  // Erasing would leave nobody to send things about.
  const rows = Object.entries<Operation>(adminContract).filter(([name]) => name !== 'erase');
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...rows), body, segment, async ([, row], text, part) => {
      const path = row.path.replace(/\{\w+\}/g, part);
      const sent = row.method === 'GET' ? undefined : text;
      const answer = ask(admin, row.method, path, headers, sent);
      pending = answer;
      assertHarmless(await answer);
    }),
    { numRuns: runsMax, interruptAfterTimeLimit: 6_000, markInterruptAsFailure: false },
  );
  await pending;
});

function assertHarmless(answer: Asked): void {
  assert.ok(answer.status < 500, answer.text);
  assert.doesNotMatch(answer.text, /node:internal|\.ts:\d+|SQLITE/);
  // A path that no route knows is answered by the front, whose own 404 says no-store too or is not of ours.
  if (answer.text !== '404 Not Found')
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  const isOpenToAll = answer.headers.get('access-control-allow-origin') === '*';
  assert.ok(!isOpenToAll || answer.headers.get('access-control-allow-credentials') === null);
}

/** Bodies that are nearly right, wrong in any way, or no JSON; and parts of a path. */
function arbitraries(uid: string, words: readonly string[]) {
  const known = fc.constantFrom(uid, user.email, user.local_user_id, ...words);
  const leaf = fc.oneof(
    known,
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
  );
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
  const made = fc.oneof(
    object,
    fc.record({ events: list, registrations: list }),
    fc.tuple(object, good).map(([a, b]) => ({ ...a, ...b })),
  );
  const body = fc.oneof(
    { weight: 9, arbitrary: made.map((made) => JSON.stringify(made)) },
    fc.string({ unit: 'binary' }),
  );
  const segment = fc.oneof(
    known.map(encodeURIComponent),
    fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text.toWellFormed()) || 'x'),
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
