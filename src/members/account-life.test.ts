import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersRig, operator, type MembersRig } from '../../test/members/rig.ts';
import { setTier } from './account-status.ts';
import { changeMembership } from './change-membership.ts';
import { emailHash } from './email.ts';
import { eraseMember } from './erase.ts';
import { recordEvent } from './events.ts';
import { exportMember } from './export.ts';
import { endMembership, eraseForPlatform, leave } from './leave.ts';
import { lookUpMember } from './lookup.ts';
import { mergeMembers, splitMembers } from './merge.ts';
import { register } from './register.ts';
import { checkSession } from './session.ts';
import { issueSso, verifySso } from './sso.ts';

/** Registers a user and returns the answer with the codes of its warnings. */
async function join(rig: MembersRig, platform: string, email: string, id?: string, more = {}) {
  const caller = await rig.caller(platform);
  rig.clock.now += 1_000;
  const user = { platform, email, ...(id === undefined ? {} : { local_user_id: id }), ...more };
  const answer = await register(rig.context, caller, user);
  return { ...answer, codes: answer.warnings.map(({ code }) => code) };
}

async function signIn(rig: MembersRig, platform: string, email: string, id: string) {
  const body = { platform, email, local_user_id: id };
  return (await issueSso(rig.context, await rig.caller(platform), body)).token;
}

async function platformOf(rig: MembersRig, code: string) {
  return (await rig.context.platforms.byCode(code))!;
}

/** Local id of the account to which a session signs in on a platform; null for none. */
async function offered(rig: MembersRig, platform: string, token: string): Promise<string | null> {
  const verdict = await verifySso(rig.context, await platformOf(rig, platform), token);
  return verdict.sign_in_allowed ? (verdict.membership?.local_user_id ?? null) : null;
}

async function change(rig: MembersRig, platform: string, uid: string, body: object) {
  return changeMembership(rig.context, await platformOf(rig, platform), uid, body, operator);
}

async function actions(rig: MembersRig): Promise<readonly string[]> {
  const rows = await rig.context.store.read.audit.after(0, 200);
  return rows.map(({ action }) => action);
}

test('T36: the next owner of an old address is not offered the account that moved away', async () => {
  await using rig = await membersRig();
  const first = await join(rig, 'books', 'old@example.com', '77');
  await setTier(rig.context, first.svc_uid, 'GOLD', operator);
  const before = await signIn(rig, 'books', 'old@example.com', '77');
  const moved = await join(rig, 'books', 'new@example.com', '77');
  assert.deepEqual(
    [moved.svc_uid, moved.tier, moved.created, moved.codes],
    [first.svc_uid, 'GOLD', false, ['link_moved']],
  );
  assert.equal(await checkSession(rig.context, before), null);
  const stranger = await join(rig, 'music', 'old@example.com', '5');
  assert.deepEqual([stranger.created, stranger.tier], [true, 'BRONZE']);
  const token = await signIn(rig, 'music', 'old@example.com', '5');
  assert.equal(await offered(rig, 'books', token), null);
  await join(rig, 'music', 'new@example.com', '6');
  const owner = await signIn(rig, 'music', 'new@example.com', '6');
  assert.equal(await offered(rig, 'books', owner), '77');
  assert((await actions(rig)).includes('link_moved'));
});

test('a moved link goes to the member of the new address, and an empty member is closed', async () => {
  await using rig = await membersRig();
  const first = await join(rig, 'books', 'old@example.com', '77', { extra: { kept: true } });
  const event = { svc_uid: first.svc_uid, platform: 'books', event: 'visit', event_id: 'v' };
  await recordEvent(rig.context, await rig.caller('books'), event);
  const other = await join(rig, 'music', 'new@example.com', '6');
  const moved = await join(rig, 'books', 'new@example.com', '77');
  assert.deepEqual(
    [moved.svc_uid, moved.created, moved.linked, moved.codes],
    [other.svc_uid, false, true, ['link_moved']],
  );
  const all = await exportMember(rig.context, other.svc_uid, operator);
  const link = all.memberships.find(({ platform }) => platform === 'books');
  assert.deepEqual(link?.extra, { kept: true });
  assert.deepEqual(
    link.events.map(({ event_id: id }) => id === 'v'),
    [true, false],
  );
  // A retry with the previous uid counts for the same user, who has another uid now.
  assert((await recordEvent(rig.context, await rig.caller('books'), event)).duplicate);
  const lookup = lookUpMember(rig.context, await platformOf(rig, 'books'), {
    svc_uid: first.svc_uid,
  });
  await assert.rejects(lookup, { code: 'member_not_found' });
  assert((await join(rig, 'books', 'old@example.com', '78')).created);
});

test('a moved link gets a new member if its member is shared or its platform asserted', async () => {
  await using rig = await membersRig();
  const shared = await join(rig, 'books', 'kim@example.com', '1');
  await join(rig, 'music', 'kim@example.com', '2');
  const moved = await join(rig, 'books', 'kim2@example.com', '1');
  assert.deepEqual([moved.created, moved.codes], [true, ['link_moved']]);
  const music = await signIn(rig, 'music', 'kim@example.com', '2');
  assert.equal((await checkSession(rig.context, music))?.member.svcUid, shared.svc_uid);
  assert.equal(await offered(rig, 'books', music), null);
  const typed = await join(rig, 'forum', 'lee@example.com', '9');
  const retyped = await join(rig, 'forum', 'lee2@example.com', '9');
  assert(retyped.created && retyped.svc_uid !== typed.svc_uid);
});

test('a registration with the address of one link and the id of another moves nothing', async () => {
  await using rig = await membersRig();
  const kim = await join(rig, 'books', 'kim@example.com', '1');
  await join(rig, 'books', 'lee@example.com', '2');
  const mixed = await join(rig, 'books', 'kim@example.com', '2');
  assert.deepEqual(
    [mixed.svc_uid, mixed.codes],
    [kim.svc_uid, ['local_user_id_mismatch', 'email_taken']],
  );
  assert.notEqual(await signIn(rig, 'books', 'kim@example.com', '1'), '');
});

test('a late retry does not move a link back, and returns the member of the link', async () => {
  await using rig = await membersRig();
  const early = { requested_at: new Date(rig.clock.now).toISOString() };
  const current = await join(rig, 'books', 'new@example.com', '77');
  const late = await join(rig, 'books', 'old@example.com', '77', early);
  assert.deepEqual(
    [late.svc_uid, late.created, late.codes],
    [current.svc_uid, false, ['registration_outdated']],
  );
  assert.equal(await rig.context.store.read.members.count(), 1);
});

test('an address is confirmed only by a request newer than the unverified sign-up', async () => {
  await using rig = await membersRig();
  const [signedUp, confirmed] = [0, 1].map((weeks) => ({
    requested_at: new Date(rig.clock.now + weeks * 604_800_000).toISOString(),
  }));
  rig.clock.now += 604_800_000;
  const sent = (verified: boolean, more = {}) =>
    join(rig, 'books', 'kim@example.com', '77', { email_verified: verified, ...more });
  assert.equal((await sent(false, signedUp)).email_assurance, 'asserted');
  const early = await sent(true, signedUp);
  assert.deepEqual([early.email_assurance, early.codes], ['asserted', ['registration_outdated']]);
  const present = await sent(true, confirmed);
  assert.deepEqual([present.email_assurance, present.codes], ['verified', []]);
});

test('T36: a sign-up and address changes that arrive late but in order end at the last address', async () => {
  await using rig = await membersRig();
  const [signedUp, changed, changedAgain] = [0, 1, 2].map((minute) => ({
    requested_at: new Date(rig.clock.now + minute * 60_000).toISOString(),
  }));
  rig.clock.now += 3_600_000;
  await join(rig, 'books', 'old@example.com', '77', signedUp);
  const moved = await join(rig, 'books', 'new@example.com', '77', changed);
  assert.deepEqual(moved.codes, ['link_moved']);
  const last = await join(rig, 'books', 'newest@example.com', '77', changedAgain);
  assert.deepEqual(last.codes, ['link_moved']);
  const repeated = await join(rig, 'books', 'new@example.com', '77', changed);
  assert.deepEqual(repeated.codes, ['registration_outdated']);
  assert.equal(repeated.svc_uid, last.svc_uid);
});

test('a membership’s address and local id change only if the expected current ones match', async () => {
  await using rig = await membersRig();
  const { svc_uid: uid } = await join(rig, 'books', 'kim@example.com', '1');
  await join(rig, 'books', 'lee@example.com', '2');
  const refusals = [
    [{}, 'validation_failed'],
    [{ local_user_id: '3' }, 'validation_failed'],
    [{ email: 'a@example.com' }, 'validation_failed'],
    [{ email: 'a@', expected_local_user_id: '1' }, 'invalid_email'],
    [{ email: 'a@example.com', expected_email: 'b@example.com' }, 'version_conflict'],
    [{ local_user_id: '3', expected_local_user_id: '2' }, 'version_conflict'],
    [{ local_user_id: '3', expected_local_user_id: null }, 'version_conflict'],
    [{ local_user_id: '2', expected_local_user_id: '1' }, 'local_user_id_taken'],
    [{ email: 'lee@example.com', expected_email: 'kim@example.com' }, 'email_taken'],
  ] as const;
  for (const [body, code] of refusals) {
    await assert.rejects(change(rig, 'books', uid, body), { code }, JSON.stringify(body));
  }
  const token = await signIn(rig, 'books', 'kim@example.com', '1');
  const answer = await change(rig, 'books', uid, {
    email: ' Kim@New.example.com',
    expected_email: 'KIM@example.com',
    local_user_id: 4,
    expected_local_user_id: '1',
  });
  assert.deepEqual(answer, { svc_uid: uid, platform: 'books', local_user_id: '4', moved: true });
  assert.equal(await checkSession(rig.context, token), null);
  await signIn(rig, 'books', 'kim@new.example.com', '4');
  assert.equal(
    await rig.context.store.read.members.byEmail('main', emailHash('kim@example.com')),
    null,
  );
  const again = { email: 'kim@new.example.com', expected_local_user_id: '4' };
  assert.equal((await change(rig, 'books', uid, again)).moved, false);
});

test('a user who leaves is erased, and comes back only as a new member with a new id', async () => {
  await using rig = await membersRig();
  const { context } = rig;
  const early = { requested_at: new Date(rig.clock.now).toISOString() };
  const first = await join(rig, 'books', 'kim@example.com', 'A');
  const token = await signIn(rig, 'books', 'kim@example.com', 'A');
  const books = await platformOf(rig, 'books');
  rig.clock.now += 1_000;
  const left = await leave(context, books, { local_user_id: 'A' }, operator);
  assert.deepEqual(left, { left: true, erased: true });
  assert.equal(await checkSession(context, token), null);
  await assert.rejects(leave(context, books, { local_user_id: 'A' }, operator), {
    code: 'member_not_found',
  });
  await assert.rejects(endMembership(context, books, first.svc_uid, {}, operator), {
    code: 'member_erased',
  });
  await assert.rejects(join(rig, 'books', 'kim@example.com', 'A', early), {
    code: 'member_erased',
  });
  // A former address of the closed account.
  await assert.rejects(join(rig, 'books', 'older@example.com', 'A', early), {
    code: 'member_erased',
  });
  const again = await join(rig, 'books', 'kim@example.com', 'B');
  assert(again.created && again.svc_uid !== first.svc_uid && again.codes.length === 0);
  await signIn(rig, 'books', 'kim@example.com', 'B');
  await assert.rejects(signIn(rig, 'books', 'kim@example.com', 'A'), { code: 'member_not_found' });
});

test('a request to leave that arrives late does not refuse a sign-up made after leaving', async () => {
  await using rig = await membersRig();
  const { context } = rig;
  const books = await platformOf(rig, 'books');
  const user = { local_user_id: 'A', requested_at: '' };
  await assert.rejects(leave(context, books, user, operator), { code: 'validation_failed' });
  await join(rig, 'books', 'kim@example.com', 'A');
  const [before, left, after] = [-500, 0, 500].map((ms) => ({
    requested_at: new Date(rig.clock.now + 1_000 + ms).toISOString(),
  }));
  rig.clock.now += 3_600_000;
  await leave(context, books, { local_user_id: 'A', ...left }, operator);
  await assert.rejects(join(rig, 'books', 'kim@example.com', 'A', before), {
    code: 'member_erased',
  });
  const again = await join(rig, 'books', 'kim@example.com', 'B', after);
  assert(again.created && again.codes.length === 0);

  // A time before the link counts as that of the link, a future time as the present.
  const linked = { requested_at: new Date(rig.clock.now).toISOString() };
  const timesOutside = [new Date(0), new Date(rig.clock.now + 86_400_000)];
  for (const at of timesOutside) {
    await join(rig, 'books', 'lee@example.com', 'C');
    await leave(context, books, { local_user_id: 'C', requested_at: at.toISOString() }, operator);
    await assert.rejects(join(rig, 'books', 'lee@example.com', 'C', linked), {
      code: 'member_erased',
    });
  }
  rig.clock.now += 1_000;
  const present = { requested_at: new Date(rig.clock.now).toISOString() };
  assert((await join(rig, 'books', 'lee@example.com', 'D', present)).created);
});

test('leaving one of two platforms ends only that link and refuses late retries of its sign-up', async () => {
  await using rig = await membersRig();
  const { context } = rig;
  const early = { requested_at: new Date(rig.clock.now).toISOString() };
  const { svc_uid: uid } = await join(rig, 'books', 'kim@example.com', '1', { extra: { a: 1 } });
  await join(rig, 'music', 'kim@example.com', '2');
  const [books, music] = [await platformOf(rig, 'books'), await platformOf(rig, 'music')];
  const ofBooks = await signIn(rig, 'books', 'kim@example.com', '1');
  const ofMusic = await signIn(rig, 'music', 'kim@example.com', '2');
  const wrong = { expected_local_user_id: '9' };
  await assert.rejects(endMembership(context, books, uid, wrong, operator), {
    code: 'version_conflict',
  });
  const exported = await exportMember(context, uid, operator, books);
  assert.deepEqual(
    exported.memberships.map(({ platform, extra }) => [platform, extra]),
    [['books', { a: 1 }]],
  );
  rig.clock.now += 1_000;
  const expected = { expected_local_user_id: '1' };
  const left = await endMembership(context, books, uid, expected, operator);
  assert.deepEqual(left, { left: true, erased: false });
  assert.equal(await checkSession(context, ofBooks), null);
  assert.equal(await offered(rig, 'books', ofMusic), null);
  assert.equal(await offered(rig, 'music', ofMusic), '2');
  await assert.rejects(join(rig, 'books', 'kim@example.com', '1', early), {
    code: 'member_erased',
  });
  await assert.rejects(exportMember(context, uid, operator, books), { code: 'member_not_found' });
  const back = await join(rig, 'books', 'kim@example.com', '7');
  assert.deepEqual([back.svc_uid, back.linked], [uid, true]);
  assert.deepEqual(await eraseForPlatform(context, books, uid, {}, operator), {
    left: true,
    erased: false,
  });
  assert.deepEqual(await eraseForPlatform(context, music, uid, {}, operator), {
    left: true,
    erased: true,
  });
  assert.equal((await actions(rig)).filter((action) => action === 'member_left').length, 3);
});

test('only the first verified login or registration gives an id to a link without one', async () => {
  await using rig = await membersRig();
  await join(rig, 'books', 'kim@example.com');
  await join(rig, 'books', 'lee@example.com', '5');
  // Another link has this id.
  await assert.rejects(signIn(rig, 'books', 'kim@example.com', '5'), { code: 'member_not_found' });
  const taken = await join(rig, 'books', 'kim@example.com', '5');
  assert.deepEqual(taken.codes, ['local_user_id_mismatch', 'email_taken']);
  const token = await signIn(rig, 'books', 'kim@example.com', '1');
  assert.equal(await offered(rig, 'books', token), '1');
  await assert.rejects(signIn(rig, 'books', 'kim@example.com', '2'), { code: 'member_not_found' });
  await join(rig, 'forum', 'typed@example.com');
  await assert.rejects(signIn(rig, 'forum', 'typed@example.com', '3'), {
    code: 'member_not_found',
  });
  const unbound = await join(rig, 'forum', 'typed@example.com', '3');
  assert.deepEqual(unbound.codes, ['local_user_id_unbound']);
  await assert.rejects(signIn(rig, 'forum', 'typed@example.com', '3'), {
    code: 'member_not_found',
  });
  const lowered = { email_verified: false };
  await join(rig, 'music', 'park@example.com', undefined, lowered);
  assert.deepEqual((await join(rig, 'music', 'park@example.com', '4')).codes, [
    'local_user_id_unbound',
  ]);
  const raised = await join(rig, 'music', 'park@example.com', '4', { email_verified: true });
  assert.deepEqual(raised.codes, []);
  await signIn(rig, 'music', 'park@example.com', '4');
});

test('an address that left a merged member gets a new member; a split erases an empty member', async () => {
  await using rig = await membersRig();
  const { context } = rig;
  const into = await join(rig, 'books', 'kim@example.com', '1');
  const from = await join(rig, 'music', 'lee@example.com', '2');
  const merge = { from: from.svc_uid, into: into.svc_uid, dryRun: false, isSamePerson: true };
  const { merge_id: mergeId } = await mergeMembers(context, merge, operator);
  const moved = await join(rig, 'books', 'kim2@example.com', '1');
  assert.notEqual(moved.svc_uid, into.svc_uid);
  const stranger = await join(rig, 'cards', 'kim@example.com', '3');
  assert(stranger.created);
  const token = await signIn(rig, 'cards', 'kim@example.com', '3');
  assert.equal(await offered(rig, 'music', token), null);
  const session = await checkSession(context, await signIn(rig, 'music', 'lee@example.com', '2'));
  assert.deepEqual([session?.member.svcUid, session?.email], [into.svc_uid, '']);
  await splitMembers(context, { mergeId: mergeId!, dryRun: false }, operator);
  const { members } = context.store.read;
  assert.equal(await members.byUid(into.svc_uid), null);
  assert.equal((await members.byUid(from.svc_uid))?.platforms, 1 << 1);
  assert((await actions(rig)).includes('member_erased'));
});

test('after a merge a platform is offered the account that its session started with', async () => {
  await using rig = await membersRig();
  const into = await join(rig, 'books', 'kim@example.com', '1');
  const from = await join(rig, 'books', 'lee@example.com', '2');
  const merge = { from: from.svc_uid, into: into.svc_uid, dryRun: false, isSamePerson: true };
  await mergeMembers(rig.context, merge, operator);
  const [first, second] = [
    await signIn(rig, 'books', 'kim@example.com', '1'),
    await signIn(rig, 'books', 'lee@example.com', '2'),
  ];
  assert.equal(await offered(rig, 'books', first), '1');
  assert.equal(await offered(rig, 'books', second), '2');
});

test('an erased member that changed its address leaves no address in the store', async () => {
  await using rig = await membersRig();
  const { svc_uid: uid } = await join(rig, 'books', 'old@example.com', '77');
  await join(rig, 'books', 'new.address@example.com', '77');
  const { read } = rig.context.store;
  const { id } = (await read.members.byUid(uid))!;
  assert.equal(await read.members.email(id), 'new.address@example.com');
  await join(rig, 'books', 'newer@example.com', '77');
  assert.equal(await read.members.email(id), 'newer@example.com');
  await eraseMember(rig.context, uid, operator);
  assert.equal(await read.members.email(id), null);
});
