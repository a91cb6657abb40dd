import { isDeepStrictEqual } from 'node:util';
import type { membersContract } from '../contract/members.ts';
import type { Answer } from '../contract/route.ts';
import { Problem } from '../kernel/problem.ts';
import { refusalOf } from './batch.ts';
import type { MemberContext } from './context.ts';
import type { CheckedEvent } from './member-event.ts';
import { requireLink } from './membership.ts';
import { seoulDay } from './seoul-day.ts';
import type { EventTarget, Platform } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';

/** `duplicate` is true if the platform has sent an event with this id before; the event counts once. */
export type EventAnswer = Answer<typeof membersContract.event>;

/** Stores an event; 404 `member_not_found` or 410 `member_erased` without a membership on its platform. */
export function storeEvent(context: MemberContext, event: CheckedEvent): Promise<EventAnswer> {
  return context.store.write((tx) => insertEvent(tx, event));
}

/**
 * Stores the events of a batch in one write and returns the results in the same order, including the given problems.
 */
export function storeEvents(
  context: MemberContext,
  events: readonly (CheckedEvent | Problem)[],
): Promise<readonly (EventAnswer | Problem)[]> {
  return context.store.write(async (tx) => {
    // All at once, so that an engine over a wire answers them together.
    const stored = await Promise.allSettled(
      events.map(async (event) => (event instanceof Problem ? event : insertEvent(tx, event))),
    );
    // An event is refused before its first write, so there is nothing to undo.
    return stored.map((one) => ('value' in one ? one.value : refusalOf(one.reason)));
  });
}

async function insertEvent(tx: MemberTransaction, event: CheckedEvent): Promise<EventAnswer> {
  const { platform, svcUid, eventId, storedId, occurredAt, receivedAt, source } = event;
  const target =
    (await tx.events.target(svcUid, platform.id)) ?? (await targetByLink(tx, svcUid, platform));
  const inserted = await tx.events.insert({
    platformId: platform.id,
    eventId: storedId,
    membershipId: target.membershipId,
    event: event.event,
    source,
    occurredAt,
    receivedAt,
    meta: event.meta,
  });
  if (!inserted) await requireSameEvent(tx, event, target);
  else {
    const day = seoulDay(occurredAt);
    const total = { day, platformId: platform.id, event: event.event, source, count: 1 };
    await tx.events.count(total);
    if (source === 'server') await tx.events.markActive(target.homeId, day, platform.id);
    // A complete day has changed: its statistics must be counted again.
    if (day < seoulDay(receivedAt)) await tx.members.touchHistory();
  }
  return { event_id: eventId, accepted: true, duplicate: !inserted };
}

/** Accepts a retry; 409 `event_id_conflict` if the stored event with this id has another member, kind or meta. */
async function requireSameEvent(
  tx: MemberTransaction,
  { platform, storedId, event, meta }: CheckedEvent,
  { membershipId }: EventTarget,
): Promise<void> {
  const known = await tx.events.byEventId(platform.id, storedId);
  if (known === null) return;
  const isSame = known.membershipId === membershipId && known.event === event;
  if (isSame && (known.meta === meta || isSameJson(known.meta, meta))) return;
  throw new Problem('event_id_conflict', {
    ko: '이 event_id는 다른 회원, 종류나 meta의 이벤트에 이미 쓰였습니다. 기록하지 않았습니다.',
    en: 'This event_id belongs to an event of another member, kind or meta. Nothing was recorded.',
  });
}

/** True for equal JSON values; a retry may write the properties in another order. */
function isSameJson(known: string | null, meta: string | null): boolean {
  return known !== null && meta !== null && isDeepStrictEqual(parsed(known), parsed(meta));
}

function parsed(text: string): unknown {
  return JSON.parse(text) as unknown;
}

/** Target of a uid whose membership belongs to another of the merged members, or has moved to another member. */
async function targetByLink(
  tx: MemberTransaction,
  svcUid: string,
  platform: Platform,
): Promise<EventTarget> {
  const { link } = await requireLink(tx, platform, svcUid);
  return { membershipId: link.id, homeId: link.homeId };
}
