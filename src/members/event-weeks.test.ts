import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersRig } from '../../test/members/rig.ts';
import { Problem } from '../kernel/problem.ts';
import { eventWeeks } from './event-weeks.ts';
import { recordEvents } from './events.ts';
import { overview } from './overview.ts';
import { register } from './register.ts';

test('the events of all platforms, and of all kinds, add up to all events of each week', async () => {
  await using rig = await membersRig();
  const { context, clock } = rig;
  const counts = { books: 3, music: 2 };
  for (const weeksAgo of [9, 2, 0]) {
    clock.now = Date.parse('2026-11-18T12:00:00+09:00') - weeksAgo * 7 * 86_400_000;
    for (const [platform, visits] of Object.entries(counts)) {
      const caller = await rig.caller(platform);
      const user = { email: `${weeksAgo}@example.com`, platform, local_user_id: `${weeksAgo}` };
      const { svc_uid: uid } = await register(context, caller, user);
      const events = Array.from({ length: visits }, (_, at) => ({
        svc_uid: uid,
        platform,
        event: at === 0 ? 'purchase' : 'visit',
        event_id: `${weeksAgo}-${at}`,
      }));
      await recordEvents(context, caller, events);
    }
  }
  const sums = async (filter: Parameters<typeof eventWeeks>[1]) =>
    (await eventWeeks(context, filter)).map(({ events }) => events);
  const [books, music] = [await sums({ platform: 'books' }), await sums({ platform: 'music' })];
  const all = await sums({});
  assert.equal(all.length, 12);
  assert.deepEqual([all.at(-10), all.at(-3), all.at(-1)], [7, 7, 7]);
  assert.deepEqual(
    books.map((count, week) => count + music[week]!),
    all,
  );
  const purchases = await eventWeeks(context, { platform: 'books', event: 'purchase' });
  assert.deepEqual(purchases.at(-1)?.by_event, { purchase: 1 });
  assert.equal(purchases.at(-1)?.registrations, 0);
  assert.deepEqual((await overview(context)).events_by_week, await eventWeeks(context));
});

test('an unknown platform or event is refused, and an empty text matches all', async () => {
  await using rig = await membersRig();
  assert.equal((await eventWeeks(rig.context, { platform: '', event: '' })).length, 12);
  const refused = [
    [{ platform: 'none' }, 'unknown_platform'],
    [{ event: 'register; drop' }, 'validation_failed'],
  ] as const;
  for (const [filter, code] of refused) {
    await assert.rejects(
      eventWeeks(rig.context, filter),
      (error) => error instanceof Problem && error.code === code,
    );
  }
});
