import { createServer, ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { answerRequest } from './answer-request.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { limits } from './limits.ts';
import type { Router } from './router.ts';

/** A server that listens. Closing refuses new requests and waits up to `limits.drainMs` for current ones. */
export interface RunningServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:3000`. */
  readonly address: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly router: Router;
  readonly host: string;
  readonly port: number;
  /** The setting that chooses the port, for the error when it is taken. */
  readonly portSetting?: string;
  /** Times that replace those in `limits`, for tests. */
  readonly times?: Partial<ServerTimes>;
}

type ServerTimes = Readonly<
  Record<
    | 'headersTimeoutMs'
    | 'requestTimeoutMs'
    | 'idleTimeoutMs'
    | 'connectionsCheckMs'
    | 'connectionsCloseMs'
    | 'drainMs',
    number
  >
>;

/** Starts a listener. Throws an error with advice if the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { router } = options;
  const times = { ...limits, ...options.times };
  const listener = listenerOf(router);
  let isClosing = false;
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (isClosing) outgoing.shouldKeepAlive = false;
    listener(incoming, outgoing);
  };
  const server = createServer(serverOptions(times), answer);
  server.maxHeadersCount = limits.headersMax;
  server.timeout = times.idleTimeoutMs;
  server.maxConnections = limits.connectionsMax;
  server.on('connect', (incoming, socket) => answerConnect(router, incoming, socket));
  server.on('clientError', (error, socket) => answerBrokenRequest(router, error, socket));
  // An unknown expectation changes nothing about a request: it is answered like any other.
  server.on('checkExpectation', answer);
  const { port } = await listen(server, options);
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  const close = async () => {
    isClosing = true;
    if (times.connectionsCloseMs > 0) await wait(times.connectionsCloseMs);
    await drain(server, times.drainMs);
  };
  return { address: `http://${host}:${port}`, port, close, [Symbol.asyncDispose]: close };
}

/** The function that Node calls for every request; for pipelined requests before the previous one is answered. */
export function listenerOf(router: Router) {
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const answer = () => {
      // `answerRequest` answers and logs failures; one that it cannot answer ends the connection.
      answerRequest(router, incoming, outgoing).catch(() => outgoing.destroy());
    };
    if (outgoing.socket === null) answerInTurn(outgoing, answer);
    else answer();
  };
}

/**
 * Answers a pipelined request when the previous answers have been sent. Otherwise the server would keep all answers for a
 * client that reads none. Node has no event for the turn of a response, but gives it the socket then.
 */
function answerInTurn(outgoing: ServerResponse, answer: () => void): void {
  const assignSocket = outgoing.assignSocket.bind(outgoing);
  outgoing.assignSocket = (socket) => {
    assignSocket(socket);
    answer();
  };
}

function serverOptions(times: ServerTimes) {
  return {
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: times.headersTimeoutMs,
    requestTimeout: times.requestTimeoutMs,
    // `server.timeout` ends idle connections too; a second timer would be set and cleared with every request.
    keepAliveTimeout: 0,
    // Interval of the check of the two times above; Node's 30 s would make the shorter one 40 s.
    connectionsCheckingInterval: times.connectionsCheckMs,
    // Node would answer a missing Host without a body; `refuseMalformed` does it with a problem.
    requireHostHeader: false,
    // A request without a body gets no stream, which saves a tenth of the cost of a small answer.
    optimizeEmptyRequests: true,
  };
}

/** Refuses a tunnel. Node gives CONNECT the bare socket instead of a response. */
function answerConnect(router: Router, incoming: IncomingMessage, socket: Duplex): void {
  const outgoing = new ServerResponse(incoming);
  socket.on('error', () => socket.destroy());
  // The sockets of a TCP server are TCP sockets.
  outgoing.assignSocket(socket as Socket);
  outgoing.once('finish', () => socket.end());
  listenerOf(router)(incoming, outgoing);
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

async function drain(server: Server, drainMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  // A connection that was busy when closing began becomes idle later, and nothing else would end it.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
  await promise;
  clearInterval(sweep);
  clearTimeout(deadline);
}
