import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPlatformDeclaration } from '../../src/members/platform-configuration.ts';
import { declarePlatforms } from '../../src/members/platforms.ts';
import {
  openFixture,
  sendAsPage,
  sendAsServer,
  sendRequest,
  sessionCookie,
  type MembersFixture,
} from '../fixtures/members.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const origin = 'https://books.example.com';
const paths = ['/stats/cross-platform', '/stats/north-star'];
const operator = { actor: 'operator:test', reason: 'a test' };

async function register(fixture: MembersFixture, name: string) {
  const user = { email: `${name}@example.com`, platform: 'books', local_user_id: name };
  await sendAsServer(fixture, 'POST', '/members/register', fixture.keys.books, user);
  return user;
}

/** The session cookie of a member whom `books` registered the day before. */
async function signIn(fixture: MembersFixture): Promise<string> {
  const user = await register(fixture, 'asha');
  const { books } = fixture.keys;
  const cookie = sessionCookie(await sendAsServer(fixture, 'POST', '/auth/sso/issue', books, user));
  fixture.clock.now += dayMs;
  return cookie;
}

const dayMs = 86_400_000;

test('a signed-in page gets the statistics of the day, with counts under five withheld', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const cookie = await signIn(fixture);
  const members = async () =>
    (await sendAsPage(fixture, 'GET', paths[0]!, { origin, cookie })).body['members'];
  assert.equal(await members(), null);
  for (const name of ['b', 'c', 'd', 'e', 'f']) await register(fixture, name);
  fixture.clock.now += dayMs;
  assert.equal(await members(), 6);
  // A late event changes the history, and a key sees it at once; pages keep the answer of the day.
  const star = await sendAsPage(fixture, 'GET', `${paths[1]}?weeks=3`, { origin, cookie });
  assert.equal((star.body['weeks'] as unknown[]).length, 12);
  await fixture.context.store.write(async (tx) => tx.members.touchHistory());
  const again = await sendAsPage(fixture, 'GET', paths[1]!, { origin, cookie });
  assert.equal(again.text, star.text);
  assert.equal(await members(), 6);
});

test('statistics need a live session and a page of a registered origin', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const cookie = await signIn(fixture);
  for (const path of paths) {
    const codeOf = async (page: Parameters<typeof sendAsPage>[3]) => {
      const { status, body } = await sendAsPage(fixture, 'GET', path, page);
      return [status, body['code']];
    };
    assert.deepEqual(await codeOf({ origin, cookie }), [200, undefined]);
    assert.deepEqual(await codeOf({ origin }), [401, 'session_required']);
    for (const stranger of ['https://evil.example.com', 'null', 'https://id.example.com']) {
      assert.deepEqual(await codeOf({ origin: stranger, cookie }), [403, 'origin_not_allowed']);
    }
    // An address that a visitor opens has no origin.
    const opened = { cookie, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' };
    assert.equal((await sendRequest(fixture, 'GET', path, opened)).status, 403);
  }
});

test('pages of another realm do not read the statistics of the main one', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const user = { email: 'kim@example.com', platform: 'island', local_user_id: '1' };
  const { island } = fixture.keys;
  await sendAsServer(fixture, 'POST', '/members/register', island, user);
  const issued = await sendAsServer(fixture, 'POST', '/auth/sso/issue', island, user);
  const page = { origin: 'https://island.example.com', cookie: sessionCookie(issued) };
  for (const path of paths) {
    const { status, body } = await sendAsPage(fixture, 'GET', path, page);
    assert.deepEqual([status, body['code']], [403, 'page_stats_disabled']);
  }
});

test('statistics that the operator closed for a platform are 403 for its pages only', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const cookie = await signIn(fixture);
  const closed = { code: 'books', origins: [origin], page_stats: false };
  await declarePlatforms(fixture.context, [readPlatformDeclaration(closed)], operator);
  for (const path of paths) {
    const { status, body } = await sendAsPage(fixture, 'GET', path, { origin, cookie });
    assert.deepEqual([status, body['code']], [403, 'page_stats_disabled']);
    const elsewhere = { origin: 'https://cards.example.com', cookie };
    assert.equal((await sendAsPage(fixture, 'GET', path, elsewhere)).status, 200);
    const asServer = await sendAsServer(fixture, 'GET', path, fixture.keys.books);
    assert.equal(asServer.status, 200);
  }
});
