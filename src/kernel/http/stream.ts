import type { RequestContext } from './request-context.ts';
import { note, type ServerContext } from './server-context.ts';
import type { Reply } from './reply.ts';
import { openToAll, serverTiming, strictPolicy, type Validity } from './respond.ts';
import { entityTag } from './entity-tag.ts';

/** A body too long to hold: made piece by piece as fast as the client takes it. */
export interface Flow {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of the trailers, announced before the body. */
  readonly trailerNames: readonly string[];
  readonly pieces: AsyncIterator<Buffer, void>;
  /** Asked after the last piece. */
  readonly trailers: () => Readonly<Record<string, string>>;
}

/** Sends a flow. `release` is called once, when nothing more will be asked of the flow. */
export function respondFlow(
  front: ServerContext,
  request: RequestContext,
  flow: Flow,
  validity: Validity,
  release: () => void,
): Reply {
  const headers = {
    'Content-Type': flow.type,
    ETag: entityTag(validity.tag, null),
    'Cache-Control': validity.cacheControl,
    // A flow is never compressed; only the warnings of a strict question could differ.
    Vary: 'Prefer',
    ...openToAll,
    'Content-Security-Policy': strictPolicy,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': request.requestId,
    'Server-Timing': serverTiming(request),
    ...(validity.lastModified === null ? {} : { 'Last-Modified': validity.lastModified }),
    ...flow.headers,
  };
  if (request.method === 'HEAD') {
    release();
    note(front, request, 200, 0);
    return { status: 200, headers, body: null };
  }
  const { outgoing } = request.connection;
  // HTTP/1.0 knows no chunks, so nothing can follow the body.
  const trailing = outgoing !== undefined && request.connection.incoming?.httpVersion !== '1.0';
  const announced = trailing ? { ...headers, Trailer: flow.trailerNames.join(', ') } : headers;
  const body = bodyOf(front, request, flow, trailing, release);
  return { status: 200, headers: announced, body };
}

function bodyOf(
  front: ServerContext,
  request: RequestContext,
  flow: Flow,
  trailing: boolean,
  release: () => void,
): ReadableStream<Uint8Array> {
  let bytes = 0;
  let reading = false;
  let cancelled = false;
  const end = (status: number): void => {
    release();
    note(front, request, status, bytes);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reading = true;
        try {
          const piece = await flow.pieces.next();
          if (cancelled) {
            end(clientClosed);
          } else if (piece.done === true) {
            if (trailing) request.connection.outgoing?.addTrailers(flow.trailers());
            end(200);
            controller.close();
          } else {
            bytes += piece.value.length;
            controller.enqueue(piece.value);
          }
        } catch (error) {
          // The status is on its way already: a broken connection is the one honest sign left.
          front.log.error('export_failed', { id: request.requestId, error: String(error) });
          end(500);
          controller.error(error);
        } finally {
          reading = false;
        }
      },
      cancel() {
        cancelled = true;
        // A read under way still needs the data: it lets go when it is back.
        if (!reading) end(clientClosed);
      },
    },
    { highWaterMark: 0 },
  );
}

/** What nginx logs for a client that went away. */
const clientClosed = 499;
