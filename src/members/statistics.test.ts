import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { membersRig, operator, type MembersRig } from '../../test/members/rig.ts';
import { eraseMember } from './erase.ts';
import { recordBrowserEvent, recordEvent } from './events.ts';
import { mergeMembers, splitMembers } from './merge.ts';
import { register } from './register.ts';
import { firstDayOfWeek, seoulDay, startOfSeoulDay, weekOf } from './seoul-day.ts';
import { checkSession } from './session.ts';
import { issueSso } from './sso.ts';
import { crossPlatform, definitionVersion, northStar } from './statistics.ts';

const codes = ['books', 'music', 'forum', 'cards'] as const;
const dayMs = 86_400_000;
const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('event' as const),
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
);

test('statistics equal a naive count over the raw events, for any history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      await using rig = await membersRig();
      await live(rig, steps);
      const star = await northStar(rig.context, 'operator', 4);
      const cross = await crossPlatform(rig.context, 'operator');
      using database = new DatabaseSync(rig.path);
      const today = seoulDay(rig.clock.now);
      assert.deepEqual(
        star.weeks.map(({ value }) => value),
        naiveNorthStar(database, today, 4),
      );
      assert.equal(cross.active_members.month, naiveActive(database, today - 28, today));
      assert.equal(cross.active_members.week, naiveActive(database, today - 7, today));
      assert.deepEqual(
        cross.overlap.sets
          .map(({ platforms, members }) => `${platforms.join('+')}: ${members}`)
          .sort(),
        naiveSets(database, today),
      );
    }),
    { numRuns: 25 },
  );
});

test('T19: what a page tells does not move the north star, and is counted as left out', async () => {
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

test('a platform does not see cells under five, and is told how many it does not see', async () => {
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

test('today does not count until it is over, in Seoul', async () => {
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

test('a late event changes a count that was kept', async () => {
  await using rig = await membersRig();
  const { svc_uid } = await joinBoth(rig);
  rig.clock.now += 2 * dayMs;
  assert.equal((await crossPlatform(rig.context, 'operator')).active_members.week, 0);
  const occurred_at = new Date(rig.clock.now - dayMs).toISOString();
  const event = { svc_uid, platform: 'books', event: 'visit', occurred_at };
  await recordEvent(rig.context, await rig.caller('books'), event);
  assert.equal((await crossPlatform(rig.context, 'operator')).active_members.week, 1);
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

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Lives the steps through the operations callers use; what a rule refuses did not happen. */
async function live(rig: MembersRig, steps: readonly Step[]): Promise<void> {
  const { context } = rig;
  const all = await rig.caller(null);
  const uids: string[] = [];
  rig.clock.now -= 41 * dayMs;
  for (let person = 0; person <= 5; person++) {
    for (const platform of codes.slice(0, 1 + (person % codes.length))) {
      const body = { email: `p${person}@example.com`, local_user_id: `${person}`, platform };
      uids[person] = (await register(context, all, body)).svc_uid;
    }
  }
  rig.clock.now += 41 * dayMs;
  for (const one of steps) {
    const uid = uids[one.person]!;
    if (one.do === 'erase') await allowed(eraseMember(context, uid, operator));
    else if (one.do === 'event') {
      const occurred_at = new Date(rig.clock.now - one.hoursAgo * 3_600_000).toISOString();
      const body = { svc_uid: uid, platform: one.platform, event: 'visit', occurred_at };
      await allowed(recordEvent(context, all, body));
    } else {
      const wanted = { from: uid, into: uids[one.into]!, dryRun: false };
      const merged = await allowed(mergeMembers(context, wanted, operator));
      if (!one.split || merged === null) continue;
      await splitMembers(context, { mergeId: merged.merge_id!, dryRun: false }, operator);
    }
  }
}

async function allowed<Result>(doing: Promise<Result>): Promise<Result | null> {
  try {
    return await doing;
  } catch (error) {
    assert(error instanceof Error && 'code' in error && !('errcode' in error), String(error));
    return null;
  }
}

/** Every server event but a registration, with the Seoul day it happened on and whose it is now. */
const naiveActivity = `
  SELECT m.id AS member, ms.platform_id AS platform, (e.occurred_at + 32400000) / 86400000 AS day
  FROM events e JOIN memberships ms ON ms.id = e.membership_id JOIN members m ON m.id = ms.member_id
  WHERE e.source = 0 AND e.event <> 0`;

function naiveNorthStar(database: DatabaseSync, today: number, weeks: number): number[] {
  const last = weekOf(today) - 1;
  const statement = database.prepare(
    `SELECT count(*) AS count FROM (SELECT member FROM (${naiveActivity}) WHERE day >= ? AND day < ?
     GROUP BY member HAVING count(DISTINCT platform) >= 2)`,
  );
  return Array.from({ length: weeks }, (_, at) => {
    const first = firstDayOfWeek(last - weeks + 1 + at);
    return Number(statement.get(first, first + 7)!['count']);
  });
}

function naiveActive(database: DatabaseSync, from: number, to: number): number {
  const sql = `SELECT count(DISTINCT member) AS count FROM (${naiveActivity}) WHERE day >= ? AND day < ?`;
  return Number(database.prepare(sql).get(from, to)!['count']);
}

function naiveSets(database: DatabaseSync, today: number): string[] {
  const rows = database
    .prepare(
      `SELECT names || ': ' || count(*) AS line FROM (
         SELECT group_concat(code, '+') AS names FROM (
           SELECT DISTINCT ms.member_id, p.id, p.code FROM memberships ms JOIN platforms p ON p.id = ms.platform_id
           WHERE ms.linked_at < ? ORDER BY ms.member_id, p.id) GROUP BY member_id) GROUP BY names`,
    )
    .all(startOfSeoulDay(today));
  return rows.map((row) => String(row['line'])).sort();
}
