import type { Log } from '../../kernel/log.ts';
import { adviceFor } from './advice.ts';
import type { PortalAnswer } from '../protocol/answer.ts';
import { backoffMs, retryAfterMs } from './backoff.ts';
import { createCircuit } from './circuit.ts';
import { systemClock, type Clock } from './clock.ts';
import { createExchange, refused, type Exchanged, type Refused } from './exchange.ts';
import type { Fault } from '../../data/portal/fault.ts';
import { koreanDay, nextKoreanMidnight } from '../../data/korean-time.ts';
import { portalLimits, type PortalLimits } from './limits.ts';
import { createPace } from './pace.ts';
import { PortalError } from './portal-error.ts';
import { quotaSpent, type QuotaStore } from './quota.ts';
import { createRedactor } from './redact.ts';
import type { PortalRequest } from './request.ts';
import { readServiceKey } from './service-key.ts';

export interface PortalClient {
  /**
   * One answer, after as many attempts as its faults allow; no records are an answer. Throws
   * `PortalError`, or the signal's reason.
   */
  call(request: PortalRequest, options?: { readonly signal?: AbortSignal }): Promise<PortalAnswer>;
  /** An address as it may be shown. */
  address(request: PortalRequest): string;
}

export interface PortalClientOptions {
  /** Either of the portal's spellings; null where only operations without a key are called. */
  readonly serviceKey: string | null;
  /** `http://host:port` that stands for every host of the portal: `<gateway>/<host>/<path>?<query>`. */
  readonly gateway?: string | null;
  readonly quota: QuotaStore;
  readonly log: Log;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
  /** From 0 up to 1, for the jitter. */
  readonly random?: () => number;
  readonly limits?: Partial<PortalLimits>;
}

/** The one door to the portal: keys, pace, quota, retries and circuits of every operation. */
export function createPortalClient(options: PortalClientOptions): PortalClient {
  const key = options.serviceKey === null ? null : readServiceKey(options.serviceKey);
  const redactor = createRedactor(key);
  const limits: PortalLimits = { ...portalLimits, ...options.limits };
  const exchange = createExchange({
    key,
    redactor,
    limits,
    gateway: options.gateway?.replace(/\/+$/, '') ?? null,
    fetch: options.fetch ?? fetch,
  });
  const { clock = systemClock, random = Math.random, quota, log } = options;
  const caller = new Caller({ exchange, limits, clock, random, quota, log });
  return {
    call: (request, { signal } = {}) => caller.call(request, signal),
    address: (request) => exchange.address(request),
  };
}

interface CallerParts {
  readonly exchange: ReturnType<typeof createExchange>;
  readonly limits: PortalLimits;
  readonly clock: Clock;
  readonly random: () => number;
  readonly quota: QuotaStore;
  readonly log: Log;
}

/** Decides when a question may be asked, and what its fault means for asking again. */
class Caller {
  readonly #parts: CallerParts;
  readonly #pace;
  readonly #circuit;

  constructor(parts: CallerParts) {
    this.#parts = parts;
    this.#pace = createPace(parts.limits.callsPerSecond, parts.clock);
    this.#circuit = createCircuit(parts.limits);
  }

  async call(request: PortalRequest, signal?: AbortSignal): Promise<PortalAnswer> {
    const { clock, limits, log } = this.#parts;
    for (let [attempt, held] = [1, 0]; ;) {
      signal?.throwIfAborted();
      const begun = clock.now();
      const result = await this.#attempt(request, attempt, signal);
      if ('answer' in result) return result.answer;
      const { fault } = result;
      const now = clock.now();
      const isHeld = fault === circuitOpen;
      const openUntil = this.#circuit.openUntil(request.service);
      const closedMs = Math.max(0, (openUntil ?? now) - now);
      const waitMs = this.#waitMs(result, attempt + held, isHeld ? closedMs : 0);
      // A short outage is waited for, by everybody who asks; a long one is for another run.
      const last = isHeld ? held >= limits.attemptsMax : attempt >= limits.attemptsMax;
      const isLong = waitMs > limits.retryAfterMsMax || closedMs > limits.circuitOpenMs;
      if (fault.class !== 'retry' || last || isLong) {
        const retryAt = retryTime(fault, begun, openUntil ?? now + waitMs);
        throw errorOf(request, result, attempt, retryAt);
      }
      const { code, message: said } = fault;
      log.warning('portal.retry', { operation: request.path, code, attempt, waitMs, said });
      await clock.wait(waitMs, signal);
      if (isHeld) held++;
      else attempt++;
    }
  }

  #waitMs({ retryAfter }: Refused, attempt: number, closedMs: number): number {
    const { clock, limits, random } = this.#parts;
    const asked = retryAfterMs(retryAfter, clock.now()) ?? 0;
    return Math.max(backoffMs(attempt, random, limits) + closedMs, asked);
  }

  async #attempt(
    request: PortalRequest,
    attempt: number,
    signal: AbortSignal | undefined,
  ): Promise<Exchanged> {
    const { clock, exchange, quota } = this.#parts;
    if (!this.#circuit.lets(request.service, clock.now())) return refused(circuitOpen);
    const take = (): Promise<Fault | null> => this.#takeCall(request, signal);
    // At midnight the day that ends is spent, not the one that begins.
    const day = koreanDay(clock.now());
    try {
      const spent = await take();
      if (spent !== null) {
        this.#circuit.abandoned(request.service);
        return refused(spent);
      }
      const started = clock.now();
      const result = await exchange.send(request, take, signal);
      this.#note(request, result, attempt, clock.now() - started);
      this.#settle(request.service, result);
      if ('fault' in result && result.fault.class === 'quota') {
        await quota.exhaust(request.path, day);
      }
      return result;
    } catch (error) {
      this.#circuit.abandoned(request.service);
      throw error;
    }
  }

  /** Waits for a turn and counts a call; a redirect that is followed is one, too. */
  async #takeCall(
    { path, dailyQuota }: PortalRequest,
    signal: AbortSignal | undefined,
  ): Promise<Fault | null> {
    const { clock, quota } = this.#parts;
    await this.#pace.turn(signal);
    return (await quota.take(path, koreanDay(clock.now()), dailyQuota)) ? null : quotaSpent;
  }

  #settle(service: string, result: Exchanged): void {
    const { clock, log } = this.#parts;
    if ('answer' in result || result.fault.class !== 'retry' || paced.has(result.fault.code)) {
      this.#circuit.succeeded(service);
    } else if (this.#circuit.failed(service, clock.now())) {
      log.warning('portal.circuit_opened', { service, code: result.fault.code });
    }
  }

  #note(request: PortalRequest, result: Exchanged, attempt: number, ms: number): void {
    const { exchange, log } = this.#parts;
    if (!log.writes('debug')) return;
    const url = exchange.address(request);
    if ('fault' in result) {
      const { fault, status } = result;
      log.debug('portal.refused', { url, attempt, ms, status, code: fault.code });
      return;
    }
    const { rows, body, status, total } = result.answer;
    const sizes = { rows: rows.length, total, bytes: body.byteLength };
    log.debug('portal.answered', { url, attempt, ms, status, ...sizes });
  }
}

/** Too many calls a second say nothing of the service's health. */
const paced: ReadonlySet<string> = new Set(['23', 'rate_limit', 'http_429']);

const circuitOpen: Fault = {
  class: 'retry',
  code: 'circuit_open',
  message: 'the service failed again and again and is left alone for a while',
};
/** Null where only a person can tell when it makes sense to ask again. A quota is that of the day the call began. */
function retryTime(fault: Fault, begun: number, next: number): number | null {
  if (fault.class === 'quota') return nextKoreanMidnight(begun);
  return fault.class === 'retry' ? next : null;
}

function errorOf(
  request: PortalRequest,
  { fault, status }: Refused,
  attempts: number,
  retryAt: number | null,
): PortalError {
  return new PortalError({
    code: fault.code,
    class: fault.class,
    message: `${fault.message === '' ? 'no reason was given' : fault.message} (${fault.code})`,
    advice: adviceFor(fault, request.portalId),
    operation: request.path,
    status,
    attempts,
    retryAt,
  });
}
