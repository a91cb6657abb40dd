import type { Body } from './body.ts';
import type { MemberContext } from './context.ts';
import { findMember } from './find-member.ts';
import {
  eventNotAllowed,
  invalidEventId,
  readEvent,
  requireSendableEvent,
  type CheckedEvent,
} from './member-event.ts';
import { requirePlatform, type KeyCaller } from './keys.ts';
import { membershipOn } from './membership.ts';
import { memberLimits } from './limits.ts';
import { Problem } from '../kernel/problem.ts';
import { memberNotFound } from './problem.ts';
import { memberErased, refuseOversized } from './register.ts';
import { seoulDay } from './seoul-day.ts';
import type { EventTarget, EventTotal, LiveSession, Platform } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';

export interface EventAnswer {
  readonly event_id: string;
  readonly accepted: boolean;
  /** The platform had sent an event of this id before: it counts once. */
  readonly duplicate: boolean;
}

/** An event that a platform's server tells of. */
export async function recordEvent(
  context: MemberContext,
  caller: KeyCaller,
  body: Body,
): Promise<EventAnswer> {
  const event = await readServerEvent(context, caller, body);
  return settleOne(context, event);
}

/** Up to 100 events in one durable write, each on its own: what is wrong with one is told in its place. */
export async function recordEvents(
  context: MemberContext,
  caller: KeyCaller,
  bodies: readonly Body[],
): Promise<readonly (EventAnswer | Problem)[]> {
  refuseOversized(bodies.length, memberLimits.eventsPerBatchMax);
  return settleAll(
    context,
    bodies.map((body) => readServerEvent(context, caller, body)),
  );
}

async function settleAll(
  context: MemberContext,
  read: readonly Promise<CheckedEvent>[],
): Promise<readonly (EventAnswer | Problem)[]> {
  const events = await Promise.all(read.map(orProblem));
  return context.store.write(async (tx) => {
    const answers: (EventAnswer | Problem)[] = [];
    const totals = new Totals();
    for (const event of events) {
      // A refusal comes before the first write of an event, so there is nothing to undo.
      answers.push(event instanceof Problem ? event : await orProblem(settle(tx, event, totals)));
    }
    await totals.write(tx);
    return answers;
  });
}

/** An event that a page tells of: for its own member, on a platform its origin belongs to, and kept out of the north star. */
export async function recordBrowserEvent(
  context: MemberContext,
  session: LiveSession,
  origin: string,
  body: Body,
): Promise<EventAnswer> {
  return settleOne(context, await readBrowserEvent(context, session, origin, body));
}

/** Up to 20 events of a page at once, each on its own: what was written down while it could not be sent. */
export async function recordBrowserEvents(
  context: MemberContext,
  session: LiveSession,
  origin: string,
  bodies: readonly Body[],
): Promise<readonly (EventAnswer | Problem)[]> {
  refuseOversized(bodies.length, memberLimits.eventsPerPageBatchMax);
  return settleAll(
    context,
    bodies.map((body) => readBrowserEvent(context, session, origin, body)),
  );
}

async function readBrowserEvent(
  context: MemberContext,
  session: LiveSession,
  origin: string,
  body: Body,
): Promise<CheckedEvent> {
  const allowed = await context.platforms.byOrigin(origin);
  const platform = allowed.find(({ code }) => code === body['platform']);
  if (platform === undefined) throw originNotAllowed();
  const uid = body['svc_uid'] ?? session.member.svcUid;
  const named = await findMember(context.store.read, uid);
  if (named?.id !== session.member.id) throw uidMismatch();
  requireSendableEvent(body['event']);
  const event = readEvent(platform, { ...body, svc_uid: uid }, 'browser', context.now());
  // No server can send a slash in an id.
  return { ...event, storedId: `page/${session.member.id}/${event.eventId}` };
}

/** A card that an issuer's server gave out: a platform with the capability `card_issuer`, `event_id` required. */
export async function recordCardIssued(
  context: MemberContext,
  caller: KeyCaller,
  body: Body,
): Promise<EventAnswer> {
  const platform = await requirePlatform(
    context,
    caller,
    body['platform'] ?? caller.platform?.code,
  );
  if (!platform.capabilities.includes('card_issuer')) throw eventNotAllowed();
  if (body['event_id'] === undefined) throw invalidEventId();
  const event = readEvent(platform, { ...body, event: 'card_issued' }, 'server', context.now());
  return settleOne(context, event);
}

async function readServerEvent(
  context: MemberContext,
  caller: KeyCaller,
  body: Body,
): Promise<CheckedEvent> {
  const platform = await requirePlatform(context, caller, body['platform']);
  requireSendableEvent(body['event']);
  return readEvent(platform, body, 'server', context.now());
}

function settleOne(context: MemberContext, event: CheckedEvent): Promise<EventAnswer> {
  return context.store.write(async (tx) => {
    const totals = new Totals();
    const answer = await settle(tx, event, totals);
    await totals.write(tx);
    return answer;
  });
}

/** Events of one write by day and kind: a batch adds to a handful of totals once, not to one a hundred times. */
class Totals {
  readonly #byKind = new Map<string, EventTotal>();

  add(total: Omit<EventTotal, 'count'>): void {
    const kind = `${total.day} ${total.platformId} ${total.event} ${total.source}`;
    const count = (this.#byKind.get(kind)?.count ?? 0) + 1;
    this.#byKind.set(kind, { ...total, count });
  }

  async write(tx: MemberTransaction): Promise<void> {
    for (const total of this.#byKind.values()) await tx.events.count(total);
  }
}

async function settle(
  tx: MemberTransaction,
  event: CheckedEvent,
  totals: Totals,
): Promise<EventAnswer> {
  const { platform, svcUid, eventId, storedId, occurredAt, receivedAt, source } = event;
  const target =
    (await tx.events.target(svcUid, platform.id)) ?? (await targetElsewhere(tx, svcUid, platform));
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
  if (inserted) {
    const day = seoulDay(occurredAt);
    totals.add({ day, platformId: platform.id, event: event.event, source });
    if (source === 'server') await tx.events.markActive(target.homeId, day, platform.id);
    // A day that was complete has changed: statistics of it are counted again.
    if (day < seoulDay(receivedAt)) await tx.members.touchHistory();
  }
  return { event_id: eventId, accepted: true, duplicate: !inserted };
}

/** A merged member can be linked to the platform by another of its records. */
async function targetElsewhere(
  tx: MemberTransaction,
  svcUid: string,
  platform: Platform,
): Promise<EventTarget> {
  const member = await tx.members.byUid(svcUid);
  if (member === null) throw await absent(tx, svcUid, platform);
  const membership = await membershipOn(tx, member, platform);
  // Asked as for a member that is not there, so that both take as long.
  if (membership === null) throw await absent(tx, svcUid, platform);
  return { membershipId: membership.id, homeId: membership.homeId };
}

/** A uid that leads nowhere; only platforms it was linked to learn that it was erased. */
async function absent(tx: MemberTransaction, svcUid: string, platform: Platform): Promise<Problem> {
  const erasure = await tx.erasures.ofUid(svcUid);
  const wasTheirs = erasure !== null && (erasure.platforms & (1 << platform.id)) !== 0;
  return wasTheirs ? memberErased() : memberNotFound();
}

async function orProblem<Value>(promise: Promise<Value>): Promise<Value | Problem> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return error;
    throw error;
  }
}

function originNotAllowed(): Problem {
  return new Problem('origin_not_allowed', {
    ko: '이 출처는 그 플랫폼에 등록되어 있지 않습니다.',
    en: 'This origin is not registered for the platform.',
  });
}

function uidMismatch(): Problem {
  return new Problem('uid_mismatch', {
    ko: '로그인한 회원의 svc_uid가 아닙니다.',
    en: 'The svc_uid is not the one of the session.',
  });
}
