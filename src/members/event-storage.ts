import { isDeepStrictEqual } from 'node:util';
import type { membersContract } from '../contract/members.ts';
import type { Answer } from '../contract/route.ts';
import { Problem } from '../kernel/problem.ts';
import { refusalOf } from './batch.ts';
import type { MemberContext } from './context.ts';
import type { CheckedEvent } from './member-event.ts';
import { requireLink } from './membership.ts';
import { seoulDay } from './seoul-day.ts';
import type { EventTarget, EventTotal, Platform } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';

/** `duplicate` is true if the platform has sent an event with this id before; the event counts once. */
export type EventAnswer = Answer<typeof membersContract.event>;

/** Stores an event; 404 `member_not_found` or 410 `member_erased` without a membership on its platform. */
export function storeEvent(context: MemberContext, event: CheckedEvent): Promise<EventAnswer> {
  return context.store.write(async (tx) => {
    const totals = new Totals();
    const answer = await insertEvent(tx, event, totals);
    await totals.write(tx);
    return answer;
  });
}

/**
 * Stores the events of a batch in one write and returns the results in the same order, including the given problems.
 */
export function storeEvents(
  context: MemberContext,
  events: readonly (CheckedEvent | Problem)[],
): Promise<readonly (EventAnswer | Problem)[]> {
  return context.store.write(async (tx) => {
    const answers: (EventAnswer | Problem)[] = [];
    const totals = new Totals();
    for (const event of events) {
      try {
        answers.push(event instanceof Problem ? event : await insertEvent(tx, event, totals));
      } catch (error) {
        // An event is refused before its first write, so there is nothing to undo.
        answers.push(refusalOf(error));
      }
    }
    await totals.write(tx);
    return answers;
  });
}

/**
 * Totals of the events of one write, so that a batch updates each total once. There are so few that a list is searched.
 */
class Totals {
  readonly #list: { -readonly [Name in keyof EventTotal]: EventTotal[Name] }[] = [];

  add(day: number, { platform: { id: platformId }, event, source }: CheckedEvent): void {
    for (const total of this.#list) {
      const isSameKind = total.event === event && total.source === source;
      if (!isSameKind || total.day !== day || total.platformId !== platformId) continue;
      total.count++;
      return;
    }
    this.#list.push({ day, platformId, event, source, count: 1 });
  }

  async write(tx: MemberTransaction): Promise<void> {
    for (const total of this.#list) await tx.events.count(total);
  }
}

async function insertEvent(
  tx: MemberTransaction,
  event: CheckedEvent,
  totals: Totals,
): Promise<EventAnswer> {
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
    totals.add(day, event);
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
