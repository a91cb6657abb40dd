import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { membersRig, operator, type MembersRig } from '../../test/members/rig.ts';
import { operatorOf } from './audit.ts';
import { eraseMember } from './erase.ts';
import { recordEvent } from './events.ts';
import { exportMember } from './export.ts';
import { memberLimits } from './limits.ts';
import { lookUpMember } from './lookup.ts';
import { mergeMembers, splitMembers } from './merge.ts';
import { register } from './register.ts';
import { runRetention } from './retention.ts';
import { checkSession } from './session.ts';
import { issueSso } from './sso.ts';
import { setTier, suspendMember } from './account-status.ts';
import { verifyAudit } from './verify-audit.ts';
import { addWebhookEndpoint } from './webhooks.ts';

async function join(rig: MembersRig, email: string, platform: string, id: string): Promise<string> {
  const caller = await rig.caller(platform);
  const body = { email, platform, local_user_id: id, extra: { note: email } };
  return (await register(rig.context, caller, body)).svc_uid;
}

test('every write of an operator requires a reason and adds an audit row', async () => {
  await using rig = await membersRig();
  const withAddress = 'requested by <kim@example.com>';
  for (const reason of [undefined, '', '  ', 'x'.repeat(501), 7, withAddress]) {
    assert.throws(() => operatorOf('operator:a', reason), { code: 'validation_failed' });
  }
  const uid = await join(rig, 'kim@example.com', 'books', '1');
  await setTier(rig.context, uid, 'SILVER', operatorOf('operator:a', ' promised '));
  const rows = await rig.context.store.read.audit.after(0, 200);
  const { actor, action, subject, reason, detail } = rows.at(-1)!;
  assert.deepEqual(
    [actor, action, subject, reason],
    ['operator:a', 'tier_changed', uid, 'promised'],
  );
  assert.deepEqual(JSON.parse(detail), { from: 'BRONZE', to: 'SILVER' });
});

test('T26: verifying names the first edited, removed, swapped or cut off row', async () => {
  const tamperings = [
    [`UPDATE audit SET reason = 'another' WHERE seq = 5`, 5],
    [`UPDATE audit SET hash = '${'F'.repeat(64)}' WHERE seq = 5`, 5],
    [`DELETE FROM audit WHERE seq = 5`, 5],
    [
      `UPDATE audit SET seq = -1 WHERE seq = 5; UPDATE audit SET seq = 5 WHERE seq = 6;
      UPDATE audit SET seq = 6 WHERE seq = -1`,
      5,
    ],
    [`DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)`, 8],
    [
      `INSERT INTO audit SELECT seq + 8, at, actor, action, subject, reason, detail, hash FROM audit WHERE seq = 1`,
      9,
    ],
  ] as const;
  for (const [sql, faultAt] of tamperings) {
    await using rig = await membersRig();
    const uid = await join(rig, 'kim@example.com', 'books', '1');
    await setTier(rig.context, uid, 'SILVER', operator);
    const whole = await verifyAudit(rig.context);
    assert.deepEqual([whole.intact, whole.rows, whole.faultAt], [true, 8, null]);
    await rig.place.run(sql);
    const verdict = await verifyAudit(rig.context);
    assert.deepEqual([verdict.intact, verdict.faultAt], [false, faultAt], sql);
  }
});

test('T26: an anchor detects rows that were cut off with the end set back', async () => {
  await using rig = await membersRig();
  const uid = await join(rig, 'kim@example.com', 'books', '1');
  const early = (await verifyAudit(rig.context)).anchor;
  await setTier(rig.context, uid, 'SILVER', operator);
  const { anchor } = await verifyAudit(rig.context);
  assert((await verifyAudit(rig.context, { anchor: early })).intact);
  await rig.place.run(`DELETE FROM audit WHERE seq = 8;
    UPDATE audit_head SET seq = 7, hash = (SELECT hash FROM audit WHERE seq = 7)`);
  assert((await verifyAudit(rig.context)).intact);
  assert((await verifyAudit(rig.context, { anchor: early })).intact);
  const verdict = await verifyAudit(rig.context, { anchor });
  assert.deepEqual([verdict.intact, verdict.faultAt], [false, 8]);
  // A replaced last row fits into the chain, but differs from the anchor.
  await setTier(rig.context, uid, 'GOLD', operator);
  assert((await verifyAudit(rig.context)).intact);
  const regrown = await verifyAudit(rig.context, { anchor });
  assert.deepEqual([regrown.intact, regrown.faultAt], [false, 8]);
  await assert.rejects(verifyAudit(rig.context, { anchor: '8' }), /An anchor is/);
});

test('T16: a platform finds only its members; others and unknown ones get the same answer', async () => {
  await using rig = await membersRig();
  const uid = await join(rig, 'kim@example.com', 'books', '1');
  const [books, music] = await Promise.all(
    ['books', 'music'].map(async (code) => (await rig.context.platforms.byCode(code))!),
  );
  for (const body of [{ svc_uid: uid }, { email: 'KIM@example.com' }, { local_user_id: '1' }]) {
    assert.equal((await lookUpMember(rig.context, books!, body)).svc_uid, uid);
    await assert.rejects(lookUpMember(rig.context, music!, body), { code: 'member_not_found' });
  }
  const failure = (body: object) =>
    lookUpMember(rig.context, music!, { ...body }).catch((error: unknown) => error);
  assert.deepEqual(
    await failure({ svc_uid: uid }),
    await failure({ svc_uid: `svc_${'a'.repeat(26)}` }),
  );
  await assert.rejects(lookUpMember(rig.context, books!, {}), { code: 'validation_failed' });
});

test('a merge joins two members, a dry run changes nothing, a split restores both', async () => {
  await using rig = await membersRig();
  const { context } = rig;
  const kim = await join(rig, 'kim@example.com', 'books', '1');
  const lee = await join(rig, 'lee@example.com', 'books', '2');
  await join(rig, 'lee@example.com', 'music', '3');
  const before = await stateOf(rig, kim, lee);
  const dry = await mergeMembers(
    context,
    { from: lee, into: kim, dryRun: true, isSamePerson: true },
    operator,
  );
  assert.deepEqual(await stateOf(rig, kim, lee), before);
  const done = await mergeMembers(
    context,
    { from: lee, into: kim, dryRun: false, isSamePerson: true },
    operator,
  );
  assert.deepEqual({ ...done, merge_id: null }, dry);
  assert.equal((await context.store.read.members.byUid(lee))?.svcUid, kim);
  const music = await rig.caller('music');
  const event = { svc_uid: kim, platform: 'music', event: 'visit' };
  assert((await recordEvent(context, music, event)).accepted);
  const again = await join(rig, 'lee@example.com', 'forum', '4');
  assert.equal(again, kim);
  const third = await join(rig, 'park@example.com', 'cards', '5');
  const later = await mergeMembers(
    context,
    { from: kim, into: third, dryRun: false, isSamePerson: true },
    operator,
  );
  const early = splitMembers(context, { mergeId: done.merge_id!, dryRun: false }, operator);
  await assert.rejects(early, { code: 'merge_impossible' });
  await splitMembers(context, { mergeId: later.merge_id!, dryRun: false }, operator);
  await splitMembers(context, { mergeId: done.merge_id!, dryRun: true }, operator);
  await splitMembers(context, { mergeId: done.merge_id!, dryRun: false }, operator);
  const after = await stateOf(rig, kim, lee);
  const forum = 1 << 2;
  assert.deepEqual(after, [before[0], [lee, before[1]![1] | forum, ['2', '3', '4']]]);
});

test('a merge of accounts on one platform requires the statement that one person has both', async () => {
  await using rig = await membersRig();
  const [kim, lee, park] = [
    await join(rig, 'kim@example.com', 'books', '1'),
    await join(rig, 'lee@example.com', 'books', '2'),
    await join(rig, 'park@example.com', 'music', '3'),
  ];
  const before = await stateOf(rig, kim, lee);
  for (const dryRun of [true, false]) {
    const merge = mergeMembers(rig.context, { from: lee, into: kim, dryRun }, operator);
    await assert.rejects(merge, {
      code: 'accounts_on_one_platform',
      message: /on: books\./,
    });
  }
  assert.deepEqual(await stateOf(rig, kim, lee), before);
  await mergeMembers(rig.context, { from: park, into: kim, dryRun: false }, operator);
  const stated = { from: lee, into: kim, dryRun: false, isSamePerson: true };
  await mergeMembers(rig.context, stated, operator);
  assert.equal((await rig.context.store.read.members.byUid(lee))?.svcUid, kim);
});

test('merges are undone once each, the latest first', async () => {
  await using rig = await membersRig();
  const [first, second, third] = [
    await join(rig, 'kim@example.com', 'books', '1'),
    await join(rig, 'lee@example.com', 'books', '2'),
    await join(rig, 'park@example.com', 'music', '3'),
  ];
  const merge = (from: string, into: string) =>
    mergeMembers(rig.context, { from, into, dryRun: false, isSamePerson: true }, operator);
  const split = ({ merge_id }: { merge_id: number | null }) =>
    splitMembers(rig.context, { mergeId: merge_id!, dryRun: false }, operator);
  const before = await stateOf(rig, first, second, third);
  const [early, late] = [await merge(second, first), await merge(third, first)];
  await assert.rejects(split(early), /later merge first/);
  await split(late);
  await assert.rejects(split(late), /no such merge/);
  await split(early);
  assert.deepEqual(await stateOf(rig, first, second, third), before);
});

test('T14: merging and suspending end all sessions', async () => {
  await using rig = await membersRig();
  const kim = await join(rig, 'kim@example.com', 'books', '1');
  const lee = await join(rig, 'lee@example.com', 'books', '2');
  const books = await rig.caller('books');
  const body = { email: 'lee@example.com', platform: 'books', local_user_id: '2' };
  const { token } = await issueSso(rig.context, books, body);
  await mergeMembers(
    rig.context,
    { from: lee, into: kim, dryRun: false, isSamePerson: true },
    operator,
  );
  assert.equal(await checkSession(rig.context, token), null);
  const merged = await issueSso(rig.context, books, body);
  assert.equal((await checkSession(rig.context, merged.token))?.member.svcUid, kim);
  await suspendMember(rig.context, kim, operator);
  assert.equal(await checkSession(rig.context, merged.token), null);
});

test('T2: a merge with the first verified link ends asserted sessions and reports it', async () => {
  await using rig = await membersRig();
  const url = 'https://hooks.example.com/';
  await addWebhookEndpoint(rig.context, url, ['session.revoked'], operator);
  const into = await join(rig, 'kim@example.com', 'forum', '1');
  const from = await join(rig, 'lee@example.com', 'books', '2');
  const user = { email: 'kim@example.com', platform: 'forum', local_user_id: '1' };
  const { token } = await issueSso(rig.context, await rig.caller('forum'), user);
  const { merge_id } = await mergeMembers(rig.context, { from, into, dryRun: false }, operator);
  assert.equal(await checkSession(rig.context, token), null);
  const known = { ...user, email: 'lee@example.com', platform: 'books', local_user_id: '2' };
  await issueSso(rig.context, await rig.caller('books'), known);
  const undo = { mergeId: merge_id!, dryRun: false };
  assert.equal((await splitMembers(rig.context, undo, operator)).sessions_ended, 1);
  const messages = await rig.context.store.read.webhooks.list(2 ** 40, 10);
  assert.deepEqual(
    messages.map(({ body }) => (JSON.parse(body) as { data: { svc_uid: string } }).data.svc_uid),
    [into, from],
  );
});

test('a merge does not lift a suspension', async () => {
  await using rig = await membersRig();
  const into = await join(rig, 'kim@example.com', 'books', '1');
  const from = await join(rig, 'lee@example.com', 'books', '2');
  await suspendMember(rig.context, from, operator);
  const merge = mergeMembers(rig.context, { from, into, dryRun: false }, operator);
  await assert.rejects(merge, { code: 'merge_impossible', message: /suspended/ });
});

test('an export contains all stored data of a member', async () => {
  await using rig = await membersRig();
  const uid = await join(rig, 'Kim@Example.com', 'books', '1');
  const books = await rig.caller('books');
  const event = {
    svc_uid: uid,
    platform: 'books',
    event: 'visit',
    event_id: 'v1',
    meta: { page: 1 },
  };
  await recordEvent(rig.context, books, event);
  const consents = [
    { purpose: 'ads', granted: true, version: '2', given_at: '2026-11-01T00:00:00Z' },
  ];
  await register(rig.context, books, {
    email: 'kim@example.com',
    platform: 'books',
    local_user_id: '1',
    consents,
  });
  const all = await exportMember(rig.context, uid, operator);
  assert.deepEqual([all.svc_uid, all.emails, all.complete], [uid, ['kim@example.com'], true]);
  const [membership] = all.memberships;
  assert.equal(membership?.email_as_typed, 'Kim@Example.com');
  assert.deepEqual(membership.consents, [
    { ...consents[0], given_at: '2026-11-01T00:00:00.000Z', reminded: false },
  ]);
  assert.deepEqual(membership.extra, { note: 'Kim@Example.com' });
  assert.deepEqual(
    membership.events.map((one) => [one.event, one.meta]),
    [
      ['visit', { page: 1 }],
      ['register', null],
    ],
  );
});

test('an export whose meta would exceed its bound has the latest events and is not complete', async () => {
  await using rig = await membersRig();
  const uid = await join(rig, 'kim@example.com', 'books', '1');
  const meta = JSON.stringify({ text: 'x'.repeat(8_000) });
  const most = Math.floor(memberLimits.exportMetaLengthMax / meta.length);
  await rig.place.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= ${most})
     INSERT INTO events (platform_id, event_id, membership_id, event, source, occurred_at, received_at, meta)
     SELECT 0, 'e' || i, 1, 1, 0, 0, 0, '${meta}' FROM n`,
  );
  const { complete, memberships } = await exportMember(rig.context, uid, operator);
  const ids = memberships[0]!.events.map((event) => event.event_id);
  assert.deepEqual([complete, ids.length, ids[0], ids.at(-1)], [false, most, `e${most + 1}`, 'e2']);
});

test('T23: after an erasure the store contains neither the address nor the local id', async () => {
  await using rig = await membersRig();
  const books = await rig.caller('books');
  const music = await rig.caller('music');
  const people = Array.from({ length: 600 }, (_, at) => `person-${at}-${'x'.repeat(at % 40)}`);
  const uids = await Promise.all(
    people.map(async (name) => {
      const body = {
        email: `${name}@Example.com`,
        local_user_id: `local-${name}`,
        extra: { name },
      };
      const { svc_uid } = await register(rig.context, books, { ...body, platform: 'books' });
      await register(rig.context, music, { ...body, platform: 'music' });
      const event = { svc_uid, platform: 'books', event: 'visit', meta: { who: name } };
      await recordEvent(rig.context, books, event);
      return svc_uid;
    }),
  );
  const erased = fc.sample(
    fc.shuffledSubarray([...people.keys()], { minLength: 300, maxLength: 300 }),
    {
      numRuns: 1,
      seed: 7,
    },
  )[0]!;
  for (const at of erased) {
    const receipt = await eraseMember({ ...rig.context, backupDays: 30 }, uids[at]!, operator);
    assert.equal(
      Date.parse(receipt.backups_gone_at!) - Date.parse(receipt.erased_at),
      30 * 86_400_000,
    );
    assert.deepEqual(
      [receipt.memberships, receipt.events, receipt.files_overwritten],
      [2, 3, rig.place.overwrites],
    );
  }
  const bytes = await rig.place.content();
  const found = erased.filter((at) => new RegExp(`${people[at]!}[^x]`).test(bytes));
  assert.deepEqual(found, []);
  assert(bytes.includes('person-'), 'the members that stay are there');
  const totals = await rig.context.store.read.events.totals();
  assert.equal(
    totals.reduce((sum, { count }) => sum + count, 0),
    1_800,
  );
});

test('retention jobs remove expired rows and store their run', async () => {
  await using rig = await membersRig();
  await join(rig, 'kim@example.com', 'books', '1');
  const books = await rig.caller('books');
  await issueSso(rig.context, books, {
    email: 'kim@example.com',
    platform: 'books',
    local_user_id: '1',
  });
  rig.clock.now += 8 * 86_400_000;
  const runs = await runRetention(rig.context, {
    eventDays: 7,
    webhookDays: 30,
    auditDays: null,
    accessLogDays: null,
  });
  const removed = Object.fromEntries(runs.map((run) => [run.name, run.removed]));
  assert.deepEqual([removed['expired_sessions'], removed['old_events']], [1, 1]);
  const storedRuns = await rig.context.store.read.jobs.all();
  assert.deepEqual(
    storedRuns.map((run) => ({ ...run })),
    runs.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  );
});

/** Uid, platforms and local ids of the member to which each uid leads. */
async function stateOf(rig: MembersRig, ...uids: string[]) {
  const { members, memberships } = rig.context.store.read;
  return Promise.all(
    uids.map(async (uid) => {
      const member = (await members.byUid(uid))!;
      const linked = await memberships.of(member.id);
      return [member.svcUid, member.platforms, linked.map((one) => one.localUserId)] as const;
    }),
  );
}
