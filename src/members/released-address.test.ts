import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersRig, operator, type MembersRig } from '../../test/members/rig.ts';
import { changeMembership } from './change-membership.ts';
import { eraseMember } from './erase.ts';
import { importMembers } from './import-members.ts';
import { leave } from './leave.ts';
import { register } from './register.ts';
import { registerBatch } from './register-batch.ts';
import { issueSso, verifySso } from './sso.ts';

const address = 'c1@example.com';

/** Registers a user a minute later, and returns the answer with the codes of its warnings. */
async function join(rig: MembersRig, platform: string, email: string, id: string, more = {}) {
  rig.clock.now += 61_000;
  const user = { platform, email, local_user_id: id, ...more };
  const answer = await register(rig.context, await rig.caller(platform), user);
  return { ...answer, codes: answer.warnings.map(({ code }) => code) };
}

async function platformOf(rig: MembersRig, code: string) {
  return (await rig.context.platforms.byCode(code))!;
}

/** Local id of the account at music to which a user of books may sign in; null for none. */
async function offered(rig: MembersRig, id: string): Promise<string | null> {
  const body = { platform: 'books', email: address, local_user_id: id };
  const { token } = await issueSso(rig.context, await rig.caller('books'), body);
  const verdict = await verifySso(rig.context, await platformOf(rig, 'music'), token);
  return verdict.sign_in_allowed ? verdict.membership!.local_user_id : null;
}

/** Ways in which the first owner, `Q1` of books, gives the address up. */
const handOvers: Readonly<Record<string, (rig: MembersRig) => Promise<unknown>>> = {
  'a move': (rig) => join(rig, 'books', 'c1.new@example.com', 'Q1'),
  'a move of one among several links': async (rig) => {
    await join(rig, 'cards', address, 'Q1-cards');
    await join(rig, 'books', 'c1.new@example.com', 'Q1');
  },
  'a refused new address': (rig) =>
    assert.rejects(join(rig, 'books', 'c1@localhost', 'Q1'), { code: 'invalid_email' }),
  'an exchange in a batch': async (rig) => {
    await join(rig, 'books', 'other@example.com', 'R1');
    rig.clock.now += 61_000;
    const user = { platform: 'books' };
    const answers = await registerBatch(rig.context, await rig.caller('books'), [
      { ...user, email: 'other@example.com', local_user_id: 'Q1' },
      { ...user, email: address, local_user_id: 'R1' },
    ]);
    assert(answers.every((answer) => 'svc_uid' in answer));
    await join(rig, 'books', 'moved@example.com', 'R1');
  },
  'the end of the account': async (rig) =>
    leave(rig.context, await platformOf(rig, 'books'), { local_user_id: 'Q1' }, operator),
};

/** Ways in which music registers the first owner late, with a time before the hand-over. */
const lateRegistrations: Readonly<
  Record<string, (rig: MembersRig, requestedAt: string) => Promise<unknown>>
> = {
  'a call': (rig, requestedAt) =>
    join(rig, 'music', address, 'Q1-music', { requested_at: requestedAt }),
  'a batch': async (rig, requestedAt) =>
    registerBatch(rig.context, await rig.caller('music'), [
      { platform: 'music', email: address, local_user_id: 'Q1-music', requested_at: requestedAt },
    ]),
  'a change of address': async (rig, requestedAt) => {
    const before = new Date(Date.parse(requestedAt) - 1_000).toISOString();
    await join(rig, 'music', 'before@example.com', 'Q1-music', { requested_at: before });
    await join(rig, 'music', address, 'Q1-music', { requested_at: requestedAt });
  },
  'an import': async (rig, requestedAt) => {
    const report = await importMembers(rig.context, importedRows(), {
      platform: await platformOf(rig, 'music'),
      operator,
      asOf: Date.parse(requestedAt),
      isDryRun: false,
      sendsWebhooks: false,
      signal: new AbortController().signal,
      onRefused: ({ code }) => assert.fail(code),
      onProgress: () => {},
    });
    assert.deepEqual(report.warnings, { address_handed_over: 1 });
  },
  'a verification of a link': async (rig, requestedAt) => {
    const unverified = { email_verified: false };
    await join(rig, 'music', address, 'Q1-music', unverified);
    const late = { email_verified: true, requested_at: requestedAt };
    const { codes, email_assurance } = await join(rig, 'music', address, 'Q1-music', late);
    assert.deepEqual([codes, email_assurance], [['address_handed_over'], 'asserted']);
  },
  'a link without an id': async (rig, requestedAt) => {
    const body = { platform: 'music', email: address };
    await register(rig.context, await rig.caller('music'), body);
    const late = { requested_at: requestedAt };
    const { codes } = await join(rig, 'music', address, 'Q1-music', late);
    assert.deepEqual(codes, ['local_user_id_unbound']);
  },
};

async function* importedRows() {
  yield [{ line: 1, body: { email: address, local_user_id: 'Q1-music' } }];
}

for (const [handOver, giveUp] of Object.entries(handOvers)) {
  for (const [way, registerLate] of Object.entries(lateRegistrations)) {
    test(`T36: after ${handOver}, a late registration by ${way} offers the next owner nothing`, async () => {
      await using rig = await membersRig();
      const requestedAt = new Date(rig.clock.now - 60_000).toISOString();
      await join(rig, 'books', address, 'Q1');
      await giveUp(rig);
      await join(rig, 'books', address, 'P1');
      await registerLate(rig, requestedAt);
      assert.equal(await offered(rig, 'P1'), null);
    });
  }

  test(`T36: after ${handOver}, a late registration gets its own member before the next owner`, async () => {
    await using rig = await membersRig();
    const requestedAt = new Date(rig.clock.now - 60_000).toISOString();
    await join(rig, 'books', address, 'Q1');
    await giveUp(rig);
    const late = { requested_at: requestedAt };
    const first = await join(rig, 'music', address, 'Q1-music', late);
    assert.deepEqual([first.codes, first.created], [['address_handed_over'], true]);
    assert.equal((await join(rig, 'music', address, 'Q1-music', late)).svc_uid, first.svc_uid);
    assert.notEqual((await join(rig, 'books', address, 'P1')).svc_uid, first.svc_uid);
    assert.equal(await offered(rig, 'P1'), null);
  });
}

test('a late registration is linked to the member that another platform has created meanwhile', async () => {
  await using rig = await membersRig();
  const requested_at = new Date(rig.clock.now).toISOString();
  const { svc_uid: uid } = await join(rig, 'books', address, 'Q1');
  const late = await join(rig, 'music', address, 'Q1-music', { requested_at });
  assert.deepEqual([late.svc_uid, late.codes], [uid, []]);
  assert.equal(await offered(rig, 'Q1'), 'Q1-music');
});

test('a late registration is linked to a member that left its address and came back', async () => {
  await using rig = await membersRig();
  const requested_at = new Date(rig.clock.now).toISOString();
  const { svc_uid: uid } = await join(rig, 'books', address, 'Q1');
  await join(rig, 'books', 'typo@example.com', 'Q1');
  assert.equal((await join(rig, 'books', address, 'Q1')).svc_uid, uid);
  const late = await join(rig, 'music', address, 'Q1-music', { requested_at });
  assert.deepEqual([late.svc_uid, late.codes], [uid, []]);
});

test('after the release a registration without an earlier time is linked to the next owner', async () => {
  await using rig = await membersRig();
  await join(rig, 'books', address, 'Q1');
  await join(rig, 'books', 'c1.new@example.com', 'Q1');
  const requested_at = new Date(rig.clock.now + 1).toISOString();
  const { svc_uid: uid } = await join(rig, 'books', address, 'P1');
  const joined = await join(rig, 'music', address, 'P1-music', { requested_at });
  assert.deepEqual([joined.svc_uid, joined.codes], [uid, []]);
});

test('PATCH links a user who has confirmed a handed-over address again', async () => {
  await using rig = await membersRig();
  const requested_at = new Date(rig.clock.now).toISOString();
  await join(rig, 'books', address, 'Q1');
  await join(rig, 'books', 'c1.new@example.com', 'Q1');
  const music = await platformOf(rig, 'music');
  const late = await join(rig, 'music', address, 'Q1-music', { requested_at });
  const again = { email: address, expected_email: address, email_verified: true };
  const alone = await changeMembership(rig.context, music, late.svc_uid, again, operator);
  assert.equal(alone.svc_uid, late.svc_uid);
  // The member has the address again, and is found by it on every platform.
  assert.equal((await join(rig, 'books', address, 'P1')).svc_uid, late.svc_uid);
  assert.equal(await offered(rig, 'P1'), 'Q1-music');
});

test('PATCH links to the present owner of an address only if the address is confirmed', async () => {
  await using rig = await membersRig();
  const requested_at = new Date(rig.clock.now).toISOString();
  await join(rig, 'books', address, 'Q1');
  await join(rig, 'books', 'c1.new@example.com', 'Q1');
  const { svc_uid: owner } = await join(rig, 'books', address, 'P1');
  const music = await platformOf(rig, 'music');
  const { svc_uid: uid } = await join(rig, 'music', address, 'P1-music', { requested_at });
  const again = { email: address, expected_email: address };
  const kept = await changeMembership(rig.context, music, uid, again, operator);
  assert.deepEqual([kept.svc_uid, kept.moved], [uid, false]);
  const confirmed = { ...again, email_verified: true };
  const joined = await changeMembership(rig.context, music, uid, confirmed, operator);
  assert.deepEqual([joined.svc_uid, joined.moved], [owner, true]);
  assert.equal(await offered(rig, 'P1'), 'P1-music');
});

test('an operator’s erasure refuses a late registration, with or without a next owner', async () => {
  await using rig = await membersRig();
  const requested_at = new Date(rig.clock.now).toISOString();
  const { svc_uid: uid } = await join(rig, 'books', address, 'Q1');
  await join(rig, 'music', address, 'Q1-music', { email_verified: false });
  await eraseMember(rig.context, uid, operator);
  await join(rig, 'books', address, 'P1');
  const late = join(rig, 'music', address, 'Q1-music', { requested_at });
  await assert.rejects(late, { code: 'member_erased' });
});

test('a late sign-up is refused if its account was closed before Maru knew it', async () => {
  await using rig = await membersRig();
  const books = await platformOf(rig, 'books');
  const at = (secondsAgo: number) => new Date(rig.clock.now - secondsAgo * 1_000).toISOString();
  const left = { local_user_id: '3004', requested_at: at(5) };
  await assert.rejects(leave(rig.context, books, left, operator), { code: 'member_not_found' });
  const [before, after] = [{ requested_at: at(60) }, { requested_at: at(4) }];
  const late = join(rig, 'books', address, '3004', before);
  await assert.rejects(late, { code: 'member_erased' });
  const elsewhere = await join(rig, 'music', address, '3004', before);
  assert.equal(elsewhere.created, true);
  assert.equal((await join(rig, 'books', address, '3004', after)).linked, true);
});

test('departures of unknown ids are stored for 400 days, the latest 10,000 of a platform', async () => {
  await using rig = await membersRig();
  const { store } = rig.context;
  const note = (name: string, leftAt: number, keptSince = 0, most = 3) =>
    store.write(async (tx) => {
      const departure = { platformId: 0, tombstone: Buffer.from(name), leftAt };
      await tx.erasures.noteEarlyDeparture(departure, keptSince, most);
    });
  const stored = async () => {
    const names = ['a', 'b', 'c', 'd'];
    const times = names.map(async (name) =>
      store.read.erasures.earlyDeparture(0, Buffer.from(name)),
    );
    return Promise.all(times);
  };
  for (const [name, at] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ] as const)
    await note(name, at);
  assert.deepEqual(await stored(), [1, 2, 3, null]);
  await note('d', 4);
  assert.deepEqual(await stored(), [null, 2, 3, 4]);
  await note('d', 3, 3);
  assert.deepEqual(await stored(), [null, null, 3, 4]);
});
