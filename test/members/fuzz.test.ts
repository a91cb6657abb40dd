import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { membersContract, type MemberOperation } from '../../src/contract/members.ts';
import {
  ask,
  askAsServer,
  fixtureSettings,
  openFixture,
  sessionCookie,
} from '../../src/members/http/fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const rows = Object.values<MemberOperation>(membersContract);
const limitMs = 15_000;

test('T12, T29: whatever is sent to any route, nothing is a fault of ours and no secret or address is logged', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path, { ...fixtureSettings, MARU_RATE_SCALE: 0 });
  const user = { email: 'asha@example.com', platform: 'books', local_user_id: 'local-4711' };
  const { books } = fixture.keys;
  const registered = await askAsServer(fixture, 'POST', '/members/register', books, user);
  const uid = String(registered.body['svc_uid']);
  const cookie = sessionCookie(await askAsServer(fixture, 'POST', '/auth/sso/issue', books, user));
  const known = fc.constantFrom(
    uid,
    'books',
    'cards',
    'asha@example.com',
    'local-4711',
    'visit',
    'all',
    cookie.slice(8),
  );
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
  const names = [
    'email',
    'platform',
    'local_user_id',
    'extra',
    'svc_uid',
    'event',
    'meta',
    'event_id',
    'occurred_at',
    'requested_at',
    'consents',
    'token',
    'scope',
    'reason',
    'hashes',
    'events',
    'registrations',
    'expected_local_user_id',
    'email_verified',
    'sent_at',
  ];
  const object = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 8 });
  const batch = fc.record({
    events: fc.array(object, { maxLength: 5 }),
    registrations: fc.array(object, { maxLength: 5 }),
  });
  const good = fc.record(
    {
      platform: fc.constantFrom('books', 'cards'),
      svc_uid: fc.constant(uid),
      email: fc.constant('asha@example.com'),
      local_user_id: known,
      event: known,
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(
    object,
    batch,
    good,
    fc.tuple(good, object).map(([a, b]) => ({ ...a, ...b })),
  );
  const sent = fc.oneof(
    { weight: 9, arbitrary: body.map((made) => JSON.stringify(made)) },
    fc.string({ unit: 'binary' }),
  );
  const caller = fc.constantFrom<Record<string, string>[]>(
    { 'x-api-key': books },
    { 'x-api-key': fixture.keys.operator },
    { origin: 'https://books.example.com', 'x-svc-client': '1', cookie },
    { origin: 'https://books.example.com', 'x-svc-client': '1' },
  );
  const segment = fc.oneof(
    fc.constant(uid),
    fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text.toWellFormed()) || 'x'),
    fc.constant('%ff'),
  );
  const seen = new Set<number>();
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...rows),
      caller,
      sent,
      segment,
      async (row, headers, text, part) => {
        const path = row.path.replace('{svc_uid}', part).replace('{platform}', 'books');
        const answer = await ask(
          fixture,
          row.method,
          path,
          headers,
          row.method === 'GET' ? undefined : text,
        );
        seen.add(answer.status);
        asked++;
        assert.ok(answer.status < 500, `${row.method} ${path} ${text}: ${answer.text}`);
        assert.doesNotMatch(answer.text, /node:internal|\.ts:\d+|SQLITE/);
        assert.equal(answer.headers.get('cache-control'), 'no-store');
        const isOpenToAll = answer.headers.get('access-control-allow-origin') === '*';
        const credentials = answer.headers.get('access-control-allow-credentials');
        assert.ok(!isOpenToAll || credentials === null);
      },
    ),
    { numRuns: 50_000, interruptAfterTimeLimit: limitMs, markInterruptAsFailure: false },
  );
  assert.ok(asked > 2_000, String(asked));
  for (const status of [200, 201, 400, 401, 403, 404, 422])
    assert.ok(seen.has(status), String(status));
  const log = fixture.logged();
  for (const secret of [
    books.slice(20),
    fixture.keys.operator.slice(20),
    cookie.slice(14),
    'asha@example.com',
    'local-4711',
  ]) {
    assert.equal(log.includes(secret), false, `The log holds ${secret}.`);
  }
});
