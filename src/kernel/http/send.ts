import type { IncomingMessage } from 'node:http';
import { compressContent, compressPieces } from './compression.ts';
import { rangeOf } from './byte-range.ts';
import { cachedContent } from './conditional.ts';
import { entityTag } from './entity-tag.ts';
import { limits } from './limits.ts';
import { codingFor, type Coding } from './preferences.ts';
import type { RequestContext, ResponseHeaders } from './request-context.ts';
import { DigestedPieces, reprDigest } from './digest.ts';
import { fileOf } from './repeatable.ts';
import type { Content, FileContent, Result, Stream, Validity } from './result.ts';
import { writePieces } from './stream.ts';

/** Sends a result: conditional request, compression, headers, body, then metrics and log. */
export function send(request: RequestContext, result: Result): void | Promise<void> {
  if ('pieces' in result) return sendStream(request, result);
  if ('read' in result) return sendFile(request, result);
  if ('write' in result) return fileOf(request, result).then((file) => send(request, file));
  const { validity } = result;
  if (validity === undefined || result.coding !== undefined) return write(request, result);
  const cached = cachedContent(request, validity);
  if (cached !== null) return write(request, cached);
  const isShort = result.body === null || result.body.length < limits.compressBytesMin;
  const coding = isShort ? null : codingFor(request.header('accept-encoding'));
  if (coding === null) return write(request, result);
  const compressed = compressContent(request.server.compressed, result, validity, coding);
  return compressed instanceof Promise
    ? compressed.then((content) => write(request, content))
    : write(request, compressed);
}

function write(request: RequestContext, content: Content): void {
  const { status = 200, body, cookies = [] } = content;
  const bytes = body === null ? 0 : Buffer.byteLength(body);
  const headers = headersOf(request, content, body !== null);
  if (body !== null) headers['Content-Length'] = String(bytes);
  if (cookies.length > 0) headers['Set-Cookie'] = [...(headers['Set-Cookie'] ?? []), ...cookies];
  request.outgoing.writeHead(status, headers);
  request.outgoing.end(body ?? undefined);
  discardRest(request.incoming);
  recordResponse(request, status, bytes);
}

async function sendStream(request: RequestContext, stream: Stream): Promise<void> {
  const { incoming, outgoing, method } = request;
  const { isCompressible = false, isDigested = false, trailerNames } = stream;
  const preferredCoding = isCompressible ? codingFor(request.header('accept-encoding')) : null;
  const coding = stream.coding === undefined ? preferredCoding : null;
  const headers = headersOf(request, coding === null ? stream : { ...stream, coding }, true);
  // HTTP/1.0 has no chunks, so nothing can follow the body.
  const hasTrailers = incoming.httpVersion !== '1.0';
  if (method !== 'HEAD' && hasTrailers) {
    headers['Trailer'] = [...trailerNames, ...(isDigested ? ['Repr-Digest'] : [])].join(', ');
  }
  outgoing.writeHead(200, headers);
  discardRest(incoming);
  if (method === 'HEAD') {
    outgoing.end();
    stream.release?.();
    recordResponse(request, 200, 0);
    return;
  }
  const codedPieces = coding === null ? stream.pieces : compressPieces(stream.pieces, coding);
  const pieces = new DigestedPieces(codedPieces, isDigested);
  const trailers = () => ({ ...stream.trailers(), ...pieces.trailers() });
  const { status, bytes } = await writePieces(request, pieces, hasTrailers ? trailers : null);
  stream.release?.();
  recordResponse(request, status, bytes);
}

/** Sends a file, or the range of it that the request selects. */
async function sendFile(request: RequestContext, file: FileContent): Promise<void> {
  using resources = new DisposableStack();
  if (file.release !== undefined) resources.defer(file.release);
  const headers = headersOf(request, file, true);
  const range = rangeOf(request, file, headers);
  const { start, end } = range ?? { start: 0, end: file.length };
  const status = range === null ? 200 : 206;
  headers['Accept-Ranges'] = 'bytes';
  headers['Content-Length'] = String(end - start);
  headers['Repr-Digest'] = reprDigest(Buffer.from(file.sha256, 'hex'));
  if (range !== null) headers['Content-Range'] = `bytes ${start}-${end - 1}/${file.length}`;
  request.outgoing.writeHead(status, headers);
  discardRest(request.incoming);
  if (request.method === 'HEAD') {
    request.outgoing.end();
    recordResponse(request, status, 0);
    return;
  }
  const written = await writePieces(request, file.read(start, end), null);
  recordResponse(request, written.status === 200 ? status : written.status, written.bytes);
}

/** All headers of a response. */
function headersOf(
  request: RequestContext,
  { type, validity, coding, headers: resultHeaders }: HeaderSource,
  hasBody: boolean,
): ResponseHeaders {
  const { policy } = request.resource;
  // Spreading the policy’s headers is cheaper than assigning each of them.
  const headers: ResponseHeaders = { ...(hasBody ? policy.bodyHeaders : policy.headers) };
  for (const name in request.responseHeaders) headers[name] = request.responseHeaders[name]!;
  if (hasBody) {
    headers['Content-Type'] = type!;
    if (validity === undefined) headers['Cache-Control'] = 'no-store';
  }
  if (validity !== undefined) {
    headers['ETag'] = entityTag(validity.tag, coding ?? null);
    headers['Cache-Control'] = validity.cacheControl;
    headers['Vary'] = validity.vary;
    if (validity.lastModified !== null) headers['Last-Modified'] = validity.lastModified;
  }
  if (coding !== undefined && coding !== null) headers['Content-Encoding'] = coding;
  headers['X-Request-Id'] = request.id;
  if (policy.hasServerTiming)
    headers['Server-Timing'] = `total;dur=${request.milliseconds.toFixed(2)}`;
  for (const name in resultHeaders) headers[name] = resultHeaders[name]!;
  return headers;
}

interface HeaderSource {
  readonly type?: string;
  readonly validity?: Validity;
  readonly coding?: Coding | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Discards the unread rest of a body, and closes the connection unless the rest arrives within `limits.lingerMs`. Closing
 * at once could lose the response.
 */
function discardRest(incoming: IncomingMessage): void {
  if (incoming.complete || !hasRequestBody(incoming)) return;
  const linger = setTimeout(() => incoming.socket.destroySoon(), limits.lingerMs);
  incoming.once('close', () => clearTimeout(linger));
  incoming.resume();
}

/** True if a request has a body (RFC 9112, 6.3). At first Node reports even a request without a body as incomplete. */
function hasRequestBody({ headers }: IncomingMessage): boolean {
  return 'content-length' in headers || 'transfer-encoding' in headers;
}

/** Counts and logs a response. The query is not logged: search terms are private. */
function recordResponse(request: RequestContext, status: number, bytes: number): void {
  const { log, metrics } = request.server;
  const { milliseconds } = request;
  metrics.record(request.resource.path, status, milliseconds, bytes);
  if (!log.isEnabled('info')) return;
  log.info('request', {
    method: request.method,
    path: request.shownPath,
    status,
    ms: Math.round(milliseconds * 1000) / 1000,
    bytes,
    id: request.id,
  });
}
