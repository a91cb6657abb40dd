import type { adminContract } from '../contract/admin.ts';
import type { Answer } from '../contract/route.ts';
import type { MemberContext } from './context.ts';
import { eventWeeks, weeksShown } from './event-weeks.ts';
import { northStar } from './statistics.ts';
import { sumOf, sumsBy } from './sums.ts';

/** The service in numbers, for its operators. */
export async function overview(
  context: MemberContext,
): Promise<Answer<typeof adminContract.overview>> {
  const { read } = context.store;
  const totals = await read.events.totals();
  const codes = new Map((await context.platforms.all()).map(({ id, code }) => [id, code]));
  return {
    total_journey_events: sumOf(totals),
    by_event: sumsBy(totals, ({ event }) => event),
    by_source: sumsBy(totals, ({ source }) => source),
    by_platform: sumsBy(totals, ({ platformId: id }) => codes.get(id) ?? String(id)),
    members: await read.members.count(),
    sessions: await read.sessions.unexpiredCount(context.now()),
    events_by_week: await eventWeeks(context),
    north_star: await northStar(context, 'operator', weeksShown),
  };
}
