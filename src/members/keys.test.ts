import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersRig, operator } from '../../test/members/rig.ts';
import {
  authenticateKey,
  flagKeyInBrowser,
  issueKey,
  requirePlatform,
  requireScope,
  revokeKey,
  rotateKey,
} from './keys.ts';
import { memberLimits } from './limits.ts';
import { PlatformDirectory } from './platform-directory.ts';
import { seoulDay } from './seoul-day.ts';
import type { ApiKey } from './store/entities.ts';

test('the label of a key is cut between characters, and U+0000 in it is no fault', async () => {
  await using rig = await membersRig();
  const request = { platform: 'books', scopes: [], label: `\0${'x'.repeat(98)}😀 and more` };
  const { key } = await issueKey(rig.context, request, operator);
  const stored = await rig.context.store.read.keys.byId(key.kid);
  assert.equal(stored?.label, `\ufffd${'x'.repeat(98)}😀`);
});

test('a key gives its platform and scopes; a missing and an unknown key get their codes', async () => {
  await using rig = await membersRig();
  const { secret, key } = await issueKey(
    rig.context,
    { platform: 'books', scopes: ['sso:issue'] },
    operator,
  );
  assert.match(secret, /^svck_live_[a-z2-7]{10}_[a-z2-7]{59}$/);
  const caller = await authenticateKey(rig.context, secret);
  assert.deepEqual([caller.kid, caller.platform?.code], [key.kid, 'books']);
  requireScope(caller, 'sso:issue');
  assert.throws(() => requireScope(caller, 'stats:read'), { code: 'insufficient_scope' });
  await assert.rejects(authenticateKey(rig.context, undefined), { code: 'missing_api_key' });
  await assert.rejects(authenticateKey(rig.context, ''), { code: 'missing_api_key' });
  const changed = secret.slice(0, -1) + (secret.endsWith('a') ? 'b' : 'a');
  await assert.rejects(authenticateKey(rig.context, changed), { code: 'invalid_api_key' });
  await assert.rejects(authenticateKey(rig.context, 'x'.repeat(5_000)), {
    code: 'invalid_api_key',
  });
});

test('T17: the platform of a body must be the key’s; the operator’s key is valid for all', async () => {
  await using rig = await membersRig();
  const books = await rig.caller('books');
  await assert.rejects(requirePlatform(rig.context, books, 'music'), {
    code: 'platform_mismatch',
    message: 'The key belongs to books, and the platform in the body is music.',
    status: 403,
  });
  const all = await rig.caller(null);
  assert.equal((await requirePlatform(rig.context, all, 'music')).code, 'music');
});

test('T33: a rotated key works until the overlap ends, then expires; the new has its scopes', async () => {
  await using rig = await membersRig();
  const old = await issueKey(rig.context, { platform: 'books', scopes: ['sso:issue'] }, operator);
  const fresh = await rotateKey(rig.context, old.key.kid, 60_000, operator);
  assert.deepEqual((await authenticateKey(rig.context, fresh.secret)).scopes, ['sso:issue']);
  rig.clock.now += 59_999;
  await authenticateKey(rig.context, old.secret);
  rig.clock.now += 1;
  await assert.rejects(authenticateKey(rig.context, old.secret), { code: 'expired_api_key' });
  await authenticateKey(rig.context, fresh.secret);
});

test('a key with an end passes it on when it is rotated, and is not rotated after it', async () => {
  await using rig = await membersRig();
  const expiresAt = rig.clock.now + 86_400_000;
  const request = { platform: 'books', scopes: [], expiresAt };
  const { key } = await issueKey(rig.context, request, operator);
  const fresh = await rotateKey(rig.context, key.kid, 60_000, operator);
  assert.equal(fresh.key.expiresAt, expiresAt);
  rig.clock.now = expiresAt;
  await assert.rejects(rotateKey(rig.context, fresh.key.kid, 60_000, operator), /has expired/);
  await assert.rejects(authenticateKey(rig.context, fresh.secret), { code: 'expired_api_key' });
});

test('revoked keys do not count towards the limit of live keys', async () => {
  await using rig = await membersRig();
  const issue = () => issueKey(rig.context, { platform: 'books', scopes: [] }, operator);
  const most = memberLimits.keysPerPlatformMax;
  for (let count = 0; count < most - 1; count++) await issue();
  // More revoked keys than the limit, all newer than the live one.
  for (let count = 0; count <= most; count++) {
    rig.clock.now += 1;
    await revokeKey(rig.context, (await issue()).key.kid, operator);
  }
  await issue();
  await assert.rejects(issue, /live keys, which is the maximum/);
});

test('a platform with the maximum of keys can rotate each of them once, with an overlap', async () => {
  await using rig = await membersRig();
  const issue = () => issueKey(rig.context, { platform: 'books', scopes: [] }, operator);
  const rotate = ({ key }: { key: { kid: string } }, overlapMs: number) =>
    rotateKey(rig.context, key.kid, overlapMs, operator);
  const most = memberLimits.keysPerPlatformMax;
  const old = await Array.fromAsync({ length: most }, issue);
  const fresh = await Array.fromAsync(old, (one) => rotate(one, 60_000));
  for (const { secret } of [...old, ...fresh]) await authenticateKey(rig.context, secret);
  await assert.rejects(rotate(fresh[0]!, 60_000), /live keys, which is the maximum/);
  rig.clock.now += 60_000;
  await assert.rejects(issue, /live keys, which is the maximum/);
  await rotate(fresh[0]!, 0);
});

test('pages of the key list have each key once, even with equal times of issue', async () => {
  await using rig = await membersRig();
  const kids: string[] = [];
  for (let count = 0; count < 7; count++) {
    if (count % 3 === 0) rig.clock.now += 1;
    kids.push((await issueKey(rig.context, { platform: null, scopes: [] }, operator)).key.kid);
  }
  const { keys } = rig.context.store.read;
  const seen: ApiKey[] = [];
  for (let page = 0; page < 4; page++) seen.push(...(await keys.list(seen.at(-1) ?? null, 2)));
  assert.deepEqual(seen.map(({ kid }) => kid).toSorted(), kids.toSorted());
  const times = seen.map(({ createdAt }) => createdAt);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => b - a),
  );
});

test('a revoked key is refused at the next request, also in another process', async () => {
  await using rig = await membersRig();
  const { secret, key } = await issueKey(rig.context, { platform: 'books', scopes: [] }, operator);
  await using store = await rig.place.open();
  const elsewhere = { ...rig.context, store, platforms: new PlatformDirectory(store) };
  await authenticateKey(elsewhere, secret);
  await revokeKey(rig.context, key.kid, operator, { leaked: true });
  const setBack = { ...rig.context, now: () => rig.context.now() - 86_400_000 };
  for (const context of [rig.context, elsewhere, setBack]) {
    await assert.rejects(authenticateKey(context, secret), { code: 'revoked_api_key' });
  }
});

test('a key that was rotated is not rotated again, and the refusal names the next one', async () => {
  await using rig = await membersRig();
  const { key } = await issueKey(rig.context, { platform: 'books', scopes: [] }, operator);
  const rotate = (kid: string) => rotateKey(rig.context, kid, 60_000, operator);
  const fresh = await rotate(key.kid);
  await assert.rejects(rotate(key.kid), new RegExp(`already rotated to ${fresh.key.kid}`));
  // The one that follows it works without the end of the overlap.
  assert.equal((await rotate(fresh.key.kid)).key.expiresAt, null);
});

test('rotating a revoked key fails with the advice to issue a new one', async () => {
  await using rig = await membersRig();
  const { key } = await issueKey(rig.context, { platform: 'books', scopes: [] }, operator);
  await revokeKey(rig.context, key.kid, operator);
  const rotated = rotateKey(rig.context, key.kid, 0, operator);
  await assert.rejects(rotated, /is revoked.*Issue a new one/);
});

test('the days of the last use and of a use in a browser are stored', async () => {
  await using rig = await membersRig();
  const { secret, key } = await issueKey(rig.context, { platform: 'books', scopes: [] }, operator);
  await authenticateKey(rig.context, secret);
  await flagKeyInBrowser(rig.context, secret);
  const noted = (await rig.context.store.read.keys.byId(key.kid))!;
  const today = seoulDay(rig.clock.now);
  assert.deepEqual([noted.lastUsedDay, noted.browserSeenDay], [today, today]);
});

test('T12: the store contains only the hash of a key', async () => {
  await using rig = await membersRig();
  const { secret } = await issueKey(rig.context, { platform: 'books', scopes: [] }, operator);
  const stored = await rig.place.content();
  assert(stored.includes(secret.split('_')[2]!), 'the id of the key is there');
  assert(!stored.includes(secret) && !stored.includes(secret.slice(21, 60)));
});
