import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openMembers } from '../../bin/open-members.ts';
import { emailHash } from '../../src/members/email.ts';
import { recordEvent } from '../../src/members/events.ts';
import {
  sendRequest,
  sendAsPage,
  sendAsServer,
  openFixture,
  sessionCookie,
} from '../fixtures/members.ts';
import { register } from '../../src/members/register.ts';
import { runRetention } from '../../src/members/retention.ts';
import { checkSession } from '../../src/members/session.ts';
import { issueSso } from '../../src/members/sso.ts';
import { northStar } from '../../src/members/statistics.ts';
import { SqliteMemberStore } from '../../src/members/store/sqlite.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { membersRig } from './rig.ts';

const dayMs = 86_400_000;
const asha = { email: 'asha@example.com', platform: 'books', local_user_id: 'u-1' };

test('a full disk under SQLite refuses with storage_unavailable, still reads, and loses nothing', async () => {
  await using rig = await membersRig({});
  await rig.context.store.scrub();
  // The system's limit on the size of a file, in blocks of 512 bytes.
  const blocks = Math.ceil(statSync(rig.path).size / 512) + 2_000;
  const child = join(import.meta.dirname, 'filling.ts');
  const script = `ulimit -f ${blocks} && exec "$0" "$@"`;
  const args = ['-c', script, process.execPath, child, rig.path];
  const { stdout } = await promisify(execFile)('sh', args);
  const stored = Array.from(
    stdout.matchAll(/^stored (\S+) (\S+)$/gm),
    ([, email, uid]) => [email!, uid!] as const,
  );
  const refused = Array.from(stdout.matchAll(/^refused (.*)$/gm), ([, code]) => code);
  assert(stored.length > 10, stdout);
  assert.deepEqual(new Set(refused), new Set(['storage_unavailable']));
  assert(stdout.endsWith(`read ${stored[0]![1]}\n`), stdout.slice(-200));
  await using store = new SqliteMemberStore(rig.path);
  for (const [email, uid] of stored) {
    assert.equal((await store.read.members.byEmail('main', emailHash(email)))?.svcUid, uid);
  }
  const again = await register(rig.context, await rig.caller('books'), asha);
  assert(again.created);
});

test('a read-only folder ends the start with the remedy, and a writable one serves', async () => {
  // The tests' own folder may lie in one that only root can enter.
  using folder = temporaryFolder(process.geteuid?.() === 0 ? '/tmp' : undefined);
  const members = join(folder.path, 'members');
  const open = () => openMembers({ MARU_DATA: folder.path });
  await asUnprivileged(folder.path, async () => {
    chmodSync(folder.path, 0o500);
    await assert.rejects(open, /cannot be written.*MARU_DATA/s);
    chmodSync(folder.path, 0o700);
    mkdirSync(members, { mode: 0o700 });
    await (await open())[Symbol.asyncDispose]();
    chmodSync(join(members, 'members.db'), 0o400);
    chmodSync(members, 0o500);
    await assert.rejects(open, /cannot be written.*MARU_DATA/s);
    chmodSync(members, 0o700);
    chmodSync(join(members, 'members.db'), 0o600);
    await (await open())[Symbol.asyncDispose]();
  });
});

test('a store locked by another process is 503 for writes, while sessions are checked', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const key = fixture.keys.books;
  await sendAsServer(fixture, 'POST', '/members/register', key, asha);
  const issued = await sendAsServer(fixture, 'POST', '/auth/sso/issue', key, asha);
  const page = { origin: 'https://books.example.com', cookie: sessionCookie(issued) };
  await using holder = new AsyncDisposableStack();
  holder.use(await fixture.place.lock());
  const late = { ...asha, email: 'late@example.com', local_user_id: 'u-2' };
  const refused = sendAsServer(fixture, 'POST', '/members/register', key, late);
  const me = await sendAsPage(fixture, 'GET', '/auth/me', page);
  assert.equal(me.body['authenticated'], true);
  const { status, body, headers } = await refused;
  assert.deepEqual([status, body['code'], body['retryable']], [503, 'storage_unavailable', true]);
  assert.equal(headers.get('retry-after'), '1');
  await holder.disposeAsync();
  const again = await sendAsServer(fixture, 'POST', '/members/register', key, late);
  assert.equal(again.body['created'], true);
});

test('an unreadable store is 503 without details; a page with a key is still refused', async (t) => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { keys } = fixture.context.store.read;
  t.mock.method(keys, 'presented', failingDisk);
  t.mock.method(keys, 'byId', failingDisk);
  const key = fixture.keys.books;
  const refused = await sendAsServer(fixture, 'POST', '/members/register', key, asha);
  assert.deepEqual([refused.status, refused.body['code']], [503, 'storage_unavailable']);
  assert.equal(refused.headers.get('retry-after'), '1');
  assert.doesNotMatch(refused.text, /disk/);
  const page = { origin: 'https://books.example.com', 'x-api-key': key };
  const shown = await sendRequest(fixture, 'POST', '/members/register', page, asha);
  assert.deepEqual([shown.status, shown.body['code']], [401, 'browser_call_refused']);
  t.mock.restoreAll();
  const again = await sendAsServer(fixture, 'POST', '/members/register', key, asha);
  assert.equal(again.status, 201);
});

test('a clock that was a day ahead moves no statistics and ends no session early', async () => {
  await using rig = await membersRig();
  const books = await rig.caller('books');
  const { svc_uid } = await register(rig.context, books, asha);
  const before = await issueSso(rig.context, books, asha);
  const right = rig.clock.now;
  const visit = { svc_uid, platform: 'books', event: 'visit' };
  rig.clock.now = right + dayMs;
  const during = await issueSso(rig.context, books, asha);
  await recordEvent(rig.context, books, { ...visit, event_id: 'ahead' });
  rig.clock.now = right;
  for (const { token } of [before, during]) {
    assert.notEqual(await checkSession(rig.context, token), null);
  }
  rig.clock.now = right + 7 * dayMs;
  await runRetention(rig.context);
  rig.clock.now = right + 6 * dayMs;
  assert.notEqual(await checkSession(rig.context, before.token), null);
  rig.clock.now = right;
  const again = await recordEvent(rig.context, books, { ...visit, event_id: 'ahead' });
  assert(again.duplicate);
  const later = await issueSso(rig.context, books, asha);
  assert.notEqual(await checkSession(rig.context, later.token), null);
  rig.clock.now = right - dayMs;
  assert((await recordEvent(rig.context, books, { ...visit, event_id: 'behind' })).accepted);
  assert.notEqual(await checkSession(rig.context, before.token), null);
  rig.clock.now = right + 7 * dayMs - 1;
  assert.notEqual(await checkSession(rig.context, before.token), null);
  rig.clock.now = right + 7 * dayMs;
  assert.equal(await checkSession(rig.context, before.token), null);
  const { weeks } = await northStar(rig.context, 'operator', 2);
  assert.deepEqual(
    weeks.map(({ active_members: members }) => members),
    [0, 1],
  );
});

function failingDisk(): never {
  throw Object.assign(new Error('disk I/O error'), { errcode: 10 });
}

/** Does the work as an unprivileged user, since permissions of files do not bind root. */
async function asUnprivileged(folder: string, work: () => Promise<void>): Promise<void> {
  const { geteuid, seteuid } = process;
  if (geteuid === undefined || seteuid === undefined || geteuid() !== 0) return work();
  const { chownSync } = await import('node:fs');
  chownSync(folder, unprivileged, unprivileged);
  seteuid(unprivileged);
  try {
    await work();
  } finally {
    seteuid(0);
  }
}

const unprivileged = 65_534;
