import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture, sendAsPage, sendAsServer } from '../../../test/fixtures/members.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

test('requests are counted by platform, with refusals by code and failed single sign-ons', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { books, operator } = fixture.keys;
  const post = (path: string, body: object, key = books) =>
    sendAsServer(fixture, 'POST', path, key, body);
  const user = { email: 'kim@example.com', platform: 'books', local_user_id: '1' };
  const { svc_uid: uid } = (await post('/members/register', user)).body;
  await post('/members/register', { ...user, email: 'kim' });
  await post('/members/register/batch', { registrations: [{ ...user, email: '@' }] });
  fixture.clock.now += 1_000;
  await post('/members/events', { svc_uid: uid, platform: 'books', event: 'visit' });
  await post('/auth/sso/issue', { ...user, svc_uid: uid });
  await post('/auth/sso/issue', { ...user, local_user_id: '2' });
  await post('/members/register', { ...user, platform: 'cards' });
  await post('/members/register', { ...user, local_user_id: '3', platform: 'books' }, operator);
  const keyWithoutScope = await fixture.issue('books', ['stats:read']);
  await post('/members/register', user, keyWithoutScope);
  await sendAsPage(fixture, 'POST', '/members/events', { origin: 'https://books.example.com' }, {});
  const platforms = await fixture.context.platforms.all();
  const [traffic, cards] = ['books', 'cards'].map((code) =>
    fixture.traffic.of(platforms.find((platform) => platform.code === code)!.id),
  );
  assert.deepEqual(Object.fromEntries(traffic!.refusals), {
    invalid_email: 2,
    member_not_found: 1,
    platform_mismatch: 1,
    insufficient_scope: 1,
  });
  assert.deepEqual([traffic!.ssoAttempts, traffic!.ssoFailures, traffic!.calls], [2, 1, 8]);
  assert.equal(traffic!.lastEventAt, fixture.clock.now);
  assert.equal(traffic!.lastRegistrationAt, fixture.clock.now - 1_000);
  assert.deepEqual([cards!.calls, cards!.lastCallAt], [0, null]);
});
