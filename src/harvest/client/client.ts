import { koreanDay, nextKoreanMidnight } from '../../data/korean-time.ts';
import { isFault, type Fault } from '../../data/portal/fault.ts';
import { silentLog, type Log } from '../../kernel/log.ts';
import { backoffMs, retryAfterMs } from './backoff.ts';
import { createCircuit } from './circuit.ts';
import { systemClock, type Clock } from './clock.ts';
import { portalLimits, type PortalLimits } from './limits.ts';
import { createPace } from './pace.ts';
import { PortalError } from './portal-error.ts';
import { quotaSpent, type QuotaStore } from './quota.ts';
import { createRedactor, type Redactor } from './redact.ts';
import { addressOf, headersOf, type UpstreamRequest } from './request.ts';
import type { ServiceKey } from './service-key.ts';
import { openResponse, readBounded, type RawResponse } from './transport.ts';

/** Client of one upstream. Every method throws `PortalError`, or the reason of an aborted signal. */
interface Client {
  /** Buffers the response and gives it to `read`, without secrets. */
  send<Content extends object>(
    request: UpstreamRequest,
    read: (response: RawResponse) => Content | Fault,
    options?: SendOptions,
  ): Promise<Content>;
  /** Gives the response to `receive` while its body is still arriving; may still contain secrets. */
  receive<Content extends object>(
    request: UpstreamRequest,
    receive: (response: Response) => Promise<Content | Fault>,
    options?: SendOptions,
  ): Promise<Content>;
}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** Runs before each request that is sent, redirects included. */
  readonly onCall?: (() => void) | undefined;
  /** Bound of one attempt, instead of the usual one. */
  readonly overallTimeoutMs?: number;
}

export interface ClientOptions {
  /** `http://host:port` that stands for every host: `<gateway>/<host>/<path>?<query>`. */
  readonly gateway?: string | null;
  readonly clock?: Clock;
  /** From 0 up to 1, for the jitter of the backoff. */
  readonly random?: () => number;
  readonly limits?: Partial<PortalLimits>;
  readonly log?: Log;
  readonly fetch?: typeof fetch;
}

/** The differences between upstreams. */
interface UpstreamConfiguration {
  readonly key?: ServiceKey | null;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Removes the upstream's secrets. */
  readonly redactor?: Redactor;
  /** Counts requests by operation and day; needed where a request has a daily quota. */
  readonly quota?: QuotaStore;
  /** Next step for the operator, in one sentence. */
  readonly advice: (fault: Fault, request: UpstreamRequest) => string;
  /** Believes a refusal only when the next attempt gets the same one. */
  readonly confirmsRefusals?: boolean;
  /** Code of a fault that means a spent quota once the last attempt gets it. */
  readonly quotaCode?: string;
}

/** Sends requests at the upstream's pace, within its quota, and retries the faults that pass. */
export function createClient(options: ClientOptions & UpstreamConfiguration): Client {
  return new RetryingClient(options);
}

interface Attempt<Content> {
  readonly content: Content | Fault;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  readonly retryAfter: string | null;
}

/** Decides when a request may be sent, and after which faults it is sent again. */
class RetryingClient implements Client {
  readonly #options: UpstreamConfiguration;
  readonly #gateway: string | null;
  readonly #fetch: typeof fetch;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #limits: PortalLimits;
  readonly #log: Log;
  readonly #redactor: Redactor;
  readonly #pace;
  readonly #circuit;

  constructor(options: ClientOptions & UpstreamConfiguration) {
    this.#options = options;
    this.#gateway = options.gateway?.replace(/\/+$/, '') ?? null;
    this.#fetch = options.fetch ?? fetch;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#limits = { ...portalLimits, ...options.limits };
    this.#log = options.log ?? silentLog;
    this.#redactor = options.redactor ?? createRedactor([]);
    this.#pace = createPace(this.#limits.callsPerSecond, this.#clock);
    this.#circuit = createCircuit(this.#limits);
  }

  send<Content extends object>(
    request: UpstreamRequest,
    read: (response: RawResponse) => Content | Fault,
    sending?: SendOptions,
  ): Promise<Content> {
    const receive = async (response: Response): Promise<Content | Fault> => {
      const raw = await readBounded(response, this.#limits.bodyBytesMax);
      if (isFault(raw)) return raw;
      // From here on no error, log line or stored body can contain the key.
      return read({ status: raw.status, body: this.#redactor.bytes(raw.body) });
    };
    return this.receive(request, receive, sending);
  }

  async receive<Content extends object>(
    request: UpstreamRequest,
    receive: (response: Response) => Promise<Content | Fault>,
    sending: SendOptions = {},
  ): Promise<Content> {
    const { signal } = sending;
    const { attemptsMax, circuitOpenMs, retryAfterMsMax } = this.#limits;
    let previous = '';
    for (let [attempt, waits] = [1, 0]; ;) {
      signal?.throwIfAborted();
      const begun = this.#clock.now();
      const { content, status, retryAfter } = await this.#attempt(
        request,
        receive,
        attempt,
        sending,
      );
      if (!isFault(content)) return content;
      const fault = { ...content, message: this.#redactor.message(content.message) };
      const now = this.#clock.now();
      const isOpen = content === circuitOpen;
      const openUntil = this.#circuit.openUntil(request.service);
      const closedMs = Math.max(0, (openUntil ?? now) - now);
      const passes = fault.class === 'retry';
      const jitterMs = backoffMs(attempt + waits, this.#random, this.#limits);
      const backoff = jitterMs + (isOpen ? closedMs : 0);
      const waitMs = passes ? Math.max(backoff, retryAfterMs(retryAfter, now) ?? 0) : 0;
      // Every caller waits for a short outage; a long one is left to another run.
      const isLong = waitMs > retryAfterMsMax || closedMs > circuitOpenMs;
      const isLast = isOpen ? waits >= attemptsMax : attempt >= attemptsMax;
      if (isLast || (passes ? isLong : this.#isBelieved(fault, previous))) {
        const retryAt = openUntil ?? now + waitMs;
        throw await this.#errorOf(request, fault, { status, attempt, begun, retryAt });
      }
      previous = fault.code;
      const { code, message } = fault;
      this.#log.warning('upstream.retry', {
        operation: request.path,
        code,
        attempt,
        waitMs,
        message,
      });
      if (passes) await this.#clock.wait(waitMs, signal);
      if (isOpen) waits++;
      else attempt++;
    }
  }

  async #attempt<Content extends object>(
    request: UpstreamRequest,
    receive: (response: Response) => Promise<Content | Fault>,
    attempt: number,
    { signal, onCall, overallTimeoutMs = this.#limits.overallTimeoutMs }: SendOptions,
  ): Promise<Attempt<Content>> {
    const none = { status: null, retryAfter: null };
    const { service } = request;
    const { key = null, headers = {} } = this.#options;
    if (!this.#circuit.lets(service, this.#clock.now())) return { content: circuitOpen, ...none };
    const take = (): Promise<Fault | null> => this.#takeTurn(request, signal, onCall);
    try {
      const spent = await take();
      if (spent !== null) {
        this.#circuit.abandoned(service);
        return { content: spent, ...none };
      }
      const started = this.#clock.now();
      let head: Omit<Attempt<Content>, 'content'> = none;
      const content = await openResponse(
        addressOf(request, key),
        {
          headers: headersOf(request, key, headers),
          ...(request.body === undefined ? {} : { method: 'POST', body: request.body }),
        },
        {
          fetch: this.#fetch,
          gateway: this.#gateway,
          limits: { ...this.#limits, overallTimeoutMs },
          mayFollow: take,
        },
        (response) => {
          head = { status: response.status, retryAfter: response.headers.get('retry-after') };
          return receive(response);
        },
        signal,
      );
      const ms = this.#clock.now() - started;
      this.#note(request, { content, ...head }, attempt, ms);
      return { content, ...head };
    } catch (error) {
      this.#circuit.abandoned(service);
      throw error;
    }
  }

  /** Waits for a turn and counts the request; a redirect that is followed is one, too. */
  async #takeTurn(
    { path, dailyQuota }: UpstreamRequest,
    signal: AbortSignal | undefined,
    onCall: (() => void) | undefined,
  ): Promise<Fault | null> {
    await this.#pace.turn(signal);
    onCall?.();
    const { quota } = this.#options;
    if (dailyQuota === null || quota === undefined) return null;
    return (await quota.take(path, koreanDay(this.#clock.now()), dailyQuota)) ? null : quotaSpent;
  }

  /** Counts the attempt in its service's circuit breaker, and logs it. */
  #note(request: UpstreamRequest, attempt: Attempt<object>, nth: number, ms: number): void {
    const { content, status } = attempt;
    const { service } = request;
    const fault = isFault(content) ? content : null;
    if (fault?.class !== 'retry' || paced.has(fault.code)) {
      this.#circuit.succeeded(service);
    } else if (this.#circuit.failed(service, this.#clock.now())) {
      this.#log.warning('upstream.circuit_opened', { service, code: fault.code });
    }
    if (!this.#log.writes('debug')) return;
    const url = this.#redactor.text(`https://${addressOf(request, null)}`);
    const code = fault?.code ?? null;
    this.#log.debug('upstream.attempt', { url, attempt: nth, ms, status, code });
  }

  #isBelieved({ code }: Fault, previous: string): boolean {
    return this.#options.confirmsRefusals !== true || code === previous || surely.has(code);
  }

  async #errorOf(
    request: UpstreamRequest,
    fault: Fault,
    last: { status: number | null; attempt: number; begun: number; retryAt: number },
  ): Promise<PortalError> {
    const { quota, quotaCode, advice } = this.#options;
    const { code, message } = fault;
    const isQuota = fault.class === 'quota' || (fault.class === 'retry' && code === quotaCode);
    const final: Fault = isQuota ? { ...fault, class: 'quota' } : fault;
    // After midnight the spent quota is that of the day on which the attempt began.
    if (isQuota && code !== quotaSpent.code) {
      await quota?.exhaust(request.path, koreanDay(last.begun));
    }
    const passes = final.class === 'retry' ? last.retryAt : null;
    return new PortalError({
      code,
      class: final.class,
      message: `${message === '' ? 'no reason was given' : message} (${code})`,
      advice: advice(final, request),
      operation: request.path,
      status: last.status,
      attempts: last.attempt,
      retryAt: isQuota ? nextKoreanMidnight(last.begun) : passes,
    });
  }
}

/** Too many requests a second mean nothing about the service's health. */
const paced: ReadonlySet<string> = new Set(['23', 'rate_limit', 'http_429']);

/** Refusals that need no confirmation. */
const surely: ReadonlySet<string> = new Set(['body_too_large', quotaSpent.code]);

const circuitOpen: Fault = {
  class: 'retry',
  code: 'circuit_open',
  message: 'the service failed again and again and gets no requests for a while',
};
