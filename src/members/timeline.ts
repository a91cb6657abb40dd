import type { adminContract } from '../contract/admin.ts';
import type { Answer } from '../contract/route.ts';
import type { MemberContext } from './context.ts';
import { instantText } from './instant.ts';
import type { MemberEvent, Member } from './store/entities.ts';

/** A page of a member’s events. `before` is the number of the event that ended the previous page. */
export async function timelineOf(
  context: MemberContext,
  { id }: Member,
  before: number,
): Promise<Answer<typeof adminContract.timeline>> {
  const { read } = context.store;
  const events: MemberEvent[] = [];
  for (const membership of await read.memberships.of(id)) {
    events.push(...(await read.events.ofMembership(membership.id, before, pageEvents)));
  }
  const page = events.sort((a, b) => b.id - a.id).slice(0, pageEvents);
  const codes = new Map((await context.platforms.all()).map((one) => [one.id, one.code]));
  return {
    items: page.map(({ eventId, event, source, platformId, occurredAt }) => ({
      event_id: eventId,
      event,
      source,
      platform: codes.get(platformId) ?? String(platformId),
      occurred_at: instantText(occurredAt),
    })),
    next_cursor: page.length < pageEvents ? null : String(page.at(-1)!.id),
  };
}

const pageEvents = 50;
