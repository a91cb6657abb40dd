import type { adminContract } from '../contract/admin.ts';
import type { Answer } from '../contract/route.ts';
import type { MemberContext } from './context.ts';
import { readEventFilter, type EventFilter } from './event-filter.ts';
import { instantText } from './instant.ts';

interface FeedParameters extends EventFilter {
  /** Numbers of events, as texts; a text that is not a number has no effect. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/**
 * The latest events of all members in the order they were received, at most 50. 422 `unknown_platform`, or
 * `validation_failed` for an unknown event.
 */
export async function feed(
  context: MemberContext,
  { before, after, ...filter }: FeedParameters,
): Promise<Answer<typeof adminContract.feed>> {
  const { platform, event } = await readEventFilter(context, filter);
  const range = {
    after: numberOf(after) ?? 0,
    before: numberOf(before) ?? Number.MAX_SAFE_INTEGER,
    platformId: platform?.id ?? null,
    event,
  };
  const events = await context.store.read.events.feed(range, pageEvents);
  const codes = new Map((await context.platforms.all()).map(({ id, code }) => [id, code]));
  const items = events.map((one) => ({
    number: one.id,
    svc_uid: one.svcUid,
    event: one.event,
    source: one.source,
    platform: codes.get(one.platformId) ?? String(one.platformId),
    occurred_at: instantText(one.occurredAt),
    received_at: instantText(one.receivedAt),
  }));
  const last = items.at(-1);
  return {
    items,
    next_cursor: last === undefined || items.length < pageEvents ? null : String(last.number),
  };
}

const pageEvents = 50;

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
