import { backoffMs, retryAfterMs } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { Fault } from '../../data/portal/fault.ts';
import { koreanDay, nextKoreanMidnight } from '../../data/korean-time.ts';
import type { PortalLimits } from './limits.ts';
import type { Pace } from './pace.ts';
import { PortalError } from './portal-error.ts';
import { quotaSpent, type QuotaStore } from './quota.ts';
import { getThrough, type RawAnswer } from './transport.ts';

/** A way to a door that is no operation of the portal: web pages, and the search trend service. */
export interface Door {
  /** `http://host:port` that stands for every host; null for the hosts themselves. */
  readonly gateway: string | null;
  readonly clock: Clock;
  readonly limits: PortalLimits;
  readonly pace: Pace;
  readonly random: () => number;
  /** Calls a day, counted over processes; absent where nobody counts. */
  readonly quota?: { readonly store: QuotaStore; readonly perDay: number };
}

export interface DoorQuestion<Reading> {
  /** Host, path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent with POST; GET without. */
  readonly body?: string;
  /** What an answer says, or what is wrong with it. Secrets are out of every message. */
  readonly read: (answer: RawAnswer) => Reading | Fault;
  /** What a person does next, in one sentence. */
  readonly advice: (fault: Fault) => string;
}

export interface DoorAnswer<Reading> {
  readonly raw: RawAnswer;
  readonly reading: Reading;
}

/**
 * One answer after as many attempts as its faults allow. A door that says “too many” to the last is a spent
 * quota. Throws `PortalError`, or the signal's reason.
 */
export async function askDoor<Reading extends object>(
  question: DoorQuestion<Reading>,
  door: Door,
  signal?: AbortSignal,
): Promise<DoorAnswer<Reading>> {
  const { clock, limits, random } = door;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const spent = await takeCall(question, door, signal);
    if (spent !== null) throw errorOf(question, spent, null, attempt, clock.now(), 0);
    const raw = await send(question, door, signal);
    const reading = 'class' in raw ? raw : question.read(raw);
    if (!('class' in raw) && !isFault(reading)) return { raw, reading };
    // Only a fault is left.
    const fault = reading as Fault;
    const now = clock.now();
    const asked = retryAfterMs('class' in raw ? null : raw.retryAfter, now) ?? 0;
    const waitMs = Math.max(backoffMs(attempt, random, limits), asked);
    const isLast = attempt >= limits.attemptsMax || waitMs > limits.retryAfterMsMax;
    if (fault.class !== 'retry' || isLast) {
      const final: Fault = fault.code === tooMany ? { ...fault, class: 'quota' } : fault;
      if (final.class === 'quota')
        await door.quota?.store.exhaust(pathOf(question), koreanDay(now));
      throw errorOf(question, final, 'class' in raw ? null : raw.status, attempt, now, waitMs);
    }
    await clock.wait(waitMs, signal);
  }
}

/** The code of a 429 that does not say whether it means a second or a day. */
export const tooMany = 'http_429';

function isFault(reading: object): reading is Fault {
  return 'class' in reading && 'code' in reading && 'message' in reading;
}

async function send(
  question: DoorQuestion<object>,
  door: Door,
  signal: AbortSignal | undefined,
): Promise<RawAnswer | Fault> {
  const { target, headers, body } = question;
  const { gateway, limits } = door;
  const sending: typeof fetch =
    body === undefined ? fetch : (to, init) => fetch(to, { ...init, method: 'POST', body });
  const agent = { 'User-Agent': 'Maru/1.0 (open data collector)', ...headers };
  const mayFollow = () => takeCall(question, door, signal);
  return getThrough(target, agent, { fetch: sending, gateway, limits, mayFollow }, signal);
}

/** Waits for a turn and counts a call; a redirect that is followed is one, too. */
async function takeCall(
  question: DoorQuestion<object>,
  { clock, pace, quota }: Door,
  signal: AbortSignal | undefined,
): Promise<Fault | null> {
  await pace.turn(signal);
  if (quota === undefined) return null;
  const day = koreanDay(clock.now());
  return (await quota.store.take(pathOf(question), day, quota.perDay)) ? null : quotaSpent;
}

function pathOf({ target }: DoorQuestion<object>): string {
  return target.replace(/\?.*/, '');
}

function errorOf(
  question: DoorQuestion<object>,
  fault: Fault,
  status: number | null,
  attempts: number,
  now: number,
  waitMs: number,
): PortalError {
  const retryAt =
    fault.class === 'quota'
      ? nextKoreanMidnight(now)
      : fault.class === 'retry'
        ? now + waitMs
        : null;
  return new PortalError({
    code: fault.code,
    class: fault.class,
    message: `${fault.message === '' ? 'no reason was given' : fault.message} (${fault.code})`,
    advice: question.advice(fault),
    operation: pathOf(question),
    status,
    attempts,
    retryAt,
  });
}
