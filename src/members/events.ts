import { Problem } from '../kernel/problem.ts';
import { refusalOf, refuseOversized } from './batch.ts';
import type { JsonObject } from '../kernel/json-object.ts';
import type { MemberContext } from './context.ts';
import { storeEvent, storeEvents, type EventAnswer } from './event-storage.ts';
import { findMember } from './find-member.ts';
import { requirePlatform, type KeyCaller } from './keys.ts';
import { memberLimits } from './limits.ts';
import {
  eventNotAllowed,
  invalidEventId,
  readEvent,
  requireSendableEvent,
  type CheckedEvent,
} from './member-event.ts';
import type { LiveSession, Platform } from './store/entities.ts';

/** Records an event that a platform's server sends. */
export async function recordEvent(
  context: MemberContext,
  caller: KeyCaller,
  body: JsonObject,
): Promise<EventAnswer> {
  return storeEvent(context, await readServerEvent(context, caller, body));
}

/** Records up to 100 events in one durable write, each independently. The results are in the order of the bodies. */
export async function recordEvents(
  context: MemberContext,
  caller: KeyCaller,
  bodies: readonly JsonObject[],
): Promise<readonly (EventAnswer | Problem)[]> {
  refuseOversized(bodies.length, memberLimits.eventsPerBatchMax);
  const events = await readEvents(bodies, (body) => readServerEvent(context, caller, body));
  return storeEvents(context, events);
}

/**
 * Records an event that a page sends about its signed-in member, on a platform of its origin. The north star does not
 * count it.
 */
export async function recordBrowserEvent(
  context: MemberContext,
  session: LiveSession,
  origin: string,
  body: JsonObject,
): Promise<EventAnswer> {
  return storeEvent(context, await readBrowserEvent(context, session, origin, body));
}

/** Records up to 20 events that a page queued while it could not send them. */
export async function recordBrowserEvents(
  context: MemberContext,
  session: LiveSession,
  origin: string,
  bodies: readonly JsonObject[],
): Promise<readonly (EventAnswer | Problem)[]> {
  refuseOversized(bodies.length, memberLimits.eventsPerPageBatchMax);
  const events = await readEvents(bodies, (body) =>
    readBrowserEvent(context, session, origin, body),
  );
  return storeEvents(context, events);
}

/** Reads the events of a batch; a refused one is returned as its problem. */
async function readEvents(
  bodies: readonly JsonObject[],
  read: (body: JsonObject) => CheckedEvent | Promise<CheckedEvent>,
): Promise<readonly (CheckedEvent | Problem)[]> {
  const events: (CheckedEvent | Problem)[] = [];
  for (const body of bodies) {
    try {
      const event = read(body);
      events.push(event instanceof Promise ? await event : event);
    } catch (error) {
      events.push(refusalOf(error));
    }
  }
  return events;
}

/** Records that a platform issued a card. Requires the capability `card_issuer` of the platform, and an `event_id`. */
export async function recordCardIssued(
  context: MemberContext,
  caller: KeyCaller,
  body: JsonObject,
): Promise<EventAnswer> {
  const code = body['platform'] ?? caller.platform?.code;
  const platform = await requirePlatform(context, caller, code);
  if (!platform.capabilities.includes('card_issuer')) throw eventNotAllowed();
  if (body['event_id'] === undefined) throw invalidEventId();
  const event = readEvent(platform, { ...body, event: 'card_issued' }, 'server', context.now());
  return storeEvent(context, event);
}

/** Reads an event of a server: synchronously if its platform is that of the key, as nearly always. */
function readServerEvent(
  context: MemberContext,
  caller: KeyCaller,
  body: JsonObject,
): CheckedEvent | Promise<CheckedEvent> {
  const read = (platform: Platform) => {
    requireSendableEvent(body['event']);
    return readEvent(platform, body, 'server', context.now());
  };
  const { platform } = caller;
  if (platform !== null && platform.code === body['platform']) return read(platform);
  return requirePlatform(context, caller, body['platform']).then(read);
}

async function readBrowserEvent(
  context: MemberContext,
  session: LiveSession,
  origin: string,
  body: JsonObject,
): Promise<CheckedEvent> {
  const allowed = await context.platforms.byOrigin(origin);
  const platform = allowed.find(({ code }) => code === body['platform']);
  if (platform === undefined) throw originNotAllowed();
  const uid = body['svc_uid'] ?? session.member.svcUid;
  const member = await findMember(context.store.read, uid);
  if (member?.id !== session.member.id) throw uidMismatch();
  requireSendableEvent(body['event']);
  const event = readEvent(platform, { ...body, svc_uid: uid }, 'browser', context.now());
  // Event ids of servers contain no slash, so a page cannot take the id of a server's event.
  return { ...event, storedId: `page/${session.member.id}/${event.eventId}` };
}

function originNotAllowed(): Problem {
  return new Problem('origin_not_allowed', {
    ko: '이 출처는 플랫폼에 등록되어 있지 않습니다. 운영자에게 등록을 요청하세요.',
    en: 'This origin is not registered for the platform. Request its registration from the operator.',
  });
}

function uidMismatch(): Problem {
  return new Problem('uid_mismatch', {
    ko: '로그인한 회원의 svc_uid가 아닙니다. svc_uid를 빼고 보내세요.',
    en: 'The svc_uid is not that of the signed-in member. Omit it.',
  });
}
