import { isObject } from '../kernel/json-object.ts';
import { isUnsafe, momentOf, type Body } from './body.ts';
import type { MemberContext } from './context.ts';
import { findForbidden } from './forbidden-content.ts';
import { isSvcUid, newEventId } from './identifiers.ts';
import { requirePlatform, type KeyCaller } from './keys.ts';
import { membershipOn } from './membership.ts';
import { memberLimits } from './limits.ts';
import { invalid, memberNotFound, MemberProblem } from './problem.ts';
import { memberErased, refuseOversized } from './register.ts';
import { seoulDay } from './seoul-day.ts';
import type {
  EventName,
  EventSource,
  EventTarget,
  EventTotal,
  LiveSession,
  Platform,
} from './store/records.ts';
import type { MemberRecords } from './store/store.ts';

export interface EventAnswer {
  readonly event_id: string;
  readonly accepted: boolean;
  /** The platform had sent an event of this id before: it counts once. */
  readonly duplicate: boolean;
}

/** What anyone may send of a journey; `register` and `card_issued` come about in their own ways. */
const journeyEvents = ['visit', 'login', 'purchase', 'referral'] as const;

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
): Promise<readonly (EventAnswer | MemberProblem)[]> {
  refuseOversized(bodies.length, memberLimits.eventsPerBatchMax);
  return settleAll(
    context,
    bodies.map((body) => readServerEvent(context, caller, body)),
  );
}

async function settleAll(
  context: MemberContext,
  read: readonly Promise<ReadEvent>[],
): Promise<readonly (EventAnswer | MemberProblem)[]> {
  const events = await Promise.all(read.map(orProblem));
  return context.store.write(async (records) => {
    const answers: (EventAnswer | MemberProblem)[] = [];
    const totals = new Totals();
    for (const event of events) {
      // A refusal comes before the first write of an event, so there is nothing to undo.
      answers.push(
        event instanceof MemberProblem ? event : await orProblem(settle(records, event, totals)),
      );
    }
    await totals.write(records);
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
): Promise<readonly (EventAnswer | MemberProblem)[]> {
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
): Promise<ReadEvent> {
  const allowed = await context.platforms.byOrigin(origin);
  const platform = allowed.find(({ code }) => code === body['platform']);
  if (platform === undefined) throw originNotAllowed();
  const uid = body['svc_uid'] ?? session.member.svcUid;
  const named = isSvcUid(uid) ? await context.store.read.members.byUid(uid) : null;
  if (named?.id !== session.member.id) throw uidMismatch();
  requireJourneyEvent(body['event']);
  const event = readEvent(context, platform, { ...body, svc_uid: uid }, 'browser');
  // No server can send a slash in an id.
  return { ...event, keptId: `page/${session.member.id}/${event.eventId}` };
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
  const event = readEvent(context, platform, { ...body, event: 'card_issued' }, 'server');
  return settleOne(context, event);
}

interface ReadEvent {
  readonly platform: Platform;
  readonly svcUid: string;
  readonly event: EventName;
  readonly source: EventSource;
  readonly eventId: string;
  /** What is unique on the platform: a page's own ids may not use up those of servers or of other members. */
  readonly keptId: string;
  readonly occurredAt: number;
  readonly receivedAt: number;
  readonly meta: string | null;
}

async function readServerEvent(
  context: MemberContext,
  caller: KeyCaller,
  body: Body,
): Promise<ReadEvent> {
  const platform = await requirePlatform(context, caller, body['platform']);
  requireJourneyEvent(body['event']);
  return readEvent(context, platform, body, 'server');
}

function settleOne(context: MemberContext, event: ReadEvent): Promise<EventAnswer> {
  return context.store.write(async (records) => {
    const totals = new Totals();
    const answer = await settle(records, event, totals);
    await totals.write(records);
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

  async write(records: MemberRecords): Promise<void> {
    for (const total of this.#byKind.values()) await records.events.count(total);
  }
}

async function settle(
  records: MemberRecords,
  event: ReadEvent,
  totals: Totals,
): Promise<EventAnswer> {
  const { platform, svcUid, eventId, keptId, occurredAt, receivedAt, source } = event;
  const target =
    (await records.events.target(svcUid, platform.id)) ??
    (await targetElsewhere(records, svcUid, platform));
  const inserted = await records.events.insert({
    platformId: platform.id,
    eventId: keptId,
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
    if (source === 'server') await records.events.markActive(target.homeId, day, platform.id);
    // A day that was complete has changed: statistics of it are counted again.
    if (day < seoulDay(receivedAt)) await records.members.touchHistory();
  }
  return { event_id: eventId, accepted: true, duplicate: !inserted };
}

function readEvent(
  context: MemberContext,
  platform: Platform,
  body: Body,
  source: EventSource,
): ReadEvent {
  const now = context.now();
  if (!isSvcUid(body['svc_uid'])) throw invalidUid();
  const eventId = readEventId(body['event_id'], now);
  return {
    platform,
    svcUid: body['svc_uid'],
    // Callers have compared it with a list of names.
    event: body['event'] as EventName,
    source,
    eventId,
    keptId: eventId,
    occurredAt: readOccurredAt(body, now, source),
    receivedAt: now,
    meta: readMeta(body['meta'], now),
  };
}

function requireJourneyEvent(event: unknown): void {
  if ((journeyEvents as readonly unknown[]).includes(event)) return;
  if (event === 'register' || event === 'card_issued') throw eventNotAllowed();
  throw invalid(
    'invalid_event',
    '/event',
    { ko: '모르는 이벤트입니다.', en: 'This event is not known.' },
    {
      ko: `${journeyEvents.join(', ')} 가운데 하나를 보내세요.`,
      en: `Send one of ${journeyEvents.join(', ')}.`,
    },
  );
}

function readEventId(value: unknown, now: number): string {
  if (value === undefined || value === null) return newEventId(now);
  if (typeof value === 'string' && eventIdShape.test(value)) return value;
  throw invalidEventId();
}

const eventIdShape = new RegExp(`^[\\w.:-]{1,${memberLimits.eventIdLengthMax}}$`);

/**
 * When it happened: a sender's `sent_at` tells how wrong its clock is. Nothing happens in the future; what is older
 * than the source may send is refused rather than moved to another day.
 */
function readOccurredAt(body: Body, now: number, source: EventSource): number {
  if (body['occurred_at'] === undefined || body['occurred_at'] === null) return now;
  const given = momentOf(body['occurred_at']);
  const sentAt = momentOf(body['sent_at']);
  const occurredAt = given === null ? null : given + (sentAt === null ? 0 : now - sentAt);
  const ageMs =
    source === 'browser' ? memberLimits.browserEventAgeMs : memberLimits.serverEventAgeMs;
  if (occurredAt !== null && occurredAt >= now - ageMs) return Math.min(occurredAt, now);
  const days = ageMs / 86_400_000;
  throw invalid(
    'validation_failed',
    '/occurred_at',
    { ko: '시각을 읽을 수 없거나 너무 오래되었습니다.', en: 'The time is unreadable or too old.' },
    {
      ko: `시간대가 있는 ISO 8601 시각을 보내세요. ${days}일 전까지 받습니다.`,
      en: `Send an ISO 8601 date-time with an offset, at most ${days} days old.`,
    },
  );
}

function readMeta(value: unknown, now: number): string | null {
  if (value === undefined || value === null) return null;
  const text = isObject(value) && !isUnsafe(value) ? JSON.stringify(value) : null;
  if (text === null || Buffer.byteLength(text) > memberLimits.metaBytesMax) throw invalidMeta();
  const forbidden = findForbidden(value, now);
  if (forbidden === null) return text === '{}' ? null : text;
  throw invalid(
    'forbidden_content',
    '/meta',
    {
      ko: 'meta에 카드 번호나 주민등록번호로 보이는 값이 있어 저장하지 않았습니다.',
      en: 'meta holds what looks like a card or resident registration number; nothing was stored.',
    },
    { ko: '그 값을 빼고 보내세요.', en: 'Send it without that value.' },
  );
}

/** A merged member can be linked to the platform by another of its records. */
async function targetElsewhere(
  records: MemberRecords,
  svcUid: string,
  platform: Platform,
): Promise<EventTarget> {
  const member = await records.members.byUid(svcUid);
  if (member === null) throw await absent(records, svcUid, platform);
  const membership = await membershipOn(records, member, platform);
  // Asked as for a member that is not there, so that both take as long.
  if (membership === null) throw await absent(records, svcUid, platform);
  return { membershipId: membership.id, homeId: membership.homeId };
}

/** A uid that leads nowhere; only platforms it was linked to learn that it was erased. */
async function absent(
  records: MemberRecords,
  svcUid: string,
  platform: Platform,
): Promise<MemberProblem> {
  const erasure = await records.erasures.ofUid(svcUid);
  const wasTheirs = erasure !== null && (erasure.platforms & (1 << platform.id)) !== 0;
  return wasTheirs ? memberErased() : memberNotFound();
}

async function orProblem<Value>(promise: Promise<Value>): Promise<Value | MemberProblem> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof MemberProblem && error.status < 500) return error;
    throw error;
  }
}

function invalidUid(): MemberProblem {
  return invalid(
    'validation_failed',
    '/svc_uid',
    { ko: 'svc_uid가 아닙니다.', en: 'This is no svc_uid.' },
    { ko: '가입 때 받은 값을 보내세요.', en: 'Send the one that registration answered.' },
  );
}

function invalidEventId(): MemberProblem {
  return invalid(
    'validation_failed',
    '/event_id',
    { ko: 'event_id가 없거나 올바르지 않습니다.', en: 'The event_id is missing or malformed.' },
    {
      ko: '영문, 숫자, . _ : - 로 64자까지 보내세요.',
      en: 'Send up to 64 letters, digits and . _ : -',
    },
  );
}

function invalidMeta(): MemberProblem {
  const { metaBytesMax, depthMax } = memberLimits;
  return invalid(
    'validation_failed',
    '/meta',
    { ko: 'meta를 저장할 수 없습니다.', en: 'The meta cannot be stored.' },
    {
      ko: `JSON ${metaBytesMax}바이트, 깊이 ${depthMax} 이하의 객체를 보내세요.`,
      en: `Send an object of up to ${metaBytesMax} bytes of JSON and ${depthMax} levels, without __proto__.`,
    },
  );
}

function eventNotAllowed(): MemberProblem {
  return new MemberProblem('event_not_allowed', {
    ko: '이 경로나 플랫폼에서는 보낼 수 없는 이벤트입니다.',
    en: 'This event cannot be sent by this route or platform.',
  });
}

function originNotAllowed(): MemberProblem {
  return new MemberProblem('origin_not_allowed', {
    ko: '이 출처는 그 플랫폼에 등록되어 있지 않습니다.',
    en: 'This origin is not registered for the platform.',
  });
}

function uidMismatch(): MemberProblem {
  return new MemberProblem('uid_mismatch', {
    ko: '로그인한 회원의 svc_uid가 아닙니다.',
    en: 'The svc_uid is not the one of the session.',
  });
}
