import { isFault, readAnswer, type PortalAnswer } from '../protocol/answer.ts';
import type { Fault } from '../../data/portal/fault.ts';
import type { PortalLimits } from './limits.ts';
import type { Redactor } from './redact.ts';
import type { PortalRequest } from './request.ts';
import type { ServiceKey } from './service-key.ts';
import { getThrough } from './transport.ts';

/** One question asked once: what came, read; the key stays in here. */
export interface Exchange {
  /** `mayFollow` is asked before a redirect is followed, and ends the way with a fault. */
  send(
    request: PortalRequest,
    mayFollow: () => Promise<Fault | null>,
    signal?: AbortSignal,
  ): Promise<Exchanged>;
  /** An address as it may be shown. */
  address(request: PortalRequest): string;
}

export type Exchanged = Answered | Refused;

export interface Answered {
  readonly answer: PortalAnswer;
}

export interface Refused {
  readonly fault: Fault;
  /** HTTP status; null where nothing was answered. */
  readonly status: number | null;
  readonly retryAfter: string | null;
}

export interface ExchangeOptions {
  readonly key: ServiceKey | null;
  readonly redactor: Redactor;
  readonly gateway: string | null;
  readonly fetch: typeof fetch;
  readonly limits: PortalLimits;
}

export function createExchange(options: ExchangeOptions): Exchange {
  const { key, redactor } = options;
  return {
    async send(request, mayFollow, signal) {
      if (request.key !== null && key === null) return refused(noKey);
      const headers = headersOf(request, key);
      const way = { ...options, mayFollow };
      const raw = await getThrough(targetOf(request, key), headers, way, signal);
      if ('class' in raw) return refused(raw);
      // From here on nothing holds the key: no error, no log, nothing that is kept.
      const reading = readAnswer(redactor.bytes(raw.body), raw.status);
      if (!isFault(reading)) return { answer: reading };
      const message = redactor.message(reading.message);
      return { fault: { ...reading, message }, status: raw.status, retryAfter: raw.retryAfter };
    },
    address: (request) => redactor.text(`https://${targetOf(request, null)}`),
  };
}

/** A fault of our own making, or of the way. */
export function refused(fault: Fault): Refused {
  return { fault, status: null, retryAfter: null };
}

const noKey: Fault = { class: 'service', code: 'no_key', message: 'there is no service key' };

/** `host/path?query`; without a key it can be shown. */
function targetOf(request: PortalRequest, key: ServiceKey | null): string {
  const pairs = Object.entries(request.parameters).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  if (key !== null && request.key?.in === 'query') {
    pairs.unshift(`${request.key.name}=${key.encoded}`);
  }
  return pairs.length === 0 ? request.path : `${request.path}?${pairs.join('&')}`;
}

/** Calls without a `User-Agent` can be blocked. */
function headersOf(request: PortalRequest, key: ServiceKey | null): Record<string, string> {
  const headers: Record<string, string> = {
    'User-Agent': 'Maru/1.0 (open data collector)',
    Accept: 'application/json, application/xml;q=0.9, */*;q=0.5',
    'Accept-Encoding': 'gzip',
  };
  if (key !== null && request.key?.in === 'header') {
    headers['Authorization'] = `Infuser ${key.plain}`;
  }
  return headers;
}
