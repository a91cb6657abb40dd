import { gunzipSync } from 'node:zlib';
import { isFault, type Fault } from '../../data/portal/fault.ts';
import type { PortalLimits } from './limits.ts';

/** A response as received, decompressed. */
export interface RawResponse {
  readonly status: number;
  readonly body: Uint8Array;
}

interface TransportOptions {
  readonly fetch: typeof fetch;
  /** `http://host:port` that receives all requests; null to send them to their own hosts. */
  readonly gateway: string | null;
  readonly limits: PortalLimits;
  /** Runs before a redirect is followed, which counts as a request; a fault ends the request. */
  readonly beforeRedirect: () => Promise<Fault | null>;
}

/**
 * Opens `host/path?query` with bounds on time and redirects. A redirect to another host is refused, since the
 * address contains the key. Throws the caller's abort reason and errors of this machine's disk; returns faults of
 * the network.
 */
export async function openResponse<Content>(
  target: string,
  init: Pick<RequestInit, 'headers' | 'method' | 'body'>,
  options: TransportOptions,
  receive: (response: Response) => Promise<Content>,
  signal?: AbortSignal,
): Promise<Content | Fault> {
  const overall = AbortSignal.timeout(options.limits.overallTimeoutMs);
  const signals = signal === undefined ? [overall] : [overall, signal];
  try {
    let url = new URL(`https://${target}`);
    for (let hops = 0; hops <= options.limits.redirectsMax; hops++) {
      const response = await fetchHead(url, init, options, signals);
      const location = redirectOf(response);
      if (location === null) return await receive(response);
      await response.body?.cancel();
      const next = redirectTarget(location, url, options.gateway);
      if (next === null) {
        return fault('request', 'redirect_elsewhere', 'the response redirects to another host');
      }
      const refusal = await options.beforeRedirect();
      if (refusal !== null) return refusal;
      url = next;
    }
    return fault(
      'retry',
      'redirects',
      `the request was redirected more than ${options.limits.redirectsMax} times`,
    );
  } catch (error) {
    signal?.throwIfAborted();
    if (isDiskError(error)) throw error;
    return faultOfNetwork(error);
  }
}

/** Reads a body of up to `bytesMax`, also one that is compressed twice or without a header that declares it. */
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
  const body = decompress(Buffer.concat(chunks, size), bytesMax);
  return isFault(body) ? body : { status: response.status, body };
}

function decompress(received: Buffer, bytesMax: number): Buffer | Fault {
  let body = received;
  try {
    for (let times = 0; times < compressedTimesMax && body.indexOf(gzipStart) === 0; times++) {
      body = gunzipSync(body, { maxOutputLength: bytesMax });
    }
    return body;
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    return isTooLarge
      ? tooLarge(bytesMax)
      : fault('retry', 'network', 'the compressed body is cut off or broken');
  }
}

/** No text begins with these bytes (RFC 1952, section 2.3.1). */
const gzipStart = Buffer.from([0x1f, 0x8b, 0x08]);
const compressedTimesMax = 2;

export function tooLarge(bytesMax: number): Fault {
  return fault('request', 'body_too_large', `the body has more than ${bytesMax} bytes`);
}

/** Fetches until the headers have arrived. */
async function fetchHead(
  url: URL,
  init: Pick<RequestInit, 'headers' | 'method' | 'body'>,
  { fetch, gateway, limits }: TransportOptions,
  signals: readonly AbortSignal[],
): Promise<Response> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new NoResponse()), limits.answerTimeoutMs);
  const address =
    gateway === null ? url.href : `${gateway}/${url.host}${url.pathname}${url.search}`;
  try {
    const signal = AbortSignal.any([timeout.signal, ...signals]);
    return await fetch(address, { ...init, redirect: 'manual', signal });
  } finally {
    clearTimeout(timer);
  }
}

/** Abort reason of a request whose response did not begin in time. */
class NoResponse extends Error {}

function redirectOf(response: Response): string | null {
  const isRedirect = response.status >= 301 && response.status <= 308 && response.status !== 304;
  return isRedirect ? response.headers.get('location') : null;
}

/** Target of a redirect, over https, since the query contains the key; null for another host. */
function redirectTarget(location: string, from: URL, gateway: string | null): URL | null {
  const address =
    gateway !== null && location.startsWith(`${gateway}/`)
      ? `https://${location.slice(gateway.length + 1)}`
      : location;
  const next = URL.parse(address, from.href);
  if (next === null || next.hostname !== from.hostname) return null;
  if (next.username !== '' || next.password !== '') return null;
  return new URL(`https://${from.host}${next.pathname}${next.search}`);
}

/** True for an error of the disk, such as a full one: it has the name of a system call on files. */
function isDiskError(error: unknown): boolean {
  const call = error instanceof Error && 'syscall' in error ? error.syscall : null;
  return typeof call === 'string' && /^(?:write|open|fsync|ftruncate)$/.test(call);
}

/** Keeps the system's error code only: a cause may contain the address, and with it the key. */
function faultOfNetwork(error: unknown): Fault {
  if (error instanceof NoResponse) return fault('retry', 'timeout', 'no response began in time');
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return fault('retry', 'timeout', 'the response did not end in time');
  }
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const suffix = /^[A-Z_]{3,40}$/.test(code) ? ` (${code})` : '';
  return fault('retry', 'network', `the connection failed${suffix}`);
}

function fault(faultClass: Fault['class'], code: string, message: string): Fault {
  return { class: faultClass, code, message };
}
