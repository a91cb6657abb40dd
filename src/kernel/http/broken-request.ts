import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem } from '../problem.ts';
import { limits } from './limits.ts';
import { problemBody, problemHeaders } from './problem-body.ts';
import { requestIdFor } from './request-context.ts';
import type { Router } from './router.ts';

/**
 * Answers a request that Node's parser refused, and closes the connection. A URL with raw Hangul
 * (`curl 'http://…?q=병원'`) is redirected to its percent-encoded form; nothing else of the request is trusted.
 */
export function answerBrokenRequest(router: Router, error: ParserError, socket: Duplex): void {
  if (answered.has(socket)) return;
  answered.add(socket);
  // The client has closed the connection: there is no request to refuse.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const redirect = error.code === 'HPE_INVALID_URL' ? encodedTarget(error) : null;
  const id = requestIdFor(null);
  const response = redirect === null ? refusal(problemOf(error), id) : moved(redirect);
  const text = rawText(router, response, id, redirect === null || !isHead(error));
  afterEarlierAnswers(socket, () => {
    if (!socket.writable) socket.destroy();
    else endSoon(socket, text);
  });
}

interface ParserError extends Error {
  readonly code?: string;
  /** The last packet, and the number of its bytes that were parsed. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** The rest of a broken request arrives as further errors on the same connection. */
const answered = new WeakSet<Duplex>();

/**
 * The request target in ASCII, when it is a path with bytes beyond it and arrived in one piece.
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
        en: `The request line and headers may take up to ${limits.headerBytesMax} bytes together, and be up to ${limits.headersMax} headers.`,
      });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', {
        ko: '요청이 제때 끝나지 않았습니다. 다시 보내 주세요.',
        en: 'The request did not arrive in time. Send it again.',
      });
    default:
      return new Problem('bad_request', {
        ko: 'HTTP 요청으로 읽을 수 없습니다. 한글은 UTF-8로 퍼센트 인코딩해서 쓰세요.',
        en: 'This is not a request HTTP knows. Write Hangul percent-encoded in UTF-8.',
      });
  }
}

/** Sends the client to the encoded URL. A user who typed the other one sees only the text. */
function moved(target: string): RawResponse {
  const text = `한글은 퍼센트 인코딩한 주소에 있습니다 (curl -L이면 따라갑니다).\nIt is at the percent-encoded address (curl -L follows it):\n${target}\n`;
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
  /** Name of its line in the log. */
  readonly event: string;
}

/** The text of a response to a connection that has none of Node's; counted and logged. */
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
 * Closing at once, with bytes of the request still unread, would reset the connection and could take the
 * answer with it: the client is given a moment to read and close.
 */
function endSoon(socket: Duplex, text: string): void {
  const linger = setTimeout(() => socket.destroy(), limits.lingerMs);
  socket.once('close', () => clearTimeout(linger));
  socket.end(text);
}

/**
 * Earlier requests on the same connection are answered first. A request whose own body broke off or timed out has
 * a pending answer that waits for that body: waiting for it in turn would keep both open forever.
 */
function afterEarlierAnswers(socket: Duplex, answer: () => void): void {
  // Node keeps the answer that a connection waits for in `_httpMessage`, and reads it for the same purpose.
  const pending = (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage;
  if (pending === undefined || pending === null) answer();
  else if (pending.req.complete) pending.once('close', () => afterEarlierAnswers(socket, answer));
  else if (pending.headersSent) socket.destroy();
  else answer();
}
