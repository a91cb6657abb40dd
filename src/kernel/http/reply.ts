import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { limits } from '../settings.ts';

/** An answer before it is settled how it is sent. */
export interface Reply {
  readonly status: number;
  readonly headers: ReplyHeaders;
  /** A text goes out in one write with the headers, bytes in two, a stream as fast as the client takes it. */
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

/** A list for a header that is sent once for each of its values. One object is filled: copies cost more than headers. */
export type ReplyHeaders = Record<string, string | string[]>;

/** For whoever asks in the process, or by the router. */
export function asResponse({ status, headers, body }: Reply): Response {
  // Bytes of ours lie in no memory that threads share.
  const given = body as string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  return new Response(given, { status, headers: isPlain(headers) ? headers : flat(headers) });
}

/** Writes an answer to the connection its question came by. */
export async function sendReply(
  { status, headers, body }: Reply,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  outgoing.writeHead(status, headers);
  if (body instanceof ReadableStream) await sendStream(body, outgoing);
  else outgoing.end(body);
  if (!incoming.complete && hasBody(incoming)) leaveRest(incoming);
}

/** A client that goes away ends the stream; a stream that fails breaks the connection. Either has been noted by then. */
async function sendStream(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
): Promise<void> {
  await pipeline(Readable.fromWeb(body), outgoing).catch(() => outgoing.destroy());
}

/** RFC 9112 6.3. One without is not yet said to be complete while its headers are being answered. */
function hasBody({ headers }: IncomingMessage): boolean {
  return 'content-length' in headers || 'transfer-encoding' in headers;
}

/** The rest of a body that nobody wants is thrown away for a moment, so that the answer can be read. */
function leaveRest(incoming: IncomingMessage): void {
  const linger = setTimeout(() => incoming.socket.destroySoon(), limits.lingerMs);
  incoming.once('close', () => clearTimeout(linger));
  incoming.resume();
}

/** Nearly all are, and are written without a copy. */
function isPlain(headers: ReplyHeaders): headers is Record<string, string> {
  for (const name in headers) if (typeof headers[name] !== 'string') return false;
  return true;
}

function flat(headers: ReplyHeaders): Headers {
  const all = new Headers();
  for (const name in headers) {
    const value = headers[name]!;
    if (typeof value === 'string') all.set(name, value);
    else for (const one of value) all.append(name, one);
  }
  return all;
}
