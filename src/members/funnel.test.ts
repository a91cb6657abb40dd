import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersRig } from '../../test/members/rig.ts';
import { recordEvent } from './events.ts';
import { funnel } from './funnel.ts';
import { register } from './register.ts';
import { startOfSeoulDay } from './seoul-day.ts';

const dayMs = 86_400_000;

test('a funnel counts whole days in Seoul, and equals a naive count over the rows', async () => {
  await using rig = await membersRig();
  const { context, clock } = rig;
  const today = clock.now;
  const [first, last] = [20_769, 20_774]; // 2026-11-12 and 2026-11-17
  const edges = [startOfSeoulDay(first), startOfSeoulDay(last + 1)].flatMap((at) => [at - 1, at]);
  const callers = new Map(
    await Promise.all(
      ['books', 'music'].map(async (code) => [code, await rig.caller(code)] as const),
    ),
  );
  for (const [place, at] of [...edges, ...edges, today - 3 * dayMs, today - 4 * dayMs].entries()) {
    for (const [platform, caller] of callers) {
      clock.now = at;
      const user = { email: `m${place}@example.com`, platform, local_user_id: String(place) };
      const { svc_uid: uid } = await register(context, caller, user);
      const events = [['visit'], ['purchase'], ['visit', 'purchase'], []][place % 4]!;
      for (const event of events) {
        // Every third event is after the range.
        clock.now = place % 3 === 0 ? today : at;
        await recordEvent(context, caller, { svc_uid: uid, platform, event });
      }
    }
  }
  clock.now = today;
  const { items, from, to } = await funnel(context, { from: '2026-11-12', to: '2026-11-17' });
  assert.deepEqual([from, to], ['2026-11-12', '2026-11-17']);
  const links = await rig.place.rows('SELECT id, platform_id, linked_at FROM memberships');
  const sent = await rig.place.rows('SELECT membership_id, event, occurred_at FROM events');
  const end = startOfSeoulDay(last + 1);
  for (const item of items) {
    const { id } = (await context.platforms.byCode(item.platform))!;
    const registered = links.filter(
      (link) =>
        link['platform_id'] === id &&
        Number(link['linked_at']) >= startOfSeoulDay(first) &&
        Number(link['linked_at']) < end,
    );
    const did = (link: (typeof links)[number], event: number) =>
      sent.some(
        (row) =>
          row['membership_id'] === link['id'] &&
          row['event'] === event &&
          Number(row['occurred_at']) < end,
      );
    const visited = registered.filter((link) => did(link, 1));
    assert.deepEqual(item, {
      platform: item.platform,
      registered: registered.length,
      visited: visited.length,
      purchased: visited.filter((link) => did(link, 3)).length,
    });
  }
  const books = items.find(({ platform }) => platform === 'books')!;
  assert.ok(books.registered > books.visited && books.visited > books.purchased);
  assert.ok(books.purchased > 0);
});

test('a range of days that is malformed, reversed or too long is refused', async () => {
  await using rig = await membersRig();
  const read = (from?: string, to?: string) => funnel(rig.context, { from, to });
  assert.deepEqual(await read().then((answer) => [answer.from, answer.to]), [
    '2026-10-21',
    '2026-11-17',
  ]);
  assert.equal((await read('2025-11-17', '2026-11-17')).items.length, 6);
  for (const range of [
    ['2026-11-31'],
    ['tomorrow'],
    ['2026-11-17', '2026-11-16'],
    ['2025-11-16', '2026-11-17'],
  ]) {
    await assert.rejects(read(...range), { code: 'validation_failed', status: 422 });
  }
});
