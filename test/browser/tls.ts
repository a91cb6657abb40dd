import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { createServer } from 'node:tls';

/** Opens a port with TLS before another port of this machine, and returns it. No browser trusts its certificate yet. */
export async function openTls(stack: AsyncDisposableStack, port: number): Promise<number> {
  const folder = resolve(import.meta.dirname, '../fixtures/tls');
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(folder, name)));
  const sockets = new Set<Socket>();
  const server = createServer({ key: key!, cert: cert! }, (socket) => {
    const upstream = connect(port, '127.0.0.1');
    // The end of one side ends the other.
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  server.on('tlsClientError', () => {
    // A browser may refuse the certificate at first.
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('It listens nowhere.');
  return address.port;
}
