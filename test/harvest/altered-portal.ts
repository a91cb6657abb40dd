import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answer of a portal on its way to the client; `body` is its text. */
export interface AlteredAnswer {
  status: number;
  readonly headers: Record<string, string>;
  body: string | Buffer;
}

/** Changes the answer to a request; `target` is its path with the query. */
export type Alteration = (answer: AlteredAnswer, target: URL) => void;

export interface AlteredPortal extends AsyncDisposable {
  readonly url: string;
  /** Paths with queries, as they arrived. */
  readonly targets: readonly string[];
}

/** Starts a server on loopback that passes requests to a portal and alters its answers. */
export async function alterPortal(origin: string, alter: Alteration): Promise<AlteredPortal> {
  const targets: string[] = [];
  const server = createServer((request, response) => {
    const target = new URL(request.url ?? '/', origin);
    targets.push(target.pathname + target.search);
    void fetch(target, { headers: { accept: '*/*' }, redirect: 'manual' }).then(
      async (original) => {
        const type = original.headers.get('content-type') ?? 'application/json';
        const answer: AlteredAnswer = {
          status: original.status,
          headers: { 'content-type': type },
          body: await original.text(),
        };
        alter(answer, target);
        response.writeHead(answer.status, answer.headers).end(answer.body);
      },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address with it.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    targets,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
