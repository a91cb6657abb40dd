import { limits } from '../settings.ts';
import { compress } from './compression.ts';
import { entityTag } from './entity-tag.ts';
import type { RequestContext } from './request-context.ts';
import { note, type ServerContext, type ReadyBody } from './server-context.ts';
import { codingFor, type Coding } from './preferences.ts';
import type { Reply } from './reply.ts';

/** A body ready to be sent, with the headers that belong to it. */
export interface Content {
  readonly body: Buffer;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What may be kept of an answer and how it is recognised again. */
export interface Validity {
  /** Without quotes and coding. */
  readonly tag: string;
  /** HTTP date; null where nothing says when it changed. */
  readonly lastModified: string | null;
  /** The body depends on the day besides the data: its date alone does not name it. */
  readonly daily: boolean;
  readonly cacheControl: string;
  readonly vary: string;
}

/** JSON answers may load nothing and be framed by nobody. */
export const strictPolicy =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Sends a body in the coding the client likes best, compressed once and kept. */
export function respond(
  front: ServerContext,
  request: RequestContext,
  content: Content,
  validity: Validity,
): Reply | Promise<Reply> {
  const coding = codingFor(request.header('accept-encoding'));
  if (coding === null || content.body.length < limits.compressBytesMin) {
    return send(front, request, content, validity, null);
  }
  const ready = keptBody(front, validity, coding);
  if (ready !== undefined) return send(front, request, ready, validity, coding);
  const keep = (body: Buffer): Reply => {
    const made = { body, type: content.type, headers: content.headers ?? {} };
    front.compressed.set(`${validity.tag}-${coding}`, made, bytesHeld(made));
    return send(front, request, made, validity, coding);
  };
  const body = compress(content.body, coding);
  return body instanceof Promise ? body.then(keep) : keep(body);
}

/** The compressed body of the same question, if it was asked before: the store need not be. */
export function respondFromKept(
  front: ServerContext,
  request: RequestContext,
  validity: Validity,
): Reply | null {
  const coding = codingFor(request.header('accept-encoding'));
  if (coding === null) return null;
  const ready = keptBody(front, validity, coding);
  return ready === undefined ? null : send(front, request, ready, validity, coding);
}

/** The client has it already. */
export function respondNotModified(
  front: ServerContext,
  request: RequestContext,
  heldEntityTag: string,
  validity: Validity,
): Reply {
  note(front, request, 304, 0);
  const headers = notModifiedHeaders(heldEntityTag, validity);
  headers['X-Request-Id'] = request.requestId;
  headers['Server-Timing'] = serverTiming(request);
  return { status: 304, headers, body: null };
}

/** What every 304 to the same question says. */
export function notModifiedHeaders(
  heldEntityTag: string,
  validity: Validity,
): Record<string, string> {
  return {
    ETag: heldEntityTag,
    'Cache-Control': validity.cacheControl,
    Vary: validity.vary,
    ...openToAll,
    ...(validity.lastModified === null ? {} : { 'Last-Modified': validity.lastModified }),
  };
}

/** Any page may read the answers, and these headers of them. */
export const openToAll = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Link, ETag, X-Request-Id, X-Total-Count, Maru-Warnings',
} as const;

export function serverTiming(request: RequestContext): string {
  return `total;dur=${request.milliseconds.toFixed(2)}`;
}

function keptBody(front: ServerContext, validity: Validity, coding: Coding): ReadyBody | undefined {
  return front.compressed.get(`${validity.tag}-${coding}`);
}

/** The body, two bytes for each character of a heading, and the entry itself. */
function bytesHeld({ body, type, headers }: ReadyBody): number {
  let characters = type.length;
  for (const name in headers) characters += name.length + headers[name]!.length;
  return body.buffer.byteLength + 2 * characters + entryBytes;
}

const entryBytes = 512;

function send(
  front: ServerContext,
  request: RequestContext,
  { body, type, headers }: Content,
  validity: Validity,
  coding: Coding | null,
): Reply {
  const all: Record<string, string> = {
    'Content-Type': type,
    'Content-Length': String(body.length),
    ETag: entityTag(validity.tag, coding),
    'Cache-Control': validity.cacheControl,
    Vary: validity.vary,
    'Access-Control-Allow-Origin': openToAll['Access-Control-Allow-Origin'],
    'Access-Control-Expose-Headers': openToAll['Access-Control-Expose-Headers'],
    'Content-Security-Policy': strictPolicy,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': request.requestId,
    'Server-Timing': serverTiming(request),
  };
  if (coding !== null) all['Content-Encoding'] = coding;
  if (validity.lastModified !== null) all['Last-Modified'] = validity.lastModified;
  if (headers !== undefined) for (const name in headers) all[name] = headers[name]!;
  note(front, request, 200, body.length);
  return { status: 200, headers: all, body };
}
