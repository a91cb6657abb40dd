import type { adminContract } from '../contract/admin.ts';
import type { Answer } from '../contract/route.ts';
import type { MemberContext } from './context.ts';
import { readEventFilter, type EventFilter } from './event-filter.ts';
import { dayText, firstDayOfWeek, seoulDay, weekOf } from './seoul-day.ts';
import type { EventTotal } from './store/entities.ts';
import { sumOf, sumsBy } from './sums.ts';

/**
 * Events of twelve weeks, oldest first; the last is the current, unfinished one. 422 `unknown_platform`, or
 * `validation_failed` for an unknown event.
 */
export async function eventWeeks(
  context: MemberContext,
  filter: EventFilter = {},
): Promise<Answer<typeof adminContract.eventWeeks>['items']> {
  const { platform, event } = await readEventFilter(context, filter);
  const codes = new Map((await context.platforms.all()).map(({ id, code }) => [id, code]));
  const platformOf = ({ platformId }: EventTotal) => codes.get(platformId) ?? String(platformId);
  const first = firstDayOfWeek(weekOf(seoulDay(context.now())) - weeksShown + 1);
  const totals = (await context.store.read.events.totalsSince(first)).filter(
    (total) =>
      (platform === null || total.platformId === platform.id) &&
      (event === null || total.event === event),
  );
  return Array.from({ length: weeksShown }, (_, index) => {
    const from = first + index * 7;
    const own = totals.filter(({ day }) => day >= from && day < from + 7);
    return {
      from: dayText(from),
      events: sumOf(own),
      registrations: sumOf(own.filter((total) => total.event === 'register')),
      by_event: sumsBy(own, (total) => total.event),
      by_platform: sumsBy(own, platformOf),
    };
  });
}

export const weeksShown = 12;
