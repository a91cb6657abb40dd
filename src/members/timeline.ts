import type { adminContract } from '../contract/admin.ts';
import type { Answer } from '../contract/route.ts';
import type { MemberContext } from './context.ts';
import { instantText } from './instant.ts';
import type { Member, MemberEvent, TimelineCursor } from './store/entities.ts';

/** A page of a member’s events, latest occurrence first. `before` is the cursor of the previous page. */
export async function timelineOf(
  context: MemberContext,
  { id }: Member,
  before: string | undefined,
): Promise<Answer<typeof adminContract.timeline>> {
  const { read } = context.store;
  const cursor = readCursor(before);
  const events: MemberEvent[] = [];
  for (const membership of await read.memberships.of(id)) {
    events.push(...(await read.events.timelineOf(membership.id, cursor, pageEvents)));
  }
  const page = events
    .sort((a, b) => b.occurredAt - a.occurredAt || b.id - a.id)
    .slice(0, pageEvents);
  const codes = new Map((await context.platforms.all()).map((one) => [one.id, one.code]));
  const last = page.at(-1);
  return {
    items: page.map(({ eventId, event, source, platformId, occurredAt, receivedAt, meta }) => ({
      event_id: eventId,
      event,
      source,
      platform: codes.get(platformId) ?? String(platformId),
      occurred_at: instantText(occurredAt),
      received_at: instantText(receivedAt),
      // Stored as the JSON of an object; erasing overwrites it with zeros.
      meta: meta?.startsWith('{') ? (JSON.parse(meta) as Readonly<Record<string, unknown>>) : null,
    })),
    next_cursor:
      last === undefined || page.length < pageEvents ? null : `${last.occurredAt}.${last.id}`,
  };
}

/** Reads a cursor; any other text gives the first page. */
function readCursor(text = ''): TimelineCursor {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(text);
  const [occurredAt, id] =
    match === null ? [Number.MAX_SAFE_INTEGER, 0] : [Number(match[1]), Number(match[2])];
  return { occurredAt, id };
}

const pageEvents = 50;
