import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseMember } from '../../src/members/erase.ts';
import {
  sendAsPage,
  sendAsServer,
  openFixture,
  sessionCookie,
  type MembersFixture,
  type PlatformCode,
} from '../fixtures/members.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const asha = { email: 'asha@example.com', local_user_id: 'u-1' };
const page = { origin: 'https://books.example.com' };

function post(fixture: MembersFixture, path: string, platform: PlatformCode, more: object = {}) {
  const body = { ...asha, platform, ...more };
  return sendAsServer(fixture, 'POST', path, fixture.keys[platform], body);
}

test('T1: an asserted link gets 403 instead of a session, and a verified link gets a session', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  await post(fixture, '/members/register', 'weak');
  await post(fixture, '/members/register', 'books', { email_verified: false });
  const refused = await post(fixture, '/auth/sso/issue', 'weak');
  assert.deepEqual([refused.status, refused.body['code']], [403, 'email_unverified']);
  assert.deepEqual(refused.headers.getSetCookie(), []);
  assert.equal((await post(fixture, '/auth/sso/issue', 'books')).status, 403);
  await post(fixture, '/members/register', 'books', { email_verified: true });
  assert.equal((await post(fixture, '/auth/sso/issue', 'books')).status, 200);
  assert.equal((await post(fixture, '/auth/sso/issue', 'weak')).status, 403);
});

test('T2: the first verified link ends the cookie of an asserted platform and is counted', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  await post(fixture, '/members/register', 'weak');
  const cookie = sessionCookie(await post(fixture, '/auth/sso/issue', 'weak'));
  const me = async () => (await sendAsPage(fixture, 'GET', '/auth/me', { ...page, cookie })).body;
  assert.equal((await me())['authenticated'], true);
  const linked = await post(fixture, '/members/register', 'books');
  const after = await me();
  assert.deepEqual(
    [after['authenticated'], after['svc_uid'], after['member']],
    [false, null, null],
  );
  assert.equal(linked.status, 200);
  const [counted] = await fixture.context.store.read.assurance.since(0, 10);
  assert.deepEqual([counted?.upgrades, counted?.sessionsEnded], [1, 1]);
});

test('T14, T22: an erasure ends the cookie; a late sign-up is 410, a new one a new member', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const requested_at = new Date(fixture.clock.now).toISOString();
  const registered = await post(fixture, '/members/register', 'books', { requested_at });
  const uid = String(registered.body['svc_uid']);
  const cookie = sessionCookie(await post(fixture, '/auth/sso/issue', 'books'));
  fixture.clock.now += 60_000;
  await eraseMember(fixture.context, uid, { actor: 'operator:test', reason: 'the test' });
  const requests = Array.from({ length: 100 }, () =>
    sendAsPage(fixture, 'GET', '/auth/me', { ...page, cookie }),
  );
  const answers = (await Promise.all(requests)).map(({ body }) => body['authenticated']);
  assert.deepEqual(new Set(answers), new Set([false]));
  fixture.clock.now += 60_000;
  const late = await post(fixture, '/members/register', 'books', { requested_at });
  assert.deepEqual([late.status, late.body['code']], [410, 'member_erased']);
  const fresh = await post(fixture, '/members/register', 'books');
  assert.deepEqual([fresh.status, fresh.body['created']], [201, true]);
  assert.notEqual(fresh.body['svc_uid'], uid);
});
