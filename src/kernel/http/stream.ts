import type { ServerResponse } from 'node:http';
import type { RequestContext } from './request-context.ts';

/** Writes the pieces of a body as fast as the client reads them, then its trailers. */
export async function writePieces(
  { id, outgoing, server }: RequestContext,
  pieces: AsyncIterable<Uint8Array>,
  trailers: (() => Readonly<Record<string, string>>) | null,
): Promise<{ readonly status: number; readonly bytes: number }> {
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      if (outgoing.destroyed) return { status: clientClosedStatus, bytes };
      bytes += piece.length;
      if (!outgoing.write(piece)) await untilWritable(outgoing);
    }
    if (outgoing.destroyed) return { status: clientClosedStatus, bytes };
    if (trailers !== null) outgoing.addTrailers(trailers());
    outgoing.end();
    return { status: 200, bytes };
  } catch (error) {
    if (outgoing.destroyed && isAbort(error)) return { status: clientClosedStatus, bytes };
    // The status has been sent: a broken connection is the only signal left.
    server.log.error('export_failed', { id, error: String(error) });
    outgoing.destroy();
    return { status: 500, bytes };
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Waits until more can be written or the client has closed the connection. */
function untilWritable(outgoing: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const settle = (): void => {
    outgoing.off('drain', settle).off('close', settle);
    resolve();
  };
  outgoing.on('drain', settle).on('close', settle);
  return promise;
}

/** The status that nginx logs for a client that closed the connection. */
const clientClosedStatus = 499;
