import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Language } from '../../contract/language.ts';
import { languageFor } from './preferences.ts';
import type { ResponsePolicy } from './response-policy.ts';
import type { ServerContext } from './server-context.ts';

/** One request under way. */
export class RequestContext {
  readonly server: ServerContext;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly method: string;
  /** Raw path: not decoded, without the query. */
  readonly path: string;
  /** Raw query, without the `?`. */
  readonly query: string;
  /** The caller's `X-Request-Id`, or a new one. */
  readonly id: string;
  readonly startedAt = performance.now();
  /** Headers that the steps before `send` add to the response. */
  readonly responseHeaders: ResponseHeaders = {};
  /** The listener's default, until the router sets the resource that it found. */
  resource: RequestedResource;

  constructor(
    server: ServerContext,
    resource: RequestedResource,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ) {
    const { path, query } = splitTarget(incoming.url!);
    this.server = server;
    this.resource = resource;
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.method = incoming.method!;
    this.path = path;
    this.query = query;
    this.id = requestIdFor(this.header('x-request-id'));
  }

  /** The value of a header by its lower-case name; several values are joined. */
  header(name: string): string | null {
    const value = this.incoming.headers[name];
    if (value === undefined) return null;
    if (firstValueHeaders.has(name)) return joinedValues(this.incoming, name);
    return typeof value === 'string' ? value : value.join(', ');
  }

  /** Chunks of the body. Reading may stop early without closing the connection, which the response needs. */
  get body(): AsyncIterable<Uint8Array> {
    return this.incoming.iterator({ destroyOnReturn: false });
  }

  get language(): Language {
    return languageFor(this.header('accept-language'));
  }

  /** Path for logs and problems: shortened, without email addresses; the contract's template if segments are personal. */
  get shownPath(): string {
    if (this.resource.isPersonal) return this.resource.path;
    const path = this.path.length > shownPathMax ? this.path.slice(0, shownPathMax) : this.path;
    return /@|%40/i.test(path) ? path.replace(/[^/]*(?:@|%40)[^/]*/gi, '…') : path;
  }

  get milliseconds(): number {
    return performance.now() - this.startedAt;
  }
}

/** The part of a resource that responses need. */
export interface RequestedResource {
  /** Path in the contract; `other` for an unknown path. */
  readonly path: string;
  /** True if segments of the path are personal data: logs and problems show the template. */
  readonly isPersonal: boolean;
  readonly policy: ResponsePolicy;
}

/** A list is sent as one header for each of its values. */
export type ResponseHeaders = Record<string, string | string[]>;

/** The caller's id if it is harmless in a header and a log, else a new one. */
export function requestIdFor(callerId: string | null): string {
  if (callerId !== null && /^[\w.:/+=-]{1,64}$/.test(callerId)) return callerId;
  issuedCount = (issuedCount + 1) % 0x1_0000_0000;
  return requestIdPrefix + issuedCount.toString(36).padStart(6, '0');
}

/** Keeps the request ids of different processes and restarts apart. */
const requestIdPrefix = `${Date.now().toString(36)}${Math.floor(Math.random() * 46_656).toString(36)}-`;
let issuedCount = 0;

const shownPathMax = 200;

/** Headers of which Node keeps only the first value. All values are joined, since a proxy may have read another. */
const firstValueHeaders: ReadonlySet<string> = new Set(['content-type', 'if-modified-since']);

function joinedValues({ rawHeaders }: IncomingMessage, name: string): string {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (isNamed(rawHeaders[at]!, name)) values.push(rawHeaders[at + 1]!);
  }
  return values.join(', ');
}

/** True if the name of a header, as it was sent, equals a lower-case name. Most names have another length. */
export function isNamed(sentName: string, name: string): boolean {
  return sentName.length === name.length && sentName.toLowerCase() === name;
}

function splitTarget(url: string): { path: string; query: string } {
  const start = url.startsWith('/') ? 0 : pathStart(url);
  const fragment = url.indexOf('#', start);
  const end = fragment < 0 ? url.length : fragment;
  const mark = url.indexOf('?', start);
  const pathEnd = mark < 0 || mark > end ? end : mark;
  // An empty path is the root (RFC 9110, 4.2.3).
  return { path: url.slice(start, pathEnd) || '/', query: url.slice(pathEnd + 1, end) };
}

/** Start of the path of a target in absolute form (RFC 9112, 3.2.2). */
function pathStart(url: string): number {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash < 0 ? url.length : slash;
}
