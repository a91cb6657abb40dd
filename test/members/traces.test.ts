import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eraseMember } from '../../src/members/erase.ts';
import { tombstoneOf } from '../../src/members/tombstone.ts';
import {
  sendRequest,
  sendAsPage,
  sendAsServer,
  openFixture,
  sessionCookie,
  type MembersFixture,
} from '../fixtures/members.ts';
import { addWebhookEndpoint } from '../../src/members/webhooks.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const asha = {
  email: 'Asha.Trace@Example.com',
  platform: 'books',
  local_user_id: 'local-4711-trace',
};
const operator = { actor: 'operator:test', reason: 'the test' };

test('T12: no token or key of a run is in the store or in a log', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const tokens: string[] = [];
  for (let at = 0; at < 50; at++) {
    const user = { ...asha, email: `trace${at}@example.com`, local_user_id: `local-${at}` };
    const { cookie } = await openAccount(fixture, user);
    tokens.push(cookie.slice('svc_sso='.length));
  }
  // Wrong tokens, and keys sent by browsers.
  for (const token of tokens) {
    const body = { token: token.slice(0, -1) };
    await sendAsServer(fixture, 'POST', '/auth/sso/verify', fixture.keys.books, body);
  }
  const keyOfPage = { origin: 'https://books.example.com', 'x-api-key': fixture.keys.cards };
  await sendRequest(fixture, 'POST', '/members/register', keyOfPage, asha);
  await sendAsServer(fixture, 'POST', `/members/${fixture.keys.books}`, fixture.keys.books, {});
  await sendAsServer(fixture, 'GET', `/members/${tokens[0]!}`, fixture.keys.books);
  const everything = await traces(fixture, folder.path);
  const secrets = [...tokens, ...Object.values(fixture.keys)];
  assert.deepEqual(
    // Without prefix and checksum, as a log might shorten it.
    secrets.filter((secret) => everything.includes(secret.slice(-46, -8))),
    [],
  );
});

test('T21: a card or resident number is refused and neither stored nor logged', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { uid } = await openAccount(fixture, asha);
  const numbers = [
    '4111111111111111',
    '4111 1111 1111 1111',
    '5555-5555-5555-4444',
    '378282246310005',
    '901010-1234567',
    '9010101234567',
  ];
  for (const number of numbers) {
    const body = { svc_uid: uid, platform: 'books', event: 'purchase', meta: { note: number } };
    const answer = await sendAsServer(fixture, 'POST', '/members/events', fixture.keys.books, body);
    assert.deepEqual([answer.status, answer.body['code']], [422, 'forbidden_content'], number);
    assert.equal(answer.text.includes(number), false);
  }
  const everything = await traces(fixture, folder.path);
  assert.deepEqual(
    numbers.filter((number) => everything.includes(number)),
    [],
  );
});

test('T23: after an erasure store and logs contain only the HMAC, no address or local id', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { keys, context } = fixture;
  const url = 'https://hooks.example.com/';
  await addWebhookEndpoint(context, url, ['member.created', 'member.erased'], operator);
  const { uid, cookie } = await openAccount(fixture, asha);
  const page = { origin: 'https://books.example.com', cookie };
  // All requests about a member, and refusals that could repeat its data.
  await sendAsServer(fixture, 'POST', '/members/lookup', keys.books, { email: asha.email });
  await sendAsServer(fixture, 'POST', '/members/lookup', keys.cards, { email: asha.email });
  await sendAsServer(fixture, 'POST', '/auth/sso/issue', keys.books, {
    ...asha,
    local_user_id: 'another',
  });
  await sendAsServer(fixture, 'GET', `/members/${encodeURIComponent(asha.email)}`, keys.books);
  await sendAsPage(fixture, 'POST', '/members/events', page, {
    platform: 'books',
    event: 'visit',
    meta: { who: asha.email },
  });
  await sendAsPage(fixture, 'GET', '/auth/me', page);
  // The reason of a platform is stored in the audit log.
  const reason = `${asha.email} lost a phone`;
  const revoked = { svc_uid: uid, reason };
  const ended = await sendAsServer(fixture, 'POST', '/auth/sso/revoke', keys.books, revoked);
  assert.equal(ended.status, 200, ended.text);
  const traced = [asha.email, asha.email.toLowerCase(), asha.local_user_id];
  const before = await traces(fixture, folder.path);
  assert.ok(before.includes(asha.email) && before.includes(asha.local_user_id));
  const { files_overwritten: isOverwritten } = await eraseMember(context, uid, operator);
  assert.equal(isOverwritten, fixture.place.overwrites);
  const after = await traces(fixture, folder.path);
  assert.deepEqual(
    traced.filter((text) => after.includes(text)),
    [],
  );
  assert.doesNotMatch(fixture.logged(), /asha|4711|%40/i);
  const tombstone = tombstoneOf(context, asha.email.toLowerCase());
  assert.ok(after.includes(Buffer.from(tombstone).toString('latin1')));
});

async function openAccount(fixture: MembersFixture, user: typeof asha) {
  const key = fixture.keys.books;
  const registered = await sendAsServer(fixture, 'POST', '/members/register', key, {
    ...user,
    extra: { also: user.email },
  });
  const cookie = sessionCookie(await sendAsServer(fixture, 'POST', '/auth/sso/issue', key, user));
  const page = { origin: 'https://books.example.com', cookie };
  const me = await sendAsPage(fixture, 'GET', '/auth/me', page);
  assert.equal(me.body['authenticated'], true);
  return { uid: String(registered.body['svc_uid']), cookie };
}

/** All bytes that the service wrote: the store, the files of its folder, and its log at the level `debug`. */
async function traces(fixture: MembersFixture, folder: string): Promise<string> {
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name)));
  const files = names.map((name) => readFileSync(join(folder, name)).toString('latin1'));
  const log = fixture.logged();
  assert.ok(log.length > 0);
  return [await fixture.place.content(), ...files, log].join('\n');
}
