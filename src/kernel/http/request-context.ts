import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Language } from '../../contract/language.ts';
import { languageFor } from './preferences.ts';

/** What the Node server adds to a request; absent when the application is asked in-process. */
export interface Connection {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

/** A request as the router or the server hands it over; a Hono context is one. */
export interface Asked {
  readonly req: { readonly raw: RequestHead };
  readonly env?: Connection;
}

/** What is read of a request; a `Request` is one. */
export interface RequestHead {
  readonly method: string;
  /** Whole, or from its path on. */
  readonly url: string;
  /** By lower-case names; values of one name are joined. */
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** One request under way: what was asked, by which id it is known, and since when. */
export class RequestContext {
  readonly method: string;
  /** As sent: not decoded, no query. */
  readonly path: string;
  /** As sent, without the `?`. */
  readonly query: string;
  /** The path of the contract, or `other`. */
  readonly route: string;
  readonly requestId: string;
  readonly startedAt = performance.now();
  readonly connection: Connection;
  readonly #request: RequestHead;
  readonly #shownPath: string | null;

  /** `shownPath` stands for the path wherever it is shown, where parts of the path are somebody's. */
  constructor(asked: Asked, route: string, shownPath: string | null = null) {
    const request = asked.req.raw;
    const { path, query } = splitTarget(request.url);
    this.method = request.method;
    this.path = path;
    this.query = query;
    this.route = route;
    this.connection = asked.env ?? {};
    this.#request = request;
    this.#shownPath = shownPath;
    this.requestId = requestIdFor(this.header('x-request-id'));
  }

  header(name: string): string | null {
    return this.#request.headers.get(name);
  }

  /** The body as it arrives; null where there is none. */
  get body(): AsyncIterable<Uint8Array> | null {
    // Node's own stream costs a fraction of the web stream that would be laid over it. It stays open when it is
    // not read to its end: destroying it would take the connection and the answer with it.
    const { incoming } = this.connection;
    return incoming?.iterator({ destroyOnReturn: false }) ?? this.#request.body;
  }

  get language(): Language {
    return languageFor(this.header('accept-language'));
  }

  /** Cut to what a log line or an error needs to show; an address that was put into a path is left out. */
  get shownPath(): string {
    if (this.#shownPath !== null) return this.#shownPath;
    const path = this.path.length > shownPathMax ? this.path.slice(0, shownPathMax) : this.path;
    return /@|%40/i.test(path) ? path.replace(/[^/]*(?:@|%40)[^/]*/gi, '…') : path;
  }

  get milliseconds(): number {
    return performance.now() - this.startedAt;
  }
}

/** The caller's own id where it is harmless in a header and a log, else a new one. */
export function requestIdFor(asked: string | null | undefined): string {
  if (asked && /^[\w.:/+=-]{1,64}$/.test(asked)) return asked;
  issued = (issued + 1) % 0x1_0000_0000;
  return processId + issued.toString(36).padStart(6, '0');
}

const shownPathMax = 200;

/** Ids of two processes or two starts do not meet. */
const processId = `${Date.now().toString(36)}${Math.floor(Math.random() * 46_656).toString(36)}-`;
let issued = 0;

function splitTarget(url: string): { path: string; query: string } {
  const authority = url.startsWith('/') ? 0 : url.indexOf('://') + 3;
  const slash = url.indexOf('/', authority);
  const fragment = url.indexOf('#', authority);
  const end = fragment < 0 ? url.length : fragment;
  const mark = url.indexOf('?', authority);
  if (mark < 0 || mark > end) return { path: url.slice(slash, end), query: '' };
  return { path: url.slice(slash, mark), query: url.slice(mark + 1, end) };
}
