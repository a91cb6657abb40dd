import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersRig, operator } from '../../../test/members/rig.ts';
import { recordEvent } from '../../members/events.ts';
import { PlatformTraffic } from '../../members/http/platform-traffic.ts';
import { issueKey } from '../../members/keys.ts';
import { overview } from '../../members/overview.ts';
import { setPlatformDisabled } from '../../members/platforms.ts';
import { register } from '../../members/register.ts';
import { dayText, seoulDay } from '../../members/seoul-day.ts';
import { eventNames } from '../../members/store/entities.ts';
import { platformHealth } from './platform-health.ts';

const dayMs = 86_400_000;

test('all platforms are listed, silent ones first, with the days of their latest events', async () => {
  await using rig = await membersRig();
  const { context, clock } = rig;
  const today = clock.now;
  /** Registers a user on the platform and sends a visit, this number of days ago. */
  const visit = async (
    platform: string,
    registeredAgo: number,
    ...visitsAgo: readonly number[]
  ) => {
    const caller = await rig.caller(platform);
    clock.now = today - registeredAgo * dayMs;
    const user = { email: 'kim@example.com', platform, local_user_id: '1' };
    const { svc_uid: uid } = await register(context, caller, user);
    for (const ago of visitsAgo) {
      clock.now = today - ago * dayMs;
      await recordEvent(context, caller, { svc_uid: uid, platform, event: 'visit' });
    }
    clock.now = today;
  };
  await visit('books', 30, 20, 12);
  await visit('music', 3, 0, 0);
  await visit('cards', 2, 2);
  await visit('outside', 0, 5);
  await setPlatformDisabled(context, 'island', true, operator);
  await issueKey(context, { platform: 'outside', scopes: ['stats:read'] }, operator);
  const traffic = new PlatformTraffic(today);
  const { items } = await platformHealth.health({ context, traffic });
  assert.deepEqual(
    items.map(({ platform, state, silent_days: days }) => [platform, state, days]),
    [
      ['books', 'silent', 12],
      ['outside', 'silent', 5],
      ['forum', 'unused', null],
      ['cards', 'live', 2],
      ['music', 'live', 0],
      ['island', 'disabled', null],
    ],
  );
  const [books, outside] = items;
  const ago = (days: number) => dayText(seoulDay(today) - days);
  assert.deepEqual([books!.last_event, books!.last_registration], [ago(12), ago(30)]);
  assert.equal(outside!.last_registration, ago(0));
  assert.deepEqual(outside!.keys, { valid: 2, never_used: 1, last_used: ago(0) });
  const sent = await rig.place.rows('SELECT platform_id, occurred_at FROM events');
  for (const [place, item] of items.entries()) {
    const { id } = (await context.platforms.byCode(item.platform))!;
    const own = sent.filter(({ platform_id: platform }) => platform === id);
    const naive = item.events_by_day.map((_, at) => {
      const day = seoulDay(today) - 27 + at;
      return own.filter((row) => seoulDay(Number(row['occurred_at'])) === day).length;
    });
    assert.deepEqual(item.events_by_day, naive, String(place));
  }
});

test('the weeks of the overview by event and by platform equal a naive count', async () => {
  await using rig = await membersRig();
  const { context, clock } = rig;
  const today = clock.now;
  const names = ['visit', 'login', 'purchase', 'referral'];
  for (const [place, platform] of ['books', 'music', 'forum'].entries()) {
    const caller = await rig.caller(platform);
    clock.now = today - 60 * dayMs;
    const user = { email: 'kim@example.com', platform, local_user_id: '1' };
    const { svc_uid: uid } = await register(context, caller, user);
    for (let count = 0; count < 25; count++) {
      clock.now = today - ((count * 7 + place * 3) % 58) * dayMs;
      const event = names[(count + place) % names.length]!;
      await recordEvent(context, caller, { svc_uid: uid, platform, event });
    }
  }
  clock.now = today;
  const { events_by_week: weeks } = await overview(context);
  const sent = await rig.place.rows(
    `SELECT p.code, e.event, e.occurred_at FROM events e JOIN platforms p ON p.id = e.platform_id`,
  );
  for (const [at, week] of weeks.entries()) {
    const own = sent.filter(
      (row) => dayOf(row) >= week.from && dayOf(row) < (weeks[at + 1]?.from ?? '9'),
    );
    const countBy = (column: string) =>
      Object.fromEntries(
        Object.entries(Object.groupBy(own, (row) => String(row[column]))).map(([name, rows]) => [
          name,
          rows!.length,
        ]),
      );
    assert.deepEqual(week.by_platform, countBy('code'));
    const naive = countBy('event');
    const countsByIndex = Object.entries(week.by_event).map(([name, count]) => [
      eventNames.findIndex((known) => known === name),
      count,
    ]);
    assert.deepEqual(Object.fromEntries(countsByIndex), naive);
  }
  assert.equal(
    weeks.reduce((sum, { events }) => sum + events, 0),
    sent.length,
  );
});

/** Day in Seoul on which the event of a row occurred. */
function dayOf(row: Readonly<Record<string, unknown>>): string {
  return dayText(seoulDay(Number(row['occurred_at'])));
}
