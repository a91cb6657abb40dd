import { createServer, ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { Problem } from '../problem.ts';
import { limits } from '../settings.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { answerDirectly } from './direct.ts';
import { requestIdFor } from './request-context.ts';
import type { ServerContext } from './server-context.ts';
import { languageFor } from './preferences.ts';
import { problemOf } from './problem-body.ts';
import { renderRefusal } from './problem-reply.ts';
import { openToAll } from './respond.ts';
import { allowedMethods, type App } from './route.ts';

/** A server that listens. Closing stops new requests, waits for those under way up to `limits.drainMs`. */
export interface RunningServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:3000`. */
  readonly address: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly app: App;
  readonly front: ServerContext;
  readonly host: string;
  readonly port: number;
  /** The setting that chooses the port, for what is said when it is taken. */
  readonly portSetting?: string;
  /** Other times than those of `limits`, so that a test need not wait for them. */
  readonly times?: Partial<ServerTimes>;
}

type ServerTimes = Readonly<
  Record<'headersTimeoutMs' | 'requestTimeoutMs' | 'idleTimeoutMs' | 'connectionsCheckMs', number>
>;

/** Starts serving an application. Throws an error that says what to do when the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const times = { ...limits, ...options.times };
  const server = createServer(serverOptions(times), listenerOf(options));
  server.maxHeadersCount = limits.headersMax;
  server.timeout = times.idleTimeoutMs;
  server.maxConnections = limits.connectionsMax;
  server.on('connect', (incoming, socket) => refuseConnect(options, incoming, socket));
  server.on('clientError', (error, socket) => answerBrokenRequest(options.front, error, socket));
  // An unknown expectation changes nothing about a GET: it is answered like any other.
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing));
  const { port } = await listen(server, options);
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  const close = () => drain(server);
  return { address: `http://${host}:${port}`, port, close, [Symbol.asyncDispose]: close };
}

function serverOptions(times: ServerTimes) {
  return {
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: times.headersTimeoutMs,
    requestTimeout: times.requestTimeoutMs,
    // `server.timeout` ends an idle connection too; a time of its own would be set and lifted with every request.
    keepAliveTimeout: 0,
    // How often the two times above are looked at; Node's 30 s would make the shorter one 40 s.
    connectionsCheckingInterval: times.connectionsCheckMs,
    // Node would answer a missing Host without a body; `faultOf` says it as everything else is said.
    requireHostHeader: false,
    // A request without a body gets no stream to read and to end: a tenth of what a small answer costs.
    optimizeEmptyRequests: true,
  };
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

function listenerOf({ app, front }: ServerOptions): Listener {
  const listener = getRequestListener(app.fetch, {
    // HTTP/1.0 need not name a host.
    hostname: 'localhost',
    errorHandler: () => refusedByAdapter(front),
  });
  return (incoming, outgoing) => {
    if (incoming.method === 'OPTIONS' && incoming.url === '*') {
      outgoing.writeHead(204, { Allow: allowedMethods, ...openToAll });
      outgoing.end();
      return;
    }
    const fault = faultOf(incoming);
    if (fault !== null) {
      refuse(front, fault, incoming, outgoing);
      return;
    }
    if (front.revalidation.answer(incoming, outgoing, front.log, front.metrics)) return;
    const answered = answerDirectly(app, incoming, outgoing);
    if (answered === null) void listener(incoming, outgoing);
    else answered.catch((error: unknown) => fail(front, error, incoming, outgoing));
  };
}

/** What is wrong with a request that parsed, before any route sees it. */
function faultOf(incoming: IncomingMessage): Problem | null {
  const { url = '', headers, httpVersion } = incoming;
  if (url.length > limits.urlBytesMax) {
    return new Problem('uri_too_long', {
      ko: `주소는 ${limits.urlBytesMax}바이트까지 쓸 수 있습니다.`,
      en: `A request target may be up to ${limits.urlBytesMax} bytes long.`,
    });
  }
  if (rawCount(incoming, 'host') > 1) return malformed();
  const coding = headers['transfer-encoding'];
  // Whoever stands before us may read another coding otherwise, and see another end of the body.
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') return foreignCoding();
  const host = headers.host ?? (httpVersion === '1.1' ? undefined : 'localhost');
  if (host !== undefined && /^[\w.:[\]-]+$/.test(host) && targetStart.test(url)) {
    if (url.startsWith('/')) return isHost(host) ? null : malformed();
    return URL.canParse(url) ? null : malformed();
  }
  return malformed();
}

/** Nearly all requests name the host of the one before: asking anew costs as much as the rest of the check. */
function isHost(host: string): boolean {
  if (host === knownHost) return true;
  if (!URL.canParse(`http://${host}/`)) return false;
  knownHost = host;
  return true;
}

let knownHost = '';

/** Node joins or drops what is given twice: only the raw list tells. */
function rawCount({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const given = rawHeaders[i]!;
    if (given.length === name.length && given.toLowerCase() === name) count++;
  }
  return count;
}

function foreignCoding(): Problem {
  return new Problem('bad_request', {
    ko: 'Transfer-Encoding은 chunked만 받습니다.',
    en: 'The only Transfer-Encoding taken is chunked.',
  });
}

/** A tunnel is not what we are for. Node gives CONNECT the bare socket instead of an answer. */
function refuseConnect({ front }: ServerOptions, incoming: IncomingMessage, socket: Duplex): void {
  const outgoing = new ServerResponse(incoming);
  socket.on('error', () => socket.destroy());
  // A server over TCP hands out TCP sockets.
  outgoing.assignSocket(socket as Socket);
  outgoing.once('finish', () => socket.end());
  const detail = {
    ko: `이 서버는 ${allowedMethods}만 받습니다.`,
    en: `This server takes ${allowedMethods} only.`,
  };
  const headers = { Allow: allowedMethods };
  refuse(front, new Problem('method_not_allowed', detail, { headers }), incoming, outgoing);
}

const targetStart = /^(?:\/|https?:\/\/)[^\\]*$/;

function malformed(): Problem {
  return new Problem('bad_request', {
    ko: '요청 줄이나 Host 헤더가 HTTP 규격에 맞지 않습니다.',
    en: 'The request line or the Host header is not what HTTP asks for.',
  });
}

function refuse(
  front: ServerContext,
  problem: Problem,
  { url, headers }: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const requestId = requestIdFor(headers['x-request-id']?.toString());
  const language = languageFor(headers['accept-language'] ?? null);
  const instance = url?.startsWith('/') === true ? url.split('?', 1)[0]!.slice(0, 200) : '/';
  const { headers: ours, body } = renderRefusal(front, problem, { language, instance, requestId });
  outgoing.writeHead(problem.status, { ...ours, Connection: 'close' });
  outgoing.end(body);
}

/** What may not happen: a fault of ours beside every rule for faults. */
function fail(
  front: ServerContext,
  error: unknown,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  front.log.error('request_failed', {
    error: error instanceof Error ? error.stack : String(error),
  });
  if (outgoing.headersSent) outgoing.destroy();
  else refuse(front, problemOf(error), incoming, outgoing);
}

/** For what passes `faultOf` and the adapter refuses all the same; it does not say which request it was. */
function refusedByAdapter(front: ServerContext): Response {
  const requestId = requestIdFor(null);
  const place = { language: 'ko', instance: '/', requestId } as const;
  const { headers, body } = renderRefusal(front, malformed(), place);
  return new Response(body as Uint8Array<ArrayBuffer>, {
    status: 400,
    headers,
  });
}

async function listen(server: Server, options: ServerOptions): Promise<AddressInfo> {
  const { host, port } = options;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ port, host }, resolve);
  try {
    await promise;
  } catch (cause) {
    throw new Error(startFault(cause as NodeJS.ErrnoException, options), { cause });
  }
  server.off('error', reject);
  // A listening TCP server has an address of this shape.
  return server.address() as AddressInfo;
}

function startFault(
  { code, message }: NodeJS.ErrnoException,
  { host, port, portSetting = 'PORT' }: ServerOptions,
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken by another program. Stop it, or choose another port: ${portSetting}=${port + 1}.`;
    case 'EACCES':
      return `Port ${port} needs more rights than this user has. Choose one above 1023: ${portSetting}=3000.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}. Set HOST to one it has, such as 127.0.0.1 or 0.0.0.0.`;
    default:
      return `Cannot listen on ${host}:${port}: ${message}.`;
  }
}

async function drain(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  // Connections that were busy at the time of closing become idle later, and nothing else ends them.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), limits.drainMs);
  await promise;
  clearInterval(sweep);
  clearTimeout(deadline);
}
