import type { Fault } from '../../data/portal/fault.ts';
import type { PortalLimits } from './limits.ts';

/** A response as it arrived, unpacked. */
export interface RawResponse {
  readonly status: number;
  readonly body: Uint8Array;
}

interface TransportOptions {
  readonly fetch: typeof fetch;
  /** `http://host:port` that every request goes through; null for the hosts themselves. */
  readonly gateway: string | null;
  readonly limits: PortalLimits;
  /** Runs before a redirect is followed, which counts as a request; a fault ends the way. */
  readonly mayFollow: () => Promise<Fault | null>;
}

/**
 * Opens `host/path?query` with bounds on time and redirects, which are followed on the same host only:
 * elsewhere the key would go with them. Throws the caller's abort reason and errors of this machine's disk;
 * faults of the network are returned.
 */
export async function openResponse<Content>(
  target: string,
  init: Pick<RequestInit, 'headers' | 'method' | 'body'>,
  options: TransportOptions,
  receive: (response: Response) => Promise<Content>,
  signal?: AbortSignal,
): Promise<Content | Fault> {
  const overall = AbortSignal.timeout(options.limits.overallTimeoutMs);
  const stops = signal === undefined ? [overall] : [overall, signal];
  try {
    let url = new URL(`https://${target}`);
    for (let hops = 0; hops <= options.limits.redirectsMax; hops++) {
      const response = await fetchHead(url, init, options, stops);
      const location = redirectOf(response);
      if (location === null) return await receive(response);
      await response.body?.cancel();
      const next = redirected(location, url, options.gateway);
      if (next === null) {
        return fault('request', 'redirect_elsewhere', 'it redirects to another host');
      }
      const refused = await options.mayFollow();
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

/** Reads a body of up to `bytesMax`. */
export async function readBounded(
  response: Response,
  bytesMax: number,
): Promise<RawResponse | Fault> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > bytesMax) return tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return { status: response.status, body: Buffer.concat(chunks, size) };
}

export function tooLarge(bytesMax: number): Fault {
  return fault('request', 'body_too_large', `the body has more than ${bytesMax} bytes`);
}

/** Fetches until the headers have arrived. */
async function fetchHead(
  url: URL,
  init: Pick<RequestInit, 'headers' | 'method' | 'body'>,
  { fetch, gateway, limits }: TransportOptions,
  stops: readonly AbortSignal[],
): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Late()), limits.answerTimeoutMs);
  const address =
    gateway === null ? url.href : `${gateway}/${url.host}${url.pathname}${url.search}`;
  try {
    const signal = AbortSignal.any([late.signal, ...stops]);
    return await fetch(address, { ...init, redirect: 'manual', signal });
  } finally {
    clearTimeout(timer);
  }
}

/** No response began in time. */
class Late extends Error {}

function redirectOf(response: Response): string | null {
  const redirects = response.status >= 301 && response.status <= 308 && response.status !== 304;
  return redirects ? response.headers.get('location') : null;
}

/** The next address; null on another host. `http` becomes `https`, since the query contains the key. */
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

/** Errors of the disk, such as a full one, are no faults of the network: they carry a system call's name. */
function isOfSystem(error: unknown): boolean {
  const call = error instanceof Error && 'syscall' in error ? error.syscall : null;
  return typeof call === 'string' && /^(?:write|open|fsync|ftruncate)$/.test(call);
}

/** Keeps the system's error code only: a cause may contain the address, and with it the key. */
function faultOfNetwork(error: unknown): Fault {
  if (error instanceof Late) return fault('retry', 'timeout', 'no response began in time');
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return fault('retry', 'timeout', 'the response did not end in time');
  }
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const word = /^[A-Z_]{3,40}$/.test(code) ? ` (${code})` : '';
  return fault('retry', 'network', `the connection failed${word}`);
}

function fault(faultClass: Fault['class'], code: string, message: string): Fault {
  return { class: faultClass, code, message };
}
