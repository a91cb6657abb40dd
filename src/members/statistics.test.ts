import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isLongForm } from '../../test/long-form.ts';
import { membersRig, operator, type MembersRig } from '../../test/members/rig.ts';
import { naiveStatistics } from '../../test/members/naive-statistics.ts';
import { eraseMember } from './erase.ts';
import { recordBrowserEvent, recordEvent } from './events.ts';
import type { KeyCaller } from './keys.ts';
import { mergeMembers, splitMembers } from './merge.ts';
import { leave } from './leave.ts';
import { register } from './register.ts';
import { dayText, firstDayOfWeek, seoulDay, startOfSeoulDay, weekOf } from './seoul-day.ts';
import { checkSession } from './session.ts';
import { issueSso } from './sso.ts';
import { crossPlatform, definitionVersion, northStar } from './statistics.ts';

const codes = ['books', 'music', 'forum', 'cards'] as const;
const dayMs = 86_400_000;
const anyStep = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constantFrom('event' as const, 'event' as const, 'page' as const),
      person: fc.nat({ max: 5 }),
      platform: fc.constantFrom(...codes),
      hoursAgo: fc.nat({ max: 24 * 40 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('erase' as const), person: fc.nat({ max: 5 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('merge' as const),
      person: fc.nat({ max: 5 }),
      into: fc.nat({ max: 5 }),
      split: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('leave' as const, 'move' as const),
      person: fc.nat({ max: 5 }),
      platform: fc.constantFrom(...codes),
      /** The person whose address the link of another person moves to. */
      to: fc.nat({ max: 9 }),
    }),
  },
);

/** A fixed history with an event of a page, which random histories may lack. */
const pageEvent = { do: 'page', person: 1, platform: 'books', hoursAgo: 30 } as const;

test('all statistics equal a naive count over the raw rows, for any history', async () => {
  let pageEvents = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 40 }), async (steps) => {
      await using rig = await membersRig();
      const uncounted = await runSteps(rig, steps);
      const naive = await naiveStatistics(rig.place, rig.clock.now, 4);
      const { excluded: starExcluded, ...star } = await northStar(rig.context, 'operator', 4);
      assert.deepEqual(star, naive.star);
      const { excluded, ...cross } = await crossPlatform(rig.context, 'operator');
      // A flow stays the platform that a link came after, also once that one has ended or moved.
      const hasEnded = steps.some((step) => step.do === 'leave' || step.do === 'move');
      const flows = hasEnded ? naive.cross.flows : cross.flows.toSorted(byName);
      assert.deepEqual({ ...cross, flows }, naive.cross);
      pageEvents += uncounted.filter(({ kind }) => kind === 'browser').length;
      const today = seoulDay(rig.clock.now);
      for (const [answer, weeks] of [
        [starExcluded, 4],
        [excluded, 12],
      ] as const) {
        const since = Math.min(firstDayOfWeek(weekOf(today) - weeks), today - 28);
        const counted = uncounted.filter((one) => one.day >= since && one.day < today);
        assert.deepEqual(answer, {
          since: dayText(since),
          browser_events: counted.filter(({ kind }) => kind === 'browser').length,
          register_events: counted.filter(({ kind }) => kind === 'register').length,
          suppressed_cells: 0,
        });
      }
    }),
    { numRuns: isLongForm ? 100 : 12, examples: [[[pageEvent]]] },
  );
  assert(pageEvents > 0);
});

test('T19: events of pages do not change the north star and count as excluded', async () => {
  await using rig = await membersRig();
  const { token } = await joinBoth(rig);
  const session = (await checkSession(rig.context, token))!;
  const forged = Array.from({ length: 1_000 }, (_, at) => {
    const platform = at % 2 === 0 ? 'books' : 'music';
    const event = at % 4 < 2 ? 'visit' : 'purchase';
    const origin = `https://${platform}.example.com`;
    return recordBrowserEvent(rig.context, session, origin, { platform, event });
  });
  await Promise.all(forged);
  rig.clock.now += 8 * dayMs;
  const star = await northStar(rig.context, 'operator');
  assert.deepEqual([star.value, star.definition_version], [0, definitionVersion]);
  assert.deepEqual([star.excluded.browser_events, star.excluded.register_events], [1_000, 2]);
  assert.equal(star.weeks.length, 12);
});

test('a platform gets null for cells under five, with their number', async () => {
  await using rig = await membersRig();
  await joinBoth(rig);
  rig.clock.now += dayMs;
  const [whole, part] = [
    await crossPlatform(rig.context, 'operator'),
    await crossPlatform(rig.context, 'platform'),
  ];
  assert.equal(whole.members, 1);
  assert.deepEqual(whole.overlap.sets, [{ platforms: ['books', 'music'], members: 1 }]);
  assert.deepEqual(whole.flows, [{ from: 'books', to: 'music', members: 1 }]);
  assert.equal(part.members, null);
  assert.deepEqual(part.overlap.sets, [{ platforms: ['books', 'music'], members: null }]);
  assert(part.excluded.suppressed_cells > 0 && whole.excluded.suppressed_cells === 0);
});

test('a hidden cell of a week or of flows does not follow from the sums of the answer', async (t) => {
  await using rig = await membersRig();
  const { context } = rig;
  const active = [{ platforms: 3, members: 30 }];
  const week = weekOf(seoulDay(rig.clock.now)) - 1;
  const growth = { new: 3, returning: 20, resurrected: 7, dormant: 0 };
  t.mock.method(context.store, 'activity', async () => ({
    linked: [
      { platforms: 1, members: 10 },
      { platforms: 3, members: 8 },
    ],
    flows: [
      { from: 0, to: 1, members: 5 },
      { from: 1, to: 0, members: 3 },
    ],
    active: { day: active, week: active, month: active },
    weeks: [{ week, active, ...growth, retained: [3] }],
  }));
  const star = (await northStar(context, 'platform', 1)).weeks[0]!;
  // New are the active members that are neither returning nor resurrected.
  assert.equal(star.growth.new, null);
  assert([star.active_members, star.growth.returning, star.growth.resurrected].includes(null));
  const { members, platforms, flows } = await crossPlatform(context, 'platform');
  // Each move adds a membership beyond the first of a member.
  const [there, back] = flows;
  assert.equal(back!.members, null);
  const onTwo = platforms.slice(0, 2).map((one) => one.members);
  assert([members, there!.members, ...onTwo].includes(null));
});

test('a day is counted once it has ended in Seoul', async () => {
  await using rig = await membersRig();
  rig.clock.now = startOfSeoulDay(seoulDay(rig.clock.now) + 1) - 1;
  await joinBoth(rig);
  const caller = await rig.caller('books');
  const uid = (await rig.context.store.read.members.list(0, 1))[0]!.svcUid;
  await recordEvent(rig.context, caller, { svc_uid: uid, platform: 'books', event: 'visit' });
  const before = await crossPlatform(rig.context, 'operator');
  assert.deepEqual([before.members, before.active_members.day, before.overlap.sets], [0, 0, []]);
  rig.clock.now += 1;
  const after = await crossPlatform(rig.context, 'operator');
  assert.deepEqual([after.members, after.active_members.day], [1, 1]);
  assert.equal(after.as_of, '2026-11-18');
});

test('a late event changes a cached count', async () => {
  await using rig = await membersRig();
  const { svc_uid } = await joinBoth(rig);
  rig.clock.now += 2 * dayMs;
  assert.equal((await crossPlatform(rig.context, 'operator')).active_members.week, 0);
  const occurred_at = new Date(rig.clock.now - dayMs).toISOString();
  const event = { svc_uid, platform: 'books', event: 'visit', occurred_at };
  await recordEvent(rig.context, await rig.caller('books'), event);
  assert.equal((await crossPlatform(rig.context, 'operator')).active_members.week, 1);
});

test('merging, splitting and erasing change cached counts', async () => {
  await using rig = await membersRig();
  const { context } = rig;
  const into = (await joinBoth(rig)).svc_uid;
  const music = await rig.caller('music');
  const lee = { email: 'lee@example.com', platform: 'music', local_user_id: '2' };
  const from = (await register(context, music, lee)).svc_uid;
  rig.clock.now += dayMs;
  const count = async () => (await crossPlatform(context, 'operator')).members;
  assert.equal(await count(), 2);
  const merged = await mergeMembers(
    context,
    { from, into, dryRun: false, isSamePerson: true },
    operator,
  );
  assert.equal(await count(), 1);
  await splitMembers(context, { mergeId: merged.merge_id!, dryRun: false }, operator);
  assert.equal(await count(), 2);
  await eraseMember(context, from, operator);
  assert.equal(await count(), 1);
});

async function joinBoth(
  rig: MembersRig,
): Promise<{ readonly token: string; readonly svc_uid: string }> {
  const user = { email: 'kim@example.com', local_user_id: '1' };
  for (const platform of ['books', 'music']) {
    await register(rig.context, await rig.caller(platform), { ...user, platform });
  }
  const issued = await issueSso(rig.context, await rig.caller('books'), {
    ...user,
    platform: 'books',
  });
  return { token: issued.token, svc_uid: issued.svcUid };
}

function byName(a: { from: string; to: string }, b: { from: string; to: string }): number {
  return `${a.from} ${a.to}` < `${b.from} ${b.to}` ? -1 : 1;
}

type Step = typeof anyStep extends fc.Arbitrary<infer One> ? One : never;

/** An event that statistics exclude. */
interface UncountedEvent {
  readonly kind: 'register' | 'browser';
  readonly day: number;
}

/**
 * Runs the steps through the operations of callers; refused ones have no effect. Returns the registrations and page
 * events, which still count after their member is erased.
 */
async function runSteps(
  rig: MembersRig,
  steps: readonly Step[],
): Promise<readonly UncountedEvent[]> {
  const { context } = rig;
  const all = await rig.caller(null);
  const uids: string[] = [];
  const uncounted: UncountedEvent[] = [];
  rig.clock.now -= 41 * dayMs;
  for (let person = 0; person <= 5; person++) {
    for (const platform of codes.slice(0, 1 + (person % codes.length))) {
      const body = { email: `p${person}@example.com`, local_user_id: `${person}`, platform };
      uids[person] = (await register(context, all, body)).svc_uid;
      uncounted.push({ kind: 'register', day: seoulDay(rig.clock.now) });
    }
  }
  rig.clock.now += 41 * dayMs;
  /** Number of the events that registrations made. */
  const rows = async () =>
    (await context.store.read.events.totals()).reduce(
      (sum, { event, count }) => sum + (event === 'register' ? count : 0),
      0,
    );
  for (const step of steps) {
    const uid = uids[step.person]!;
    if (step.do === 'erase') await resultOrNull(eraseMember(context, uid, operator));
    else if (step.do === 'event') {
      const occurred_at = new Date(rig.clock.now - step.hoursAgo * 3_600_000).toISOString();
      const body = { svc_uid: uid, platform: step.platform, event: 'visit', occurred_at };
      await resultOrNull(recordEvent(context, all, body));
    } else if (step.do === 'page') {
      const recorded = await resultOrNull(recordFromPage(rig, all, step));
      if (recorded?.accepted === true) {
        const day = seoulDay(rig.clock.now - step.hoursAgo * 3_600_000);
        uncounted.push({ kind: 'browser', day });
      }
    } else if (step.do === 'leave') {
      const platform = (await context.platforms.byCode(step.platform))!;
      const user = { local_user_id: `${step.person}` };
      await resultOrNull(leave(context, platform, user, operator));
    } else if (step.do === 'move') {
      const user = { local_user_id: `${step.person}`, platform: step.platform };
      const moved = { ...user, email: `p${step.to}@example.com` };
      rig.clock.now += 1;
      const known = await rows();
      await resultOrNull(register(context, all, moved));
      if ((await rows()) > known)
        uncounted.push({ kind: 'register', day: seoulDay(rig.clock.now) });
    } else if (step.do === 'merge') {
      const pair = { from: uid, into: uids[step.into]!, dryRun: false, isSamePerson: true };
      const merged = await resultOrNull(mergeMembers(context, pair, operator));
      if (!step.split || merged === null) continue;
      await splitMembers(context, { mergeId: merged.merge_id!, dryRun: false }, operator);
    }
  }
  return uncounted;
}

/** Records an event of a page, on one of the two platforms with an origin. */
async function recordFromPage(
  { context, clock }: MembersRig,
  caller: KeyCaller,
  { person, platform, hoursAgo }: { person: number; platform: string; hoursAgo: number },
) {
  const user = { email: `p${person}@example.com`, local_user_id: `${person}`, platform };
  const { token } = await issueSso(context, caller, user);
  const session = (await checkSession(context, token))!;
  const occurred_at = new Date(clock.now - hoursAgo * 3_600_000).toISOString();
  const origin = `https://${platform}.example.com`;
  return recordBrowserEvent(context, session, origin, { platform, event: 'purchase', occurred_at });
}

/** Result of an operation; null if it was refused. */
async function resultOrNull<Result>(operation: Promise<Result>): Promise<Result | null> {
  try {
    return await operation;
  } catch (error) {
    assert(error instanceof Error && 'code' in error && !('errcode' in error), String(error));
    return null;
  }
}
