import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersRig, operator, type MembersRig } from '../../test/members/rig.ts';
import { webhookTypes } from '../contract/enumerations.ts';
import { setTier } from './account-status.ts';
import { changeMembership } from './change-membership.ts';
import { endMembership, eraseForPlatform } from './leave.ts';
import { lookUpMember } from './lookup.ts';
import { mergeMembers } from './merge.ts';
import { register } from './register.ts';
import { issueSso } from './sso.ts';
import { addWebhookEndpoint } from './webhooks.ts';

/** Registers a user a minute later, and returns the answer with the codes of its warnings. */
async function join(rig: MembersRig, platform: string, email: string, id: string, more = {}) {
  rig.clock.now += 61_000;
  const user = { platform, email, local_user_id: id, ...more };
  const answer = await register(rig.context, await rig.caller(platform), user);
  return { ...answer, codes: answer.warnings.map(({ code }) => code) };
}

async function signIn(rig: MembersRig, platform: string, email: string, id: string) {
  const body = { platform, email, local_user_id: id };
  return issueSso(rig.context, await rig.caller(platform), body);
}

async function platformOf(rig: MembersRig, code: string) {
  return (await rig.context.platforms.byCode(code))!;
}

/** Uid and tier of the member that a platform’s local id leads to. */
async function memberOf(rig: MembersRig, platform: string, id: string) {
  const caller = await rig.caller(platform);
  const member = await lookUpMember(rig.context, caller.platform!, { local_user_id: id });
  return [member.svc_uid, member.tier] as const;
}

test('T36: an unverified link of an address loses the member that changed the address', async () => {
  await using rig = await membersRig();
  const owner = await join(rig, 'books', 'old@example.com', '77');
  await setTier(rig.context, owner.svc_uid, 'GOLD', operator);
  const typed = await join(rig, 'forum', 'old@example.com', 'x');
  assert.equal(typed.svc_uid, owner.svc_uid);
  const moved = await join(rig, 'books', 'new@example.com', '77');
  assert.deepEqual(
    [moved.svc_uid, moved.tier, moved.codes],
    [owner.svc_uid, 'GOLD', ['link_moved']],
  );
  const session = await signIn(rig, 'forum', 'old@example.com', 'x');
  assert.notEqual(session.svcUid, owner.svc_uid);
  assert.deepEqual(await memberOf(rig, 'forum', 'x'), [session.svcUid, 'BRONZE']);
  assert.deepEqual(await memberOf(rig, 'books', '77'), [owner.svc_uid, 'GOLD']);
  const rows = await rig.context.store.read.audit.after(0, 200);
  const entry = rows.find(({ action }) => action === 'links_left_behind');
  assert.equal(entry?.subject, session.svcUid);
});

test('T36: a member is closed when its last verified link moves to another member', async () => {
  await using rig = await membersRig();
  const owner = await join(rig, 'books', 'old@example.com', '77');
  await join(rig, 'forum', 'old@example.com', 'x');
  const other = await join(rig, 'music', 'new@example.com', '6');
  const moved = await join(rig, 'books', 'new@example.com', '77');
  assert.equal(moved.svc_uid, other.svc_uid);
  assert.equal(await rig.context.store.read.members.byUid(owner.svc_uid), null);
  const [uid] = await memberOf(rig, 'forum', 'x');
  assert(![owner.svc_uid, other.svc_uid].includes(uid));
});

for (const way of ['of its link', 'of the member'] as const) {
  test(`T36: the end ${way} closes the member, and its unverified links go to a new one`, async () => {
    await using rig = await membersRig();
    const owner = await join(rig, 'books', 'kim@example.com', '77');
    await setTier(rig.context, owner.svc_uid, 'GOLD', operator);
    await join(rig, 'forum', 'kim@example.com', 'x');
    const books = await platformOf(rig, 'books');
    const url = 'https://forum.example.com/hook';
    await addWebhookEndpoint(rig.context, url, webhookTypes, operator, 'forum');
    const left =
      way === 'of its link'
        ? await endMembership(rig.context, books, owner.svc_uid, {}, operator)
        : await eraseForPlatform(rig.context, books, owner.svc_uid, {}, operator);
    assert.deepEqual(left, { left: true, erased: true });
    const messages = await rig.context.store.read.webhooks.list(1e9, 10);
    assert.deepEqual(
      messages.map(({ type }) => type),
      ['member.created', 'membership.moved'],
    );
    const forum = await platformOf(rig, 'forum');
    await assert.rejects(lookUpMember(rig.context, forum, { svc_uid: owner.svc_uid }), {
      code: 'member_not_found',
    });
    const session = await signIn(rig, 'forum', 'kim@example.com', 'x');
    assert.deepEqual(await memberOf(rig, 'forum', 'x'), [session.svcUid, 'BRONZE']);
    assert.notEqual(session.svcUid, owner.svc_uid);
    const again = await join(rig, 'books', 'kim@example.com', '78');
    assert.deepEqual([again.svc_uid, again.linked], [session.svcUid, true]);
  });
}

test('T36: a link whose verification was withdrawn still keeps its member from other links', async () => {
  await using rig = await membersRig();
  const owner = await join(rig, 'books', 'old@example.com', '77');
  await join(rig, 'forum', 'old@example.com', 'x');
  await join(rig, 'books', 'old@example.com', '77', { email_verified: false });
  const moved = await join(rig, 'books', 'new@example.com', '77', { email_verified: false });
  assert.equal(moved.svc_uid, owner.svc_uid);
  // A user who typed the next address gets no more of the member.
  const typed = await join(rig, 'forum', 'new@example.com', 'y');
  assert.equal(typed.svc_uid, owner.svc_uid);
  await join(rig, 'books', 'newest@example.com', '77');
  const [uid] = await memberOf(rig, 'forum', 'y');
  assert.notEqual(uid, owner.svc_uid);
});

test('T36: a merged member is closed with its last verified link, and its addresses separate', async () => {
  await using rig = await membersRig();
  const into = await join(rig, 'books', 'kim@example.com', '1');
  const from = await join(rig, 'forum', 'lee@example.com', 'x');
  await join(rig, 'forum', 'kim@example.com', 'y');
  const merge = { from: from.svc_uid, into: into.svc_uid, dryRun: false, isSamePerson: true };
  await mergeMembers(rig.context, merge, operator);
  const books = await platformOf(rig, 'books');
  const left = await endMembership(rig.context, books, into.svc_uid, {}, operator);
  assert(left.erased);
  const uids = [await memberOf(rig, 'forum', 'x'), await memberOf(rig, 'forum', 'y')].flat();
  assert.equal(new Set([...uids, from.svc_uid, into.svc_uid]).size, 5);
});

test('T36: merged members that had the same address keep no unverified link of it', async () => {
  await using rig = await membersRig();
  const first = await join(rig, 'books', 'kim@example.com', '1');
  await join(rig, 'music', 'kim@example.com', '1');
  const moved = await join(rig, 'books', 'lee@example.com', '1');
  await join(rig, 'music', 'kim@example.com', '1', { email_verified: false });
  const typed = await join(rig, 'forum', 'kim@example.com', 'x');
  for (const from of [typed.svc_uid, moved.svc_uid]) {
    await mergeMembers(
      rig.context,
      { from, into: first.svc_uid, dryRun: false, isSamePerson: true },
      operator,
    );
  }
  const books = await platformOf(rig, 'books');
  const left = await eraseForPlatform(rig.context, books, first.svc_uid, {}, operator);
  assert(left.erased);
  const [[music], [forum]] = [await memberOf(rig, 'music', '1'), await memberOf(rig, 'forum', 'x')];
  assert.equal(music, forum);
  assert(![first, moved, typed].some(({ svc_uid: uid }) => uid === music));
});

for (const order of ['earlier into next', 'next into earlier'] as const) {
  test(`T36: merged owners of an address are closed with its last verified link (${order})`, async () => {
    await using rig = await membersRig();
    const earlier = await join(rig, 'books', 'kim@example.com', '1');
    await join(rig, 'music', 'kim@example.com', '1');
    await join(rig, 'books', 'lee@example.com', '1');
    await join(rig, 'music', 'kim@example.com', '1', { email_verified: false });
    const next = await join(rig, 'cards', 'kim@example.com', '5');
    const [from, into] = order === 'earlier into next' ? [earlier, next] : [next, earlier];
    const merge = { from: from.svc_uid, into: into.svc_uid, dryRun: false, isSamePerson: true };
    await mergeMembers(rig.context, merge, operator);
    await setTier(rig.context, into.svc_uid, 'GOLD', operator);
    const cards = await platformOf(rig, 'cards');
    const left = await endMembership(rig.context, cards, next.svc_uid, {}, operator);
    assert(left.erased);
    const [uid, tier] = await memberOf(rig, 'music', '1');
    assert(![earlier.svc_uid, next.svc_uid].includes(uid));
    assert.equal(tier, 'BRONZE');
  });
}

test('of two unverified links of a member, the one that moves leaves the member to the other', async () => {
  await using rig = await membersRig();
  const first = await join(rig, 'forum', 'kim@example.com', 'x');
  await join(rig, 'books', 'kim@example.com', '1', { email_verified: false });
  await join(rig, 'books', 'lee@example.com', '1');
  assert.deepEqual(await memberOf(rig, 'forum', 'x'), [first.svc_uid, 'BRONZE']);
});

test('a late sign-up of the next owner is not refused because the former member was closed', async () => {
  await using rig = await membersRig();
  await join(rig, 'books', 'old@example.com', '77');
  await join(rig, 'music', 'new@example.com', '6');
  const changed = { requested_at: new Date((rig.clock.now += 61_000)).toISOString() };
  const early = { requested_at: new Date((rig.clock.now += 61_000)).toISOString() };
  await join(rig, 'books', 'new@example.com', '77', changed);
  const next = await join(rig, 'cards', 'old@example.com', '5', early);
  assert(next.created);
  const same = await join(rig, 'books', 'old@example.com', '78', early);
  assert.equal(same.svc_uid, next.svc_uid);
  const late = await join(rig, 'books', 'old@example.com', '77', early);
  assert.equal(late.codes[0], 'local_user_id_mismatch');
});

test('an address that was confirmed is not moved by a change queued before', async () => {
  await using rig = await membersRig();
  const { svc_uid: uid } = await join(rig, 'books', 'kim@example.com', '1');
  const queued = () => ({ requested_at: new Date((rig.clock.now += 61_000)).toISOString() });
  const first = queued();
  await join(rig, 'books', 'kim@example.com', '1');
  const late = await join(rig, 'books', 'lee@example.com', '1', first);
  assert.deepEqual([late.svc_uid, late.codes], [uid, ['registration_outdated']]);
  const second = queued();
  const same = { email: 'kim@example.com', expected_local_user_id: '1' };
  rig.clock.now += 61_000;
  await changeMembership(rig.context, await platformOf(rig, 'books'), uid, same, operator);
  const later = await join(rig, 'books', 'lee@example.com', '1', second);
  assert.deepEqual(later.codes, ['registration_outdated']);
});
