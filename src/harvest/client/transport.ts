import type { Fault } from '../../data/portal/fault.ts';
import type { PortalLimits } from './limits.ts';

/** What came over the wire, unpacked, before anybody looks at it. */
export interface RawAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: Uint8Array;
}

export interface TransportOptions {
  readonly fetch: typeof fetch;
  /** `http://host:port` that every call goes through; null for the portal itself. */
  readonly gateway: string | null;
  readonly limits: PortalLimits;
  /** Asked before a redirect is followed, which is a call like any other; a fault ends the way. */
  readonly mayFollow?: () => Promise<Fault | null>;
}

/**
 * Gets `host/path?query` with bounds on time, size and redirects, which are followed on the same host
 * only: elsewhere the key would go with them. Throws the caller's abort reason and nothing else.
 */
export function getThrough(
  target: string,
  headers: Readonly<Record<string, string>>,
  options: TransportOptions,
  signal?: AbortSignal,
): Promise<RawAnswer | Fault> {
  const receive = (response: Response) => received(response, options.limits);
  return openThrough(target, headers, options, receive, signal);
}

/** The same for whoever takes the body as it comes; what `receive` throws of its own is passed on. */
export async function openThrough<Taken>(
  target: string,
  headers: Readonly<Record<string, string>>,
  options: TransportOptions,
  receive: (response: Response) => Promise<Taken>,
  signal?: AbortSignal,
): Promise<Taken | Fault> {
  const overall = AbortSignal.timeout(options.limits.overallTimeoutMs);
  const stops = signal === undefined ? [overall] : [overall, signal];
  try {
    let url = new URL(`https://${target}`);
    for (let hops = 0; hops <= options.limits.redirectsMax; hops++) {
      const response = await head(url, headers, options, stops);
      const location = redirectOf(response);
      if (location === null) return await receive(response);
      await response.body?.cancel();
      const next = redirected(location, url, options.gateway);
      if (next === null) {
        return fault('request', 'redirect_elsewhere', 'it redirects to another host');
      }
      const refused = (await options.mayFollow?.()) ?? null;
      if (refused !== null) return refused;
      url = next;
    }
    return fault(
      'retry',
      'redirects',
      `it redirects more than ${options.limits.redirectsMax} times`,
    );
  } catch (error) {
    signal?.throwIfAborted();
    if (isOfSystem(error)) throw error;
    return faultOfNetwork(error);
  }
}

/** The head of one answer; the body may still be on its way. */
async function head(
  url: URL,
  headers: Readonly<Record<string, string>>,
  { fetch, gateway, limits }: TransportOptions,
  stops: readonly AbortSignal[],
): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Late()), limits.answerTimeoutMs);
  const address =
    gateway === null ? url.href : `${gateway}/${url.host}${url.pathname}${url.search}`;
  try {
    const signal = AbortSignal.any([late.signal, ...stops]);
    return await fetch(address, { headers, redirect: 'manual', signal });
  } finally {
    clearTimeout(timer);
  }
}

/** The portal answered nothing in time. */
class Late extends Error {}

async function received(response: Response, limits: PortalLimits): Promise<RawAnswer | Fault> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > limits.bodyBytesMax) {
      return fault('request', 'body_too_large', `more than ${limits.bodyBytesMax} bytes came`);
    }
    chunks.push(chunk);
  }
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: Buffer.concat(chunks, size),
  };
}

function redirectOf(response: Response): string | null {
  const redirects = response.status >= 301 && response.status <= 308 && response.status !== 304;
  return redirects ? response.headers.get('location') : null;
}

/** Null for another host. `http` is answered in `https`: the key is in the query. */
function redirected(location: string, from: URL, gateway: string | null): URL | null {
  const plain =
    gateway !== null && location.startsWith(`${gateway}/`)
      ? `https://${location.slice(gateway.length + 1)}`
      : location;
  const next = URL.parse(plain, from.href);
  if (next === null || next.hostname !== from.hostname) return null;
  if (next.username !== '' || next.password !== '') return null;
  return new URL(`https://${from.host}${next.pathname}${next.search}`);
}

/** A disk that is full or cannot be written is no fault of the way; those carry the name of a system call. */
function isOfSystem(error: unknown): boolean {
  const call = error instanceof Error && 'syscall' in error ? error.syscall : null;
  return typeof call === 'string' && /^(?:write|open|fsync|ftruncate)$/.test(call);
}

/** Only the system's own word is kept: a cause may hold the address, and that holds the key. */
function faultOfNetwork(error: unknown): Fault {
  if (error instanceof Late) return fault('retry', 'timeout', 'no answer came in time');
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return fault('retry', 'timeout', 'the answer did not end in time');
  }
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const word = /^[A-Z_]{3,40}$/.test(code) ? ` (${code})` : '';
  return fault('retry', 'network', `the connection failed${word}`);
}

function fault(faultClass: Fault['class'], code: string, message: string): Fault {
  return { class: faultClass, code, message };
}
