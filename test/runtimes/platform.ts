import { createServer, type RequestListener } from 'node:http';
import process from 'node:process';
import type { PlatformOptions } from '../../examples/accounts.ts';

/**
 * Serves an example platform on a free port, which it prints. Deno and Bun serve a `Response` by themselves; Node needs
 * the listener that a framework brings.
 */
const [framework = ''] = process.argv.slice(2);
const { MEMBERS_URL: membersUrl = '', API_KEY: apiKey = '' } = process.env;
const options: PlatformOptions = {
  membersUrl,
  apiKey,
  platform: 'books',
  scriptUrl: `${membersUrl}/sdk.js`,
  onWarning: (text) => void process.stdout.write(`${text}\n`),
};

type Answer = (request: Request) => Response | Promise<Response>;

/** The used parts of Deno and of Bun; Node has neither. */
const runtime = globalThis as {
  readonly Deno?: {
    serve(
      place: { hostname: string; port: number; onListen: (address: { port: number }) => void },
      answer: Answer,
    ): unknown;
  };
  readonly Bun?: {
    serve(place: { hostname: string; port: number; fetch: Answer }): { readonly port: number };
  };
};

const starts: Readonly<Record<string, () => Promise<void>>> = {
  async express() {
    const { createPlatform } = await import('../../examples/express/platform.ts');
    listen(createPlatform(options).app);
  },
  async fastify() {
    const { createPlatform } = await import('../../examples/fastify/platform.ts');
    const { app } = createPlatform(options);
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    report(Number(new URL(address).port));
  },
  async hono() {
    const { createPlatform } = await import('../../examples/hono/platform.ts');
    const { app } = createPlatform(options);
    await serve((request) => app.fetch(request));
  },
  async response() {
    const { createPlatform } = await import('../../examples/response/platform.ts');
    const { answer } = createPlatform(options);
    await serve(answer);
  },
};

await starts[framework]!();

async function serve(answer: Answer): Promise<void> {
  const place = { hostname: '127.0.0.1', port: 0 };
  if (runtime.Deno) runtime.Deno.serve({ ...place, onListen: ({ port }) => report(port) }, answer);
  else if (runtime.Bun) report(runtime.Bun.serve({ ...place, fetch: answer }).port);
  else {
    const { getRequestListener } = await import('@hono/node-server');
    const listener = getRequestListener(answer);
    listen((request, response) => void listener(request, response));
  }
}

function listen(listener: RequestListener): void {
  const server = createServer(listener).listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object' && address !== null) report(address.port);
  });
}

function report(port: number): void {
  process.stdout.write(`listening ${port}\n`);
}
