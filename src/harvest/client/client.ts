import { koreanDay } from '../../data/korean-time.ts';
import { isFault, type Fault } from '../../data/portal/fault.ts';
import { silentLog, type Log } from '../../kernel/log.ts';
import { backoffMs, retryAfterMs } from './backoff.ts';
import { createCircuit } from './circuit.ts';
import { systemClock, type Clock } from './clock.ts';
import { portalLimits, type PortalLimits } from './limits.ts';
import { createPace } from './pace.ts';
import { PortalError } from './portal-error.ts';
import { quotaSpent, type QuotaStore } from './quota.ts';
import { isDayYoung, nextQuotaStart, youngDayPauseMs } from './quota-day.ts';
import { createRedactor, type Redactor } from './redact.ts';
import { addressOf, headersOf, type UpstreamRequest } from './request.ts';
import type { ServiceKey } from './service-key.ts';
import { openResponse, readBounded, type RawResponse } from './transport.ts';

/** Client of one upstream. Every method throws `PortalError`, or the reason of an aborted signal. */
interface Client {
  /** Buffers the response, removes secrets and passes it to `read`. */
  send<Content extends object>(
    request: UpstreamRequest,
    read: (response: RawResponse) => Content | Fault,
    options?: SendOptions,
  ): Promise<Content>;
  /** Passes the response to `receive` while its body is still arriving; the body may contain secrets. */
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
  /** Receives the headers of each response. */
  readonly onHeaders?: ((headers: Headers) => void) | undefined;
  /** Time limit of one attempt, in place of the client's limit. */
  readonly overallTimeoutMs?: number;
}

export interface ClientOptions {
  /** `http://host:port` that receives all requests, as `<gateway>/<host>/<path>?<query>`; null for none. */
  readonly gateway?: string | null;
  readonly clock?: Clock;
  /** Random number from 0 up to 1, for the jitter of the backoff. */
  readonly random?: () => number;
  readonly limits?: Partial<PortalLimits>;
  readonly log?: Log;
  readonly fetch?: typeof fetch;
}

/** Settings that differ between upstreams. */
interface UpstreamConfiguration {
  readonly key?: ServiceKey | null;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Removes the upstream's secrets. */
  readonly redactor?: Redactor;
  /** Counts requests by operation and day; needed if a request has a daily quota. */
  readonly quota?: QuotaStore;
  /** Next step for the operator, in one sentence. */
  readonly advice: (fault: Fault, request: UpstreamRequest) => string;
  /** True to send a refused request again, and to accept the refusal only if it is the same. */
  readonly confirmsRefusals?: boolean;
  /** Fault code that means a spent quota if the last attempt gets it, too. */
  readonly quotaCode?: string;
}

/** Creates a client that keeps the upstream's pace and quota, and retries after temporary faults. */
export function createClient(options: ClientOptions & UpstreamConfiguration): Client {
  return new RetryingClient(options);
}

interface Attempt<Content> {
  readonly content: Content | Fault;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  readonly retryAfter: string | null;
  /** The response's `Date`; null without one. */
  readonly date: string | null;
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
  /** The day in Korea of the last answer, by operation. */
  readonly #answerDays = new Map<string, string>();

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
    options?: SendOptions,
  ): Promise<Content> {
    const receive = async (response: Response): Promise<Content | Fault> => {
      const raw = await readBounded(response, this.#limits.bodyBytesMax);
      if (isFault(raw)) return raw;
      // From here on no error, log line or stored body can contain the key.
      return read({ status: raw.status, body: this.#redactor.bytes(raw.body) });
    };
    return this.receive(request, receive, options);
  }

  async receive<Content extends object>(
    request: UpstreamRequest,
    receive: (response: Response) => Promise<Content | Fault>,
    options: SendOptions = {},
  ): Promise<Content> {
    const { signal } = options;
    const { attemptsMax, circuitOpenMs, retryAfterMsMax } = this.#limits;
    let previous = '';
    for (let [attempt, waits] = [1, 0]; ;) {
      signal?.throwIfAborted();
      const startedAt = this.#clock.now();
      const result = await this.#attempt(request, receive, attempt, options);
      const { content, status, retryAfter, date } = result;
      if (!isFault(content)) {
        this.#answerDays.set(request.path, koreanDay(startedAt));
        return content;
      }
      const fault = { ...content, message: this.#redactor.message(content.message) };
      const now = this.#clock.now();
      const isOpen = content === circuitOpen;
      const openUntil = this.#circuit.openUntil(request.service);
      const openMs = Math.max(0, (openUntil ?? now) - now);
      const isTemporary = fault.class === 'retry';
      const jitterMs = backoffMs(attempt + waits, this.#random, this.#limits);
      const backoff = jitterMs + (isOpen ? openMs : 0);
      const requestedMs = retryAfterMs(retryAfter, date, now) ?? 0;
      const waitMs = isTemporary ? Math.max(backoff, requestedMs) : 0;
      // Waits out a short outage. After a long one, a later run sends the request again.
      const isOutageLong = waitMs > retryAfterMsMax || openMs > circuitOpenMs;
      const isLast = isOpen ? waits >= attemptsMax : attempt >= attemptsMax;
      if (isLast || (isTemporary ? isOutageLong : this.#isFinal(fault, previous))) {
        const retryAt = openUntil ?? now + waitMs;
        throw await this.#errorOf(request, fault, { status, attempt, startedAt, retryAt });
      }
      previous = fault.code;
      const { code, message } = fault;
      const operation = request.path;
      this.#log.warning('upstream.retry', { operation, code, attempt, waitMs, message });
      if (isTemporary) await this.#clock.wait(waitMs, signal);
      if (isOpen) waits++;
      else attempt++;
    }
  }

  async #attempt<Content extends object>(
    request: UpstreamRequest,
    receive: (response: Response) => Promise<Content | Fault>,
    attempt: number,
    { signal, onCall, onHeaders, overallTimeoutMs = this.#limits.overallTimeoutMs }: SendOptions,
  ): Promise<Attempt<Content>> {
    const noResponse = { status: null, retryAfter: null, date: null };
    const { service } = request;
    const { key = null, headers = {} } = this.#options;
    if (!this.#circuit.allows(service, this.#clock.now()))
      return { content: circuitOpen, ...noResponse };
    const takeTurn = (): Promise<Fault | null> => this.#takeTurn(request, signal, onCall);
    try {
      const quotaFault = await takeTurn();
      if (quotaFault !== null) {
        this.#circuit.recordAbandonment(service);
        return { content: quotaFault, ...noResponse };
      }
      const sentAt = this.#clock.now();
      let head: Omit<Attempt<Content>, 'content'> = noResponse;
      const content = await openResponse(
        addressOf(request, key),
        {
          // A retry does without compression, which some servers announce and do not apply.
          headers: headersOf(request, key, attempt === 1 ? headers : { ...headers, ...plainBody }),
          ...(request.body === undefined ? {} : { method: 'POST', body: request.body }),
        },
        {
          fetch: this.#fetch,
          gateway: this.#gateway,
          limits: { ...this.#limits, overallTimeoutMs },
          beforeRedirect: takeTurn,
        },
        (response) => {
          const { status, headers: received } = response;
          onHeaders?.(received);
          head = { status, retryAfter: received.get('retry-after'), date: received.get('date') };
          return receive(response);
        },
        signal,
      );
      const ms = this.#clock.now() - sentAt;
      this.#recordAttempt(request, { content, ...head }, attempt, ms);
      return { content, ...head };
    } catch (error) {
      this.#circuit.recordAbandonment(service);
      throw error;
    }
  }

  /** Waits for a turn and counts the request; a followed redirect counts as a request. */
  async #takeTurn(
    { path, dailyQuota }: UpstreamRequest,
    signal: AbortSignal | undefined,
    onCall: (() => void) | undefined,
  ): Promise<Fault | null> {
    await this.#pace.waitForTurn(signal);
    onCall?.();
    const { quota } = this.#options;
    if (dailyQuota === null || quota === undefined) return null;
    return (await quota.take(path, koreanDay(this.#clock.now()), dailyQuota)) ? null : quotaSpent;
  }

  /** Counts the attempt in its service's circuit breaker, and logs it. */
  #recordAttempt(
    request: UpstreamRequest,
    result: Attempt<object>,
    attempt: number,
    ms: number,
  ): void {
    const { content, status } = result;
    const { service } = request;
    const fault = isFault(content) ? content : null;
    if (fault?.class !== 'retry' || rateLimitCodes.has(fault.code)) {
      this.#circuit.recordSuccess(service);
    } else if (this.#circuit.recordFailure(service, this.#clock.now())) {
      this.#log.warning('upstream.circuit_opened', { service, code: fault.code });
    }
    if (!this.#log.isEnabled('debug')) return;
    const url = this.#redactor.text(`https://${addressOf(request, null)}`);
    const code = fault?.code ?? null;
    this.#log.debug('upstream.attempt', { url, attempt, ms, status, code });
  }

  /** True for a refusal that needs no further attempt; `previous` is the code of the attempt before. */
  #isFinal({ code }: Fault, previous: string): boolean {
    return this.#options.confirmsRefusals !== true || code === previous || finalCodes.has(code);
  }

  async #errorOf(
    request: UpstreamRequest,
    fault: Fault,
    last: { status: number | null; attempt: number; startedAt: number; retryAt: number },
  ): Promise<PortalError> {
    const { quota, quotaCode, advice } = this.#options;
    const { code, message } = fault;
    const isQuota = fault.class === 'quota' || (fault.class === 'retry' && code === quotaCode);
    const final: Fault = isQuota ? { ...fault, class: 'quota' } : fault;
    // An attempt that ends after midnight has spent the quota of the day on which it began.
    const day = koreanDay(last.startedAt);
    const isRefusal = isQuota && code !== quotaSpent.code;
    const isYoung =
      isRefusal && isDayYoung(last.startedAt) && this.#answerDays.get(request.path) !== day;
    if (isRefusal && !isYoung) await quota?.exhaust(request.path, day);
    const quotaAt = isYoung
      ? this.#clock.now() + youngDayPauseMs
      : nextQuotaStart(last.startedAt, this.#random);
    const retryAt = isQuota ? quotaAt : final.class === 'retry' ? last.retryAt : null;
    return new PortalError({
      code,
      class: final.class,
      reason: `${message === '' ? 'no reason was given' : message} (${code})`,
      advice: isYoung ? youngDayAdvice : advice(final, request),
      operation: request.path,
      status: last.status,
      attempts: last.attempt,
      retryAt,
    });
  }
}

const plainBody = { 'Accept-Encoding': 'identity' } as const;

/** Faults of too many requests a second; they do not mean that the service is failing. */
const rateLimitCodes: ReadonlySet<string> = new Set(['23', 'rate_limit', 'http_429']);

/** Refusals that need no confirmation. */
const finalCodes: ReadonlySet<string> = new Set(['body_too_large', quotaSpent.code]);

const youngDayAdvice =
  'The day in Korea has just begun, and the portal may still count the day before: run again in a quarter of an hour.';

const circuitOpen: Fault = {
  class: 'retry',
  code: 'circuit_open',
  message: 'the service failed repeatedly, so requests to it are paused',
};
