import type { adminContract } from '../contract/admin.ts';
import type { Answer } from '../contract/route.ts';
import type { MemberContext } from './context.ts';
import { dayText, firstDayOfWeek, seoulDay, weekOf } from './seoul-day.ts';
import { northStar } from './statistics.ts';
import type { EventTotal } from './store/entities.ts';

/** The service in numbers, for its operators. */
export async function overview(context: MemberContext): Promise<Overview> {
  const { read } = context.store;
  const totals = await read.events.totals();
  const codes = new Map((await context.platforms.all()).map(({ id, code }) => [id, code]));
  const platformOf = ({ platformId }: EventTotal) => codes.get(platformId) ?? String(platformId);
  return {
    total_journey_events: sumOf(totals),
    by_event: sumsBy(totals, ({ event }) => event),
    by_source: sumsBy(totals, ({ source }) => source),
    by_platform: sumsBy(totals, platformOf),
    members: await read.members.count(),
    sessions: await read.sessions.unexpiredCount(context.now()),
    events_by_week: await eventsByWeek(context, platformOf),
    north_star: await northStar(context, 'operator', weeks),
  };
}

const weeks = 12;

/** Oldest first; the last is the current, unfinished week. */
async function eventsByWeek(
  context: MemberContext,
  platformOf: (total: EventTotal) => string,
): Promise<Overview['events_by_week']> {
  const first = firstDayOfWeek(weekOf(seoulDay(context.now())) - weeks + 1);
  const totals = await context.store.read.events.totalsSince(first);
  return Array.from({ length: weeks }, (_, index) => {
    const from = first + index * 7;
    const own = totals.filter(({ day }) => day >= from && day < from + 7);
    const registrations = own.filter(({ event }) => event === 'register');
    return {
      from: dayText(from),
      events: sumOf(own),
      registrations: sumOf(registrations),
      by_event: sumsBy(own, ({ event }) => event),
      by_platform: sumsBy(own, platformOf),
    };
  });
}

function sumsBy(
  totals: readonly EventTotal[],
  nameOf: (total: EventTotal) => string,
): Readonly<Record<string, number>> {
  const groups = Object.groupBy(totals, nameOf);
  return Object.fromEntries(Object.entries(groups).map(([name, own]) => [name, sumOf(own ?? [])]));
}

function sumOf(totals: readonly { readonly count: number }[]): number {
  return totals.reduce((sum, { count }) => sum + count, 0);
}

type Overview = Answer<typeof adminContract.overview>;
