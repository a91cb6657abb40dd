import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersRig, operator } from '../../../test/members/rig.ts';
import { setTier, suspendMember } from '../../members/account-status.ts';
import { register } from '../../members/register.ts';
import { filterMembers, type MemberFilter } from './filter-members.ts';

test('a filter finds the members of a naive filter, page by page in the order they joined', async () => {
  await using rig = await membersRig();
  const { context, clock } = rig;
  const callers = await Promise.all(['books', 'music'].map((code) => rig.caller(code)));
  clock.now = Date.parse('2026-11-10T23:00:00+09:00');
  for (let count = 0; count < 12; count++) {
    const email = `m${count}@example.com`;
    let uid = '';
    for (const [at, platform] of ['books', 'music'].entries()) {
      if (at === 1 && count % 3 !== 0) continue;
      const user = { email, platform, local_user_id: String(count) };
      uid = (await register(context, callers[at]!, user)).svc_uid;
    }
    if (count % 4 === 0) await setTier(context, uid, 'GOLD', operator);
    if (count % 6 === 0) await suspendMember(context, uid, operator);
    clock.now += 3_600_000 * 6;
  }
  const everyone = await context.store.read.members.list(0, 100);
  const find = async (filter: MemberFilter) => {
    const found: number[] = [];
    let after: number | null = 0;
    while (after !== null) {
      const page: Awaited<ReturnType<typeof filterMembers>> = await filterMembers(
        context,
        filter,
        after,
        2,
      );
      found.push(...page.members.map(({ id }) => id));
      after = page.next;
    }
    return found;
  };
  const music = (await context.platforms.byCode('music'))!.id;
  const naive = (matches: (member: (typeof everyone)[number]) => boolean) =>
    everyone.filter(matches).map(({ id }) => id);
  assert.deepEqual(
    await find({}),
    naive(() => true),
  );
  assert.deepEqual(
    await find({ platform: 'music', tier: '' }),
    naive(({ platforms }) => (platforms & (1 << music)) !== 0),
  );
  assert.deepEqual(
    await find({ tier: 'GOLD', status: 'active' }),
    naive(({ tier, status }) => tier === 'GOLD' && status === 'active'),
  );
  const [from, to] = ['2026-11-11', '2026-11-12'];
  const start = Date.parse(`${from}T00:00:00+09:00`);
  const end = Date.parse('2026-11-13T00:00:00+09:00');
  const inRange = naive(({ createdAt }) => createdAt >= start && createdAt < end);
  assert.ok(inRange.length > 0 && inRange.length < everyone.length);
  assert.deepEqual(await find({ from, to }), inRange);
  await assert.rejects(find({ platform: 'none' }), { code: 'unknown_platform' });
});
