import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem } from '../problem.ts';
import { limits } from './limits.ts';
import { problemBody, problemHeaders } from './problem-body.ts';
import { requestIdFor } from './request-context.ts';
import type { Router } from './router.ts';

/**
 * Answers a request that Node's parser refused, and closes the connection. A URL with raw Hangul
 * (`curl 'http://…?q=병원'`) is redirected to its percent-encoded form; the rest of the request is not trusted.
 */
export function answerBrokenRequest(router: Router, error: ParserError, socket: Duplex): void {
  if (answeredSockets.has(socket)) return;
  answeredSockets.add(socket);
  // The client has closed the connection, so it cannot read a response.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const redirect = error.code === 'HPE_INVALID_URL' ? encodedTarget(error) : null;
  const id = requestIdFor(null);
  const response = redirect === null ? refusal(problemOf(error), id) : redirection(redirect);
  const text = rawText(router, response, id, redirect === null || !isHead(error));
  afterEarlierAnswers(socket, () => {
    if (!socket.writable) socket.destroy();
    else endWithLinger(socket, text);
  });
}

interface ParserError extends Error {
  readonly code?: string;
  /** The last packet, and the number of its bytes that were parsed. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** Sockets that were answered. The rest of a broken request raises further errors on its socket. */
const answeredSockets = new WeakSet<Duplex>();

/**
 * The request target, percent-encoded; null unless it is a path with raw bytes that arrived in one packet.
 * It starts with exactly one `/`, and a backslash is encoded: some browsers read both `//` and `/\` as a host.
 */
function encodedTarget({ rawPacket, bytesParsed = 0 }: ParserError): string | null {
  if (rawPacket === undefined) return null;
  const start = rawPacket.lastIndexOf(newline, Math.max(0, bytesParsed - 1)) + 1;
  const end = rawPacket.indexOf(newline, start);
  if (end < 0 || end - start > limits.urlBytesMax) return null;
  const line = rawPacket.toString('latin1', start, end);
  const target = /^(?:GET|HEAD) (\/(?![/\\]).*) HTTP\/1\.[01]\r?$/.exec(line)?.[1];
  if (target === undefined || !/[\u0080-\u00ff]/.test(target)) return null;
  const encoded = target.replace(/[^!$&-;=?-Z_a-z~%]/g, percentEncoded);
  return encoded.length > limits.urlBytesMax ? null : encoded;
}

const newline = 0x0a;

function isHead({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  const start = rawPacket!.lastIndexOf(newline, Math.max(0, bytesParsed - 1)) + 1;
  return rawPacket!.toString('latin1', start, start + 5) === 'HEAD ';
}

function percentEncoded(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function problemOf({ code }: ParserError): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('headers_too_large', {
        ko: `요청 줄과 헤더는 모두 ${limits.headerBytesMax}바이트까지, 헤더는 ${limits.headersMax}개까지 쓸 수 있습니다.`,
        en: `The request line and the headers may have up to ${limits.headerBytesMax} bytes together, in up to ${limits.headersMax} headers. Send fewer or shorter headers.`,
      });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', {
        ko: '요청이 제때 끝나지 않았습니다. 다시 보내 주세요.',
        en: 'The request did not arrive in time. Send it again.',
      });
    default:
      return new Problem('bad_request', {
        ko: '올바른 HTTP 요청이 아닙니다. 요청 줄과 헤더를 확인하고, 한글은 UTF-8로 퍼센트 인코딩하세요.',
        en: 'This is not a valid HTTP request. Check its request line and headers, and percent-encode Hangul in UTF-8.',
      });
  }
}

/** Redirects to the encoded URL. Users of clients that do not follow redirects see the text. */
function redirection(target: string): RawResponse {
  const text = `주소의 한글은 퍼센트 인코딩해야 합니다. 아래 주소로 요청하세요 (curl -L은 자동으로 이동합니다).\nPercent-encode the address. Use this one (curl -L follows it):\n${target}\n`;
  const headers = { Location: target, 'Content-Type': 'text/plain; charset=utf-8' };
  return { status: 308, headers, body: Buffer.from(text), event: 'request_redirected' };
}

function refusal(problem: Problem, requestId: string): RawResponse {
  // The headers were not understood, so the language is unknown.
  const body = problemBody(problem, { language: 'ko', instance: '/', requestId });
  const headers = { ...problemHeaders(problem, 'ko'), Vary: 'Accept-Language' };
  return { status: problem.status, headers, body, event: 'request_refused' };
}

interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Log event of the response. */
  readonly event: string;
}

/** Counts and logs a response that this module sends itself, and returns its text. */
function rawText(router: Router, response: RawResponse, id: string, hasBody: boolean): string {
  const { status, body, event } = response;
  const { metrics, log } = router.server;
  const { bodyHeaders } = router.missing.policy;
  metrics.record('other', status, 0, body.length);
  log.info(event, { status, id });
  const lines = Object.entries({
    Date: new Date().toUTCString(),
    ...bodyHeaders,
    ...response.headers,
    'Content-Length': String(body.length),
    'X-Request-Id': id,
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`;
  return hasBody ? head + body.toString() : head;
}

/**
 * Sends a response and gives the client a moment to read it. Closing with bytes of the request unread would
 * reset the connection, and the response could be lost.
 */
function endWithLinger(socket: Duplex, text: string): void {
  const linger = setTimeout(() => socket.destroy(), limits.lingerMs);
  socket.once('close', () => clearTimeout(linger));
  socket.end(text);
}

/**
 * Calls `answer` when earlier requests on the connection have been answered. It does not wait for a request whose body is
 * the broken one: its answer would wait for the rest of the body, which never arrives.
 */
function afterEarlierAnswers(socket: Duplex, answer: () => void): void {
  // Node keeps the pending response of a connection in `_httpMessage`.
  const pending = (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage;
  if (pending === undefined || pending === null) answer();
  else if (pending.req.complete) pending.once('close', () => afterEarlierAnswers(socket, answer));
  else if (pending.headersSent) socket.destroy();
  else answer();
}
