import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';

/** Opens a proxy to the service; the proxy can fail. */
export async function openGate(stack: AsyncDisposableStack, servicePort: number): Promise<Gate> {
  const sockets = new Set<Socket>();
  let trouble: Trouble = null;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    if (trouble !== null) {
      trouble(socket);
      return;
    }
    const upstream = connect(servicePort, '127.0.0.1');
    sockets.add(upstream);
    upstream.on('error', () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stack.defer(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return {
    port: address.port,
    cut(next) {
      trouble = next;
      for (const socket of sockets) socket.destroy();
    },
  };
}

type Trouble = ((socket: Socket) => unknown) | null;

export interface Gate {
  readonly port: number;
  /** Ends all connections; new ones get this fault, or none. */
  cut(trouble: Trouble): void;
}

/** Faults of a members service. */
export const troubles = {
  /** Refuses connections. */
  dead: (socket: Socket) => void socket.resetAndDestroy(),
  /** Accepts connections and never responds. */
  hung: () => {},
  /** Answers every request with 500. */
  failing: (socket: Socket) =>
    socket.once('data', () =>
      socket.end('HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\n\r\n{}'),
    ),
  /** Ends the connection in the middle of a response. */
  reset: (socket: Socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{"svc_uid":');
      setImmediate(() => socket.resetAndDestroy());
    }),
  /** Starts a response and never continues. */
  halting: (socket: Socket) =>
    socket.once('data', () =>
      socket.write('HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{"svc_uid":'),
    ),
  /** Redirects to another host, which would receive the key. */
  redirecting: (socket: Socket) =>
    socket.once('data', (request) => {
      const other = `http://localhost:${socket.localPort}/other`;
      const body = JSON.stringify({ svc_uid: 'svc_other', created: true });
      socket.end(
        String(request).includes(' /other ')
          ? `HTTP/1.1 201 Created\r\nContent-Length: ${body.length}\r\n\r\n${body}`
          : `HTTP/1.1 307 Temporary Redirect\r\nLocation: ${other}\r\nContent-Length: 0\r\n\r\n`,
      );
    }),
} as const satisfies Record<string, (socket: Socket) => unknown>;
