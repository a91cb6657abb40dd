import { isObject, type JsonObject } from '../kernel/json-object.ts';
import { isUnsafe, momentOf } from './body.ts';
import { findForbidden, findForbiddenInEventId } from './forbidden-content.ts';
import { isSvcUid, newEventId } from './identifiers.ts';
import { memberLimits } from './limits.ts';
import { Problem } from '../kernel/problem.ts';
import { forbiddenContent, invalid } from './problem.ts';
import type { EventName, EventSource, Platform } from './store/entities.ts';

/** An event after all checks of its body. */
export interface CheckedEvent {
  readonly platform: Platform;
  readonly svcUid: string;
  readonly event: EventName;
  readonly source: EventSource;
  readonly eventId: string;
  /** Id that is unique on the platform. Ids of pages have a prefix, so that no page can take the id of a server. */
  readonly storedId: string;
  readonly occurredAt: number;
  readonly receivedAt: number;
  readonly meta: string | null;
}

/** Reads an event that arrives at `now`; each refusal points to the property of the body that is at fault. */
export function readEvent(
  platform: Platform,
  body: JsonObject,
  source: EventSource,
  now: number,
): CheckedEvent {
  if (!isSvcUid(body['svc_uid'])) throw invalidUid();
  const eventId = readEventId(body['event_id'], now);
  return {
    platform,
    svcUid: body['svc_uid'],
    // Callers have checked the name.
    event: body['event'] as EventName,
    source,
    eventId,
    storedId: eventId,
    occurredAt: readOccurredAt(body, now, source),
    receivedAt: now,
    meta: readMeta(body['meta'], now),
  };
}

/** 422 `invalid_event` for an unknown name, 403 `event_not_allowed` for one that only other routes create. */
export function requireSendableEvent(event: unknown): void {
  if ((sendableEvents as readonly unknown[]).includes(event)) return;
  if (event === 'register' || event === 'card_issued') throw eventNotAllowed();
  throw invalid(
    'invalid_event',
    '/event',
    { ko: '모르는 이벤트입니다.', en: 'This event is unknown.' },
    {
      ko: `${sendableEvents.join(', ')} 가운데 하나를 보내세요.`,
      en: `Send one of ${sendableEvents.join(', ')}.`,
    },
  );
}

function readEventId(value: unknown, now: number): string {
  if (value === undefined || value === null) return newEventId(now);
  if (typeof value !== 'string' || !eventIdShape.test(value)) throw invalidEventId();
  if (findForbiddenInEventId(value, now) !== null) throw forbiddenContent('event_id');
  return value;
}

const eventIdShape = new RegExp(`^[\\w.:-]{1,${memberLimits.eventIdLengthMax}}$`);

/**
 * The time of the event, corrected by the difference between `sent_at` and this clock. A future time becomes the
 * current time. A time older than the source may send is refused: any other day would be wrong.
 */
function readOccurredAt(body: JsonObject, now: number, source: EventSource): number {
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
  throw forbiddenContent('meta');
}

/** Events that clients may send by name; `register` and `card_issued` have routes of their own. */
const sendableEvents = ['visit', 'login', 'purchase', 'referral'] as const;

function invalidUid(): Problem {
  return invalid(
    'validation_failed',
    '/svc_uid',
    { ko: 'svc_uid가 아닙니다.', en: 'This is not a svc_uid.' },
    { ko: '가입 때 받은 값을 보내세요.', en: 'Send the svc_uid that the registration returned.' },
  );
}

/** Problem for an `event_id` that is required and missing, or malformed. */
export function invalidEventId(): Problem {
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

function invalidMeta(): Problem {
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

export function eventNotAllowed(): Problem {
  return new Problem('event_not_allowed', {
    ko: '이 경로나 플랫폼에서는 보낼 수 없는 이벤트입니다. 카드 발급은 card_issuer 플랫폼이 /bridges/card/events로 보냅니다.',
    en: 'This path or platform cannot send this event. Only card_issuer platforms send card events, to /bridges/card/events.',
  });
}
