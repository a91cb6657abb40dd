import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersRig, operator, type MembersRig } from '../../test/members/rig.ts';
import { setTier } from './account-status.ts';
import { changeMembership } from './change-membership.ts';
import { giveConsent } from './consents.ts';
import { emailHash } from './email.ts';
import { grantEntitlement, listEntitlements, revokeEntitlement } from './entitlements.ts';
import { eraseMember } from './erase.ts';
import { recordEvent, recordEvents } from './events.ts';
import { endMembership, eraseForPlatform, leave } from './leave.ts';
import { lookUpMember } from './lookup.ts';
import { mergeMembers, splitMembers } from './merge.ts';
import { reconcile } from './reconcile.ts';
import { register } from './register.ts';
import { searchMembers } from './search-members.ts';
import { issueSso, revokeSso, verifySso } from './sso.ts';
import { addWebhookEndpoint } from './webhooks.ts';

/** Registers a user a minute later, and returns the answer with the codes of its warnings. */
async function join(rig: MembersRig, platform: string, email: string, id?: string, more = {}) {
  rig.clock.now += 61_000;
  const user = { platform, email, ...(id === undefined ? {} : { local_user_id: id }), ...more };
  const answer = await register(rig.context, await rig.caller(platform), user);
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

async function grant(rig: MembersRig, platform: string | null, uid: string, code: string) {
  const granter = platform === null ? null : await platformOf(rig, platform);
  const { context } = rig;
  await context.store.write((tx) => grantEntitlement(context, tx, granter, uid, code, {}));
}

async function find(rig: MembersRig, platform: string, criteria: object) {
  const { svc_uid: uid, entitlements } = await lookUpMember(
    rig.context,
    await platformOf(rig, platform),
    criteria,
  );
  return { uid, entitlements };
}

/** Registers a user of books and music, who then changes the address at books. */
async function registerMover(rig: MembersRig) {
  const first = await join(rig, 'books', 'old@example.com', 'b1');
  await join(rig, 'music', 'old@example.com', 'm1');
  await grant(rig, 'books', first.svc_uid, 'archive');
  await grant(rig, null, first.svc_uid, 'gift');
  await setTier(rig.context, first.svc_uid, 'GOLD', operator);
  const moved = await join(rig, 'books', 'new@example.com', 'b1');
  return { old: first.svc_uid, moved };
}

test('T43: the next owner of an address does not join its former member', async () => {
  await using rig = await membersRig();
  const { old, moved } = await registerMover(rig);
  assert.deepEqual([moved.created, moved.codes], [true, ['link_moved']]);
  const next = await join(rig, 'books', 'old@example.com', 'b2');
  assert.deepEqual([next.created, next.tier], [true, 'BRONZE']);
  assert(![old, moved.svc_uid].includes(next.svc_uid));
  const token = await signIn(rig, 'books', 'old@example.com', 'b2');
  assert.equal(await offered(rig, 'music', token), null);
  const elsewhere = await join(rig, 'cards', 'old@example.com', 'c2');
  assert.equal(elsewhere.svc_uid, next.svc_uid);
  assert.deepEqual(await find(rig, 'cards', { email: 'old@example.com' }), {
    uid: next.svc_uid,
    entitlements: [],
  });
});

test('a shared member that gave up its address is still found by its remaining links', async () => {
  await using rig = await membersRig();
  const { old, moved } = await registerMover(rig);
  await join(rig, 'books', 'old@example.com', 'b2');
  const same = await join(rig, 'music', 'old@example.com', 'm1');
  assert.deepEqual([same.svc_uid, same.tier, same.codes], [old, 'GOLD', []]);
  const token = await signIn(rig, 'music', 'old@example.com', 'm1');
  assert.equal(await offered(rig, 'music', token), 'm1');
  assert.equal((await find(rig, 'music', { email: 'old@example.com' })).uid, old);
  const music = await platformOf(rig, 'music');
  const hash = emailHash('old@example.com').toString('hex');
  assert.deepEqual(await reconcile(rig.context, music, [hash]), []);
  // This pair of address and platform is linked: a second id does not replace the first.
  const other = await join(rig, 'music', 'old@example.com', 'm2');
  assert.deepEqual([other.svc_uid, other.codes], [old, ['local_user_id_mismatch']]);
  const third = await join(rig, 'music', 'park@example.com', 'm3');
  const change = { email: 'old@example.com', expected_local_user_id: 'm3' };
  await assert.rejects(changeMembership(rig.context, music, third.svc_uid, change, operator), {
    code: 'email_taken',
  });
  const unchanged = { email: 'old@example.com', expected_email: 'old@example.com' };
  const answer = await changeMembership(rig.context, music, old, unchanged, operator);
  assert.deepEqual([answer.svc_uid, answer.moved], [old, false]);
  // Once the second link has followed, the user is one member again.
  const followed = await join(rig, 'music', 'new@example.com', 'm1');
  assert.equal(followed.svc_uid, moved.svc_uid);
  assert.equal(await rig.context.store.read.members.byUid(old), null);
});

test('an operator finds the member that has an address, then members that gave it up', async () => {
  await using rig = await membersRig();
  const { old } = await registerMover(rig);
  const search = async () => {
    const found = await searchMembers(rig.context, { email: 'old@example.com' });
    return found.map(({ svcUid }) => svcUid);
  };
  assert.deepEqual(await search(), [old]);
  const next = await join(rig, 'cards', 'old@example.com', 'c2');
  assert.deepEqual(await search(), [next.svc_uid, old]);
});

test('a platform’s grants move with its link; the operator’s grants and the tier stay', async () => {
  await using rig = await membersRig();
  const { old, moved } = await registerMover(rig);
  assert.deepEqual(await find(rig, 'books', { local_user_id: 'b1' }), {
    uid: moved.svc_uid,
    entitlements: ['archive'],
  });
  assert.deepEqual(await find(rig, 'music', { local_user_id: 'm1' }), {
    uid: old,
    entitlements: ['gift'],
  });
  const books = await platformOf(rig, 'books');
  const { context } = rig;
  const revoke = (uid: string) =>
    context.store.write((tx) => revokeEntitlement(context, tx, books, uid, 'archive'));
  assert.equal((await revoke(moved.svc_uid)).ended, 1);
  const rows = await context.store.read.audit.after(0, 200);
  const { detail } = rows.find(({ action }) => action === 'link_moved')!;
  assert.deepEqual(JSON.parse(detail).entitlements, ['archive']);
});

test('a user who returns to an address before its next owner gets the former member back', async () => {
  await using rig = await membersRig();
  const { old, moved } = await registerMover(rig);
  const back = await join(rig, 'books', 'old@example.com', 'b1');
  assert.deepEqual([back.svc_uid, back.tier, back.codes], [old, 'GOLD', ['link_moved']]);
  assert.deepEqual((await find(rig, 'books', { svc_uid: old })).entitlements, ['archive', 'gift']);
  assert.equal(await rig.context.store.read.members.byUid(moved.svc_uid), null);
  const third = await join(rig, 'cards', 'old@example.com', 'c1');
  assert.equal(third.svc_uid, old);
});

test('T43: a user who returns unverified or after the next owner gets another member', async () => {
  for (const isTaken of [true, false]) {
    await using rig = await membersRig();
    const { old } = await registerMover(rig);
    if (isTaken) await join(rig, 'cards', 'old@example.com', 'c2');
    const verified = isTaken ? {} : { email_verified: false };
    const back = await join(rig, 'books', 'old@example.com', 'b1', verified);
    assert.notEqual(back.svc_uid, old);
    const next = await join(rig, 'forum', 'old@example.com', 'f2');
    assert.equal(next.svc_uid, back.svc_uid);
  }
});

test('T43: an unverified link that moves does not make its member give up the address', async () => {
  await using rig = await membersRig();
  const owner = await join(rig, 'books', 'old@example.com', 'b1');
  await join(rig, 'music', 'old@example.com', 'm1');
  await join(rig, 'forum', 'old@example.com', 'f1');
  await grant(rig, 'forum', owner.svc_uid, 'badge');
  const away = await join(rig, 'forum', 'park@example.com', 'f1');
  assert.deepEqual(await find(rig, 'forum', { local_user_id: 'f1' }), {
    uid: away.svc_uid,
    entitlements: ['badge'],
  });
  await join(rig, 'forum', 'old@example.com', 'f2');
  assert.equal((await find(rig, 'books', { email: 'old@example.com' })).uid, owner.svc_uid);
  await join(rig, 'books', 'new@example.com', 'b1');
  const left = await find(rig, 'forum', { local_user_id: 'f2' });
  assert(![owner.svc_uid, away.svc_uid].includes(left.uid));
  const next = await join(rig, 'cards', 'old@example.com', 'c2');
  assert.equal(next.svc_uid, left.uid);
});

test('T43: a link without an id takes none from the next owner of a given-up address', async () => {
  await using rig = await membersRig();
  const owner = await join(rig, 'books', 'old@example.com', 'b1');
  await join(rig, 'music', 'old@example.com');
  await join(rig, 'cards', 'old@example.com', 'c1');
  await join(rig, 'books', 'new@example.com', 'b1');
  const given = await join(rig, 'music', 'old@example.com', 'm2');
  assert.deepEqual([given.svc_uid, given.codes], [owner.svc_uid, ['local_user_id_unbound']]);
  await assert.rejects(signIn(rig, 'music', 'old@example.com', 'm2'), { code: 'member_not_found' });
  const music = await platformOf(rig, 'music');
  const change = { local_user_id: 'm1', expected_local_user_id: null };
  await changeMembership(rig.context, music, owner.svc_uid, change, operator);
  assert.equal(
    await offered(rig, 'cards', await signIn(rig, 'music', 'old@example.com', 'm1')),
    'c1',
  );
});

test('an erasure does not refuse a queued sign-up of the next owner of a given-up address', async () => {
  await using rig = await membersRig();
  const { old } = await registerMover(rig);
  rig.clock.now += 61_000;
  const early = { requested_at: new Date(rig.clock.now).toISOString() };
  rig.clock.now += 61_000;
  await eraseMember(rig.context, old, operator);
  const next = await join(rig, 'cards', 'old@example.com', 'c2', early);
  assert(next.created);
  await assert.rejects(join(rig, 'music', 'old@example.com', 'm2', early), {
    code: 'member_erased',
  });
});

test('a member that gave up its address is closed with its last link', async () => {
  await using rig = await membersRig();
  const { old } = await registerMover(rig);
  const music = await platformOf(rig, 'music');
  const left = await endMembership(rig.context, music, old, {}, operator);
  assert.deepEqual(left, { left: true, erased: true });
  const next = await join(rig, 'music', 'old@example.com', 'm2');
  assert(next.created);
});

test('events queued with a previous uid still count for the user after each move, once', async () => {
  await using rig = await membersRig();
  const { old, moved } = await registerMover(rig);
  const caller = await rig.caller('books');
  const purchase = { platform: 'books', event: 'purchase' };
  const queued = [old, old].map((uid, at) => ({ ...purchase, svc_uid: uid, event_id: `o${at}` }));
  const answers = await recordEvents(rig.context, caller, queued);
  assert.deepEqual(
    answers.map((answer) => 'accepted' in answer && answer.accepted),
    [true, true],
  );
  const newest = await join(rig, 'books', 'newest@example.com', 'b1');
  const again = { ...queued[0]!, svc_uid: newest.svc_uid };
  assert.equal((await recordEvent(rig.context, caller, again)).duplicate, true);
  const late = { ...purchase, svc_uid: old, event_id: 'o2' };
  assert.equal((await recordEvent(rig.context, caller, late)).accepted, true);
  const { read } = rig.context.store;
  const link = (await read.memberships.byLocalUserId(0, 'b1'))!;
  const events = await read.events.ofMembership(link.id, 2 ** 40, 10);
  assert.deepEqual(
    events.map(({ eventId }) => eventId).filter((id) => id.startsWith('o')),
    ['o2', 'o1', 'o0'],
  );
  assert.equal(newest.svc_uid, moved.svc_uid);
  // Only the platform of the link may use the former uid.
  const music = { platform: 'cards', event: 'purchase', svc_uid: old };
  await assert.rejects(recordEvent(rig.context, await rig.caller('cards'), music), {
    code: 'member_not_found',
  });
});

test('a former uid leads to the user whose link moved, but only for the link’s platform', async () => {
  await using rig = await membersRig();
  const { context } = rig;
  const { old, moved } = await registerMover(rig);
  const [books, music] = [await platformOf(rig, 'books'), await platformOf(rig, 'music')];
  const codes = async () => (await find(rig, 'books', { local_user_id: 'b1' })).entitlements;
  await grant(rig, 'books', old, 'course');
  assert.deepEqual((await codes()).toSorted(), ['archive', 'course']);
  const listed = await listEntitlements(context, books, old);
  assert.equal(listed.svc_uid, moved.svc_uid);
  const end = () =>
    context.store.write((tx) => revokeEntitlement(context, tx, books, old, 'archive'));
  assert.equal((await end()).ended, 1);
  assert.deepEqual(await codes(), ['course']);
  await grant(rig, 'music', old, 'songs');
  const stayed = (await find(rig, 'music', { svc_uid: old })).entitlements;
  assert.deepEqual(stayed.toSorted(), ['gift', 'songs']);

  const consent = await giveConsent(context, books, old, 'news', {});
  assert.equal(consent.svc_uid, moved.svc_uid);
  const token = await signIn(rig, 'books', 'new@example.com', 'b1');
  const all = { svc_uid: old, scope: 'all' } as const;
  assert.equal((await revokeSso(context, await rig.caller('books'), books, all)).revoked, 1);
  assert.equal(await offered(rig, 'books', token), null);

  const cards = await platformOf(rig, 'cards');
  const absent = { code: 'member_not_found' };
  await assert.rejects(grant(rig, 'cards', old, 'gift'), absent);
  await assert.rejects(giveConsent(context, cards, old, 'news', {}), absent);
  await assert.rejects(endMembership(context, cards, old, {}, operator), absent);
  assert.deepEqual((await endMembership(context, books, old, {}, operator)).left, true);
  await assert.rejects(grant(rig, 'books', old, 'gift'), absent);
  assert.equal((await find(rig, 'music', { local_user_id: 'm1' })).uid, old);
  await eraseForPlatform(context, music, old, {}, operator);
  await assert.rejects(grant(rig, 'music', old, 'gift'), { code: 'member_erased' });
});

test('a former uid leads to its former user, never to the next owner of the address', async () => {
  await using rig = await membersRig();
  const { old } = await registerMover(rig);
  const next = await join(rig, 'books', 'old@example.com', 'b2');
  await grant(rig, 'books', old, 'course');
  assert.deepEqual((await find(rig, 'books', { svc_uid: next.svc_uid })).entitlements, []);
  const theirs = (await find(rig, 'books', { local_user_id: 'b1' })).entitlements;
  assert.deepEqual(theirs.toSorted(), ['archive', 'course']);
  await join(rig, 'books', 'third@example.com', 'b2');
  await grant(rig, 'books', next.svc_uid, 'songs');
  assert.deepEqual((await find(rig, 'books', { local_user_id: 'b2' })).entitlements, ['songs']);
});

test('events with the uid of a member that a move closed count for the user until the link ends', async () => {
  await using rig = await membersRig();
  const first = await join(rig, 'books', 'old@example.com', 'b1');
  const other = await join(rig, 'music', 'new@example.com', 'm1');
  const moved = await join(rig, 'books', 'new@example.com', 'b1');
  assert.equal(moved.svc_uid, other.svc_uid);
  const caller = await rig.caller('books');
  const event = { platform: 'books', event: 'purchase', svc_uid: first.svc_uid };
  assert.equal((await recordEvent(rig.context, caller, event)).accepted, true);
  const books = await platformOf(rig, 'books');
  await endMembership(rig.context, books, moved.svc_uid, {}, operator);
  await assert.rejects(recordEvent(rig.context, caller, event), { code: 'member_erased' });
});

test('a move reports both uids to the link’s platform, and no erasure of its user', async () => {
  await using rig = await membersRig();
  const first = await join(rig, 'books', 'old@example.com', 'b1');
  const other = await join(rig, 'music', 'new@example.com', 'm1');
  await grant(rig, 'books', first.svc_uid, 'archive');
  const types = ['membership.moved', 'member.erased', 'entitlement.changed'] as const;
  const url = 'https://books.example.com/hook';
  await addWebhookEndpoint(rig.context, url, types, operator, 'books');
  await addWebhookEndpoint(rig.context, 'https://music.example.com/hook', types, operator, 'music');
  await addWebhookEndpoint(rig.context, 'https://admin.example.com/hook', types, operator);
  await join(rig, 'books', 'new@example.com', 'b1');
  const messages = await rig.context.store.read.webhooks.list(1e9, 10);
  const endpoints = await rig.context.store.read.webhooks.endpoints();
  const received = messages.map(({ endpointId, type, body }) => [
    endpoints.find(({ id }) => id === endpointId)!.url.slice(8, 13),
    type,
    JSON.parse(body).data,
  ]);
  const changed = { svc_uid: other.svc_uid, code: 'archive', entitlements: ['archive'] };
  const uids = { svc_uid: other.svc_uid, previous_svc_uid: first.svc_uid };
  // Endpoints have no order.
  assert.deepEqual(
    new Set(received),
    new Set([
      ['books', 'membership.moved', { ...uids, platform: 'books', local_user_id: 'b1' }],
      // The operator gets no local id, which can be an address.
      ['admin', 'membership.moved', { ...uids, platform: 'books' }],
      ['admin', 'entitlement.changed', changed],
      ['admin', 'member.erased', { svc_uid: first.svc_uid }],
      ['books', 'entitlement.changed', changed],
      ['music', 'entitlement.changed', changed],
    ]),
  );
});

test('messages with the local id of a user go with its link, those without it stay', async () => {
  await using rig = await membersRig();
  for (const name of ['b1', 'b2']) await join(rig, 'books', `${name}@example.com`, name);
  const types = ['membership.moved'] as const;
  const url = 'https://books.example.com/hook';
  await addWebhookEndpoint(rig.context, url, types, operator, 'books');
  await addWebhookEndpoint(rig.context, 'https://admin.example.com/hook', types, operator);
  for (const name of ['n1', 'n2']) await join(rig, 'music', `${name}@example.com`, name);
  const moved = await join(rig, 'books', 'n1@example.com', 'b1');
  await join(rig, 'books', 'n2@example.com', 'b2');
  const named = async () => {
    const messages = await rig.context.store.read.webhooks.list(1e9, 10);
    return messages
      .map(({ body }) => JSON.parse(body).data.local_user_id ?? 'none')
      .toSorted((a, b) => (a < b ? -1 : 1));
  };
  assert.deepEqual(await named(), ['b1', 'b2', 'none', 'none']);
  await eraseMember(rig.context, moved.svc_uid, operator);
  assert.deepEqual(await named(), ['b2', 'none', 'none']);
  const books = (await rig.caller('books')).platform!;
  await leave(rig.context, books, { local_user_id: 'b2' }, operator);
  assert.deepEqual(await named(), ['none', 'none']);
});

test('a split gives each member the grants of its own links, but not of links that moved away', async () => {
  await using rig = await membersRig();
  const a = await join(rig, 'books', 'kim@example.com', 'b1');
  const b = await join(rig, 'music', 'lee@example.com', 'm1');
  await join(rig, 'cards', 'kim@example.com', 'c1');
  const merge = { from: a.svc_uid, into: b.svc_uid, dryRun: false };
  const { merge_id: mergeId } = await mergeMembers(rig.context, merge, operator);
  // Granted by the remaining uid, which books may know by now.
  await grant(rig, 'books', b.svc_uid, 'archive');
  await grant(rig, 'music', b.svc_uid, 'mix');
  const moved = await join(rig, 'books', 'new@example.com', 'b1');
  assert.deepEqual(await find(rig, 'books', { local_user_id: 'b1' }), {
    uid: moved.svc_uid,
    entitlements: ['archive'],
  });
  const caller = await rig.caller('books');
  for (const uid of [a.svc_uid, b.svc_uid]) {
    const event = { platform: 'books', event: 'visit', svc_uid: uid };
    assert.equal((await recordEvent(rig.context, caller, event)).accepted, true);
  }
  await splitMembers(rig.context, { mergeId: mergeId!, dryRun: false }, operator);
  assert.deepEqual((await find(rig, 'music', { local_user_id: 'm1' })).entitlements, ['mix']);
  assert.deepEqual((await find(rig, 'cards', { local_user_id: 'c1' })).entitlements, []);
});
