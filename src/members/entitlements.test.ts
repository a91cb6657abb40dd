import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isLongForm } from '../../test/long-form.ts';
import { membersRig, operator, type MembersRig } from '../../test/members/rig.ts';
import { setTier } from './account-status.ts';
import { declareEntitlements, readEntitlementPolicy } from './entitlement-configuration.ts';
import { reportEntitlements } from './entitlement-reports.ts';
import {
  grantEntitlement,
  listEntitlements,
  revokeEntitlement,
  type GrantPeriod,
} from './entitlements.ts';
import { eraseMember } from './erase.ts';
import { exportMember } from './export.ts';
import { memberLimits } from './limits.ts';
import type { KeyCaller } from './keys.ts';
import { lookUpMember, selfView } from './lookup.ts';
import { mergeMembers, splitMembers } from './merge.ts';
import { grantAsOperator, revokeAsOperator } from './operator-entitlements.ts';
import { register } from './register.ts';
import { checkSession } from './session.ts';
import { issueSso, verifySso } from './sso.ts';
import { addWebhookEndpoint } from './webhooks.ts';

const dayMs = 86_400_000;
const reason = operator;

/** Callers by platform. Each is used again, because a platform may have only 32 keys. */
const callers = new WeakMap<MembersRig, Readonly<Record<string, KeyCaller>>>();

async function memberOf(rig: MembersRig, platform: string, name: string): Promise<string> {
  const caller = callers.get(rig)?.[platform] ?? (await rig.caller(platform));
  callers.set(rig, { ...callers.get(rig), [platform]: caller });
  const body = { email: `${name}@example.com`, platform, local_user_id: name };
  return (await register(rig.context, caller, body)).svc_uid;
}

async function grant(
  { context }: MembersRig,
  platform: string | null,
  uid: string,
  code: string,
  period: GrantPeriod = {},
) {
  const granter = platform === null ? null : await context.platforms.byCode(platform);
  const granted = await context.store.write((tx) =>
    grantEntitlement(context, tx, granter, uid, code, period),
  );
  return granted.entitlement;
}

async function revoke({ context }: MembersRig, platform: string, uid: string, code: string) {
  const granter = (await context.platforms.byCode(platform))!;
  const revoked = await context.store.write((tx) =>
    revokeEntitlement(context, tx, granter, uid, code),
  );
  return revoked.ended;
}

async function codesOf({ context }: MembersRig, uid: string, at?: number): Promise<string[]> {
  const moment = at === undefined ? undefined : new Date(at).toISOString();
  const { entitlements } = await listEntitlements(context, null, uid, moment);
  return [...new Set(entitlements.map(({ code }) => code))].sort();
}

const after = (rig: MembersRig, ms: number) => new Date(rig.clock.now + ms).toISOString();

test('a grant shows in lookup, me and verify of every platform until the moment it ends', async () => {
  await using rig = await membersRig();
  const { context, clock } = rig;
  const uid = await memberOf(rig, 'books', 'asha');
  await memberOf(rig, 'music', 'asha');
  const user = { platform: 'books', email: 'asha@example.com', local_user_id: 'asha' };
  const { token } = await issueSso(context, await rig.caller('books'), user);
  const music = (await context.platforms.byCode('music'))!;
  const shown = async () => {
    const session = (await checkSession(context, token))!;
    return [
      (await lookUpMember(context, music, { svc_uid: uid })).entitlements,
      (await selfView(context, session)).entitlements,
      (await verifySso(context, music, token)).entitlements,
    ];
  };
  assert.deepEqual(await shown(), [[], [], []], 'the free tier');
  await grant(rig, 'books', uid, 'archive', { until: after(rig, dayMs) });
  await grant(rig, null, uid, 'alerts');
  const both = ['alerts', 'archive'];
  assert.deepEqual(await shown(), [both, both, both]);
  clock.now += dayMs - 1;
  assert.deepEqual(await shown(), [both, both, both]);
  clock.now += 1;
  assert.deepEqual(await shown(), [['alerts'], ['alerts'], ['alerts']]);
});

test('a repeated grant of a period that is over replaces nothing and adds nothing', async () => {
  await using rig = await membersRig();
  const uid = await memberOf(rig, 'books', 'asha');
  const start = after(rig, 0);
  const month = after(rig, 30 * dayMs);
  const first = { from: start, until: month };
  const granted = await grant(rig, 'books', uid, 'archive', first);
  await grant(rig, 'books', uid, 'archive', { from: month, until: after(rig, 60 * dayMs) });
  rig.clock.now += 35 * dayMs;
  const before = await listEntitlements(rig.context, null, uid);
  assert.deepEqual(await grant(rig, 'books', uid, 'archive', first), granted);
  assert.deepEqual(await listEntitlements(rig.context, null, uid), before);
  await grant(rig, 'books', uid, 'archive', { from: after(rig, -90 * dayMs), until: start });
  const { entitlements, history } = await listEntitlements(rig.context, null, uid);
  assert.deepEqual(entitlements, before.entitlements, 'a period before, granted late');
  assert.equal(history.length, 3);
});

test('a renewal sent early follows its period without a gap, and a repeat changes nothing', async () => {
  await using rig = await membersRig();
  const uid = await memberOf(rig, 'books', 'asha');
  const month = after(rig, 30 * dayMs);
  const first = await grant(rig, 'books', uid, 'archive', { until: month });
  rig.clock.now += dayMs;
  assert.deepEqual(await grant(rig, 'books', uid, 'archive', { until: month }), first);
  const renewal = { from: month, until: after(rig, 60 * dayMs) };
  const next = await grant(rig, 'books', uid, 'archive', renewal);
  assert.deepEqual(await grant(rig, 'books', uid, 'archive', renewal), next);
  for (let day = 0; day < 60; day++) {
    assert.deepEqual(await codesOf(rig, uid), ['archive'], `day ${day}`);
    rig.clock.now += dayMs;
  }
  assert.deepEqual(await codesOf(rig, uid), []);
  const { history } = await listEntitlements(rig.context, null, uid);
  assert.deepEqual(
    history.map(({ until, ended_at: ended }) => [until, ended]),
    [
      [renewal.until, null],
      [month, null],
    ],
  );
});

const hours = fc.option(fc.integer({ min: -6, max: 12 }), { nil: undefined });
const anyAct = fc.oneof(
  fc.record({ do: fc.constant('grant' as const), granter: fc.nat(1), from: hours, until: hours }),
  fc.record({ do: fc.constant('revoke' as const), granter: fc.nat(1) }),
  fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 4 }) }),
);

test('after any grants and revocations, each hour has the entitlement that a timeline predicts', async () => {
  const hourMs = 3_600_000;
  await using rig = await membersRig();
  let users = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { minLength: 1, maxLength: 12 }), async (acts) => {
      const name = `p${++users}`;
      const uid = await memberOf(rig, 'books', name);
      await memberOf(rig, 'music', name);
      const start = rig.clock.now;
      const past = 6;
      // For each of two granters, the hours in which its grant is in force, from six hours before the start.
      const timelines = [new Set<number>(), new Set<number>()];
      let now = 0;
      for (const act of acts) {
        const platform = act.do === 'wait' ? '' : ['books', 'music'][act.granter]!;
        const instant = (hour: number) => new Date(start + hour * hourMs).toISOString();
        if (act.do === 'wait') {
          now += act.hours;
          rig.clock.now += act.hours * hourMs;
        } else if (act.do === 'revoke') {
          await revoke(rig, platform, uid, 'archive');
          const timeline = timelines[act.granter]!;
          for (const hour of timeline) if (hour >= now) timeline.delete(hour);
        } else {
          const from = act.from === undefined ? now : now + act.from;
          const until = act.until === undefined ? undefined : now + act.until;
          const period = {
            ...(act.from !== undefined && { from: instant(from) }),
            ...(until !== undefined && { until: instant(until) }),
          };
          const isEmpty = until !== undefined && until <= from;
          const granting = grant(rig, platform, uid, 'archive', period);
          if (isEmpty) {
            await assert.rejects(granting, { code: 'invalid_period' });
            continue;
          }
          await granting;
          for (let hour = from; hour < lastHour; hour++) {
            if (until === undefined || hour < until) timelines[act.granter]!.add(hour);
            else if (hour >= now) timelines[act.granter]!.delete(hour);
          }
        }
      }
      for (let hour = -past; hour < lastHour; hour++) {
        const expected = timelines.some((timeline) => timeline.has(hour));
        const codes = await codesOf(rig, uid, start + hour * hourMs);
        assert.deepEqual(codes, expected ? ['archive'] : [], `hour ${hour} of ${now}`);
      }
      const lookedUp = await lookUpMember(
        rig.context,
        (await rig.context.platforms.byCode('books'))!,
        {
          svc_uid: uid,
        },
      );
      const expected = timelines.some((timeline) => timeline.has(now));
      assert.deepEqual(lookedUp.entitlements, expected ? ['archive'] : []);
    }),
    { numRuns: isLongForm ? 1_000 : 20 },
  );
});

/** Later than any end of a generated grant. */
const lastHour = 64;

test('a platform revokes only its own grants, the operator the grants of all granters', async () => {
  await using rig = await membersRig();
  const uid = await memberOf(rig, 'books', 'asha');
  await memberOf(rig, 'music', 'asha');
  await grant(rig, 'books', uid, 'archive');
  await grant(rig, null, uid, 'archive');
  assert.equal(await revoke(rig, 'music', uid, 'archive'), 0);
  assert.equal(await revoke(rig, 'books', uid, 'archive'), 1);
  assert.deepEqual(await codesOf(rig, uid), ['archive']);
  await grant(rig, 'books', uid, 'archive');
  assert.equal(await revokeAsOperator(rig.context, uid, 'archive', reason), 2);
  assert.deepEqual(await codesOf(rig, uid), []);
});

test('a platform sees its own name as the source of grants, but no other platform’s', async () => {
  await using rig = await membersRig();
  const uid = await memberOf(rig, 'books', 'asha');
  await memberOf(rig, 'music', 'asha');
  await grant(rig, 'books', uid, 'archive');
  await grant(rig, 'music', uid, 'scores');
  await grant(rig, null, uid, 'alerts');
  const books = await rig.context.platforms.byCode('books');
  const seen = await listEntitlements(rig.context, books, uid);
  assert.deepEqual(
    seen.entitlements.map(({ source }) => source),
    ['operator', 'platform:books', 'platform'],
  );
  const cards = await rig.context.platforms.byCode('cards');
  for (const stranger of [uid, 'svc_unknown']) {
    await assert.rejects(listEntitlements(rig.context, cards, stranger), {
      code: 'member_not_found',
    });
  }
  await assert.rejects(grant(rig, 'cards', uid, 'archive'), { code: 'member_not_found' });
});

test('malformed codes, periods and times are refused, and so are grants beyond the maximum', async () => {
  await using rig = await membersRig();
  const uid = await memberOf(rig, 'books', 'asha');
  for (const code of ['Archive', '', 'a/b', 'é', 'x'.repeat(65), 'a b']) {
    await assert.rejects(grant(rig, 'books', uid, code), { code: 'unknown_entitlement' });
  }
  const now = after(rig, 0);
  for (const period of [{ until: now }, { from: after(rig, 10), until: after(rig, 9) }]) {
    await assert.rejects(grant(rig, 'books', uid, 'archive', period), { code: 'invalid_period' });
  }
  for (const from of ['2026-12-01', 'tomorrow', '']) {
    await assert.rejects(grant(rig, 'books', uid, 'archive', { from }), {
      code: 'validation_failed',
    });
  }
  const grants = Array.from({ length: memberLimits.entitlementsMax }, (_, at) =>
    grant(rig, 'books', uid, `code-${at}`),
  );
  await Promise.all(grants);
  await assert.rejects(grant(rig, 'books', uid, 'archive'), { code: 'too_many_entitlements' });
  await grant(rig, 'books', uid, 'code-0', { until: after(rig, dayMs) });
  await revoke(rig, 'books', uid, 'code-1');
  await grant(rig, 'books', uid, 'archive');
});

test('the history of a member keeps the newest grants, and all that are in force', async () => {
  await using rig = await membersRig();
  const uid = await memberOf(rig, 'books', 'asha');
  await grant(rig, 'books', uid, 'lifetime');
  const grants = Array.from({ length: memberLimits.entitlementHistoryMax + 5 }, (_, at) =>
    grant(rig, 'books', uid, 'archive', { until: after(rig, dayMs + at) }),
  );
  await Promise.all(grants);
  const { entitlements } = await exportMember(rig.context, uid, reason);
  assert.equal(entitlements.length, memberLimits.entitlementHistoryMax);
  assert.deepEqual(await codesOf(rig, uid), ['archive', 'lifetime']);
});

test('a merge unites entitlements, a split gives them back, and an erasure removes them', async () => {
  await using rig = await membersRig();
  const [from, into] = [await memberOf(rig, 'books', 'asha'), await memberOf(rig, 'music', 'bora')];
  await grant(rig, 'books', from, 'archive');
  await grant(rig, 'music', into, 'scores');
  const pair = { from, into, dryRun: false };
  const { merge_id: mergeId } = await mergeMembers(rig.context, pair, reason);
  for (const uid of [from, into]) {
    assert.deepEqual(await codesOf(rig, uid), ['archive', 'scores']);
  }
  await grant(rig, 'books', from, 'later');
  await splitMembers(rig.context, { mergeId: mergeId!, dryRun: false }, reason);
  assert.deepEqual(await codesOf(rig, from), ['archive', 'later']);
  assert.deepEqual(await codesOf(rig, into), ['scores']);
  await mergeMembers(rig.context, pair, reason);
  await eraseMember(rig.context, into, reason);
  const again = await memberOf(rig, 'books', 'asha');
  assert.deepEqual(await codesOf(rig, again), []);
});

test('webhooks report a grant once when it is made, when it starts and when it ends', async () => {
  await using rig = await membersRig();
  const { context, clock } = rig;
  const uid = await memberOf(rig, 'books', 'asha');
  const url = 'https://hooks.example.com/';
  await addWebhookEndpoint(context, url, ['entitlement.changed'], operator);
  const reports = async () => {
    await reportEntitlements(context);
    const messages = await context.store.read.webhooks.list(Number.MAX_SAFE_INTEGER, 100);
    return messages.toReversed().map(({ body }) => {
      const { data } = JSON.parse(body) as { data: { entitlements: string[] } };
      return data.entitlements.join();
    });
  };
  const period = { from: after(rig, dayMs), until: after(rig, 2 * dayMs) };
  await grant(rig, 'books', uid, 'archive', period);
  await grant(rig, 'books', uid, 'archive', period);
  assert.deepEqual(await reports(), ['']);
  clock.now += dayMs;
  assert.deepEqual(await reports(), ['', 'archive']);
  assert.deepEqual(await reports(), ['', 'archive']);
  clock.now += 3 * dayMs;
  assert.deepEqual(await reports(), ['', 'archive', '']);
  const { history } = await listEntitlements(context, null, uid);
  assert.equal(history.length, 1);
  const member = await context.store.read.members.byUid(uid);
  assert.equal(member?.entitled, 0, 'and a session check reads nothing further');
});

test('a configuration limits the codes and gives tiers their defaults', async () => {
  await using rig = await membersRig();
  const { context } = rig;
  const uid = await memberOf(rig, 'books', 'asha');
  const declared = {
    entitlements: ['archive', 'alerts'],
    tiers: { GOLD: { entitlements: ['archive'] } },
  };
  await declareEntitlements(context, readEntitlementPolicy(declared), operator);
  await assert.rejects(grant(rig, 'books', uid, 'scores'), { code: 'unknown_entitlement' });
  assert.deepEqual(await codesOf(rig, uid), []);
  await setTier(context, uid, 'GOLD', operator);
  assert.deepEqual(await codesOf(rig, uid), ['archive']);
  await grantAsOperator(context, uid, 'alerts', {}, operator);
  const { entitlements } = await lookUpMember(context, (await context.platforms.byCode('books'))!, {
    svc_uid: uid,
  });
  assert.deepEqual(entitlements, ['alerts', 'archive']);
  await declareEntitlements(context, readEntitlementPolicy({ platforms: [] }), operator);
  assert.deepEqual(await codesOf(rig, uid), ['alerts', 'archive'], 'an absent part stays');
  await declareEntitlements(context, readEntitlementPolicy({ entitlements: null }), operator);
  await grant(rig, 'books', uid, 'scores');
});

test('a faulty configuration of entitlements is refused with every fault', () => {
  assert.deepEqual(faultsOf({ entitlements: 'archive' }), ['/entitlements']);
  assert.deepEqual(faultsOf({ entitlements: ['A', 1] }), ['/entitlements', '/entitlements']);
  assert.deepEqual(faultsOf({ tiers: [] }), ['/tiers']);
  assert.deepEqual(faultsOf({ tiers: { gold: { entitlements: ['a'] }, GOLD: {} } }), [
    '/tiers/gold',
    '/tiers/GOLD/entitlements',
  ]);
  const unknown = { entitlements: ['a'], tiers: { GOLD: { entitlements: ['b'] } } };
  assert.deepEqual(faultsOf(unknown), ['/tiers/GOLD/entitlements']);
});

/** Pointers of the faults of a configuration. */
function faultsOf(configuration: object): readonly string[] {
  try {
    readEntitlementPolicy(configuration);
    return [];
  } catch (error) {
    return (error as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);
  }
}
