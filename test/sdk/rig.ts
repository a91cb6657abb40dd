import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createPlatform as createExpressPlatform } from '../../examples/express/platform.ts';
import { createPlatform as createFastifyPlatform } from '../../examples/fastify/platform.ts';
import { createPlatform as createHonoPlatform } from '../../examples/hono/platform.ts';
import { createPlatform as createNextPlatform } from '../../examples/next/platform.ts';
import { createPlatform as createResponsePlatform } from '../../examples/response/platform.ts';
import type { Accounts, PlatformOptions } from '../../examples/accounts.ts';
import type { Svc } from '../../sdk/src/svc.ts';
import { startServer } from '../../src/kernel/http/server.ts';
import { openFixture, type MembersFixture } from '../fixtures/members.ts';
import { addClientScript } from '../../src/web/client-script.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A listening members service with its client script, whose session cookies are valid on `maru.localhost`. */
export async function openService(
  stack: AsyncDisposableStack,
  settings: typeof production | typeof development = production,
): Promise<Service> {
  const folder = stack.use(temporaryFolder());
  const fixture = stack.use(await openFixture(folder.path, { ...settings, MARU_RATE_SCALE: 0 }));
  fixture.clock.now = Date.now();
  const { router } = fixture;
  addClientScript(router);
  const server = stack.use(await startServer({ router, host: '127.0.0.1', port: 0 }));
  return { ...fixture, address: server.address, port: server.port };
}

const production = {
  MARU_MEMBERS_URL: 'https://id.maru.localhost',
  MARU_COOKIE_DOMAIN: 'maru.localhost',
} as const;

/** Settings of development: cookies without `Secure` and `Domain`. */
export const development = {
  MARU_MEMBERS_URL: 'http://localhost:3000',
  MARU_COOKIE_DOMAIN: null,
} as const;

export interface Service extends Omit<MembersFixture, typeof Symbol.asyncDispose> {
  readonly address: string;
  readonly port: number;
}

/** Number of events of this name that the service has. */
export async function eventsHeld({ context }: Service, event: string): Promise<number> {
  const totals = await context.store.read.events.totals();
  return totals.filter((total) => total.event === event).reduce((sum, { count }) => sum + count, 0);
}

/** A server on a free port that ends with the stack. */
export async function listen(
  stack: AsyncDisposableStack,
  listener: RequestListener,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stack.defer(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  // A listening TCP server has an address of this shape.
  return { server, port: (server.address() as AddressInfo).port };
}

export interface Platform {
  readonly listener: RequestListener;
  readonly svc: Svc;
  readonly accounts: Accounts;
}

/** The example platforms, each as a request listener of an HTTP server. */
export const examples = {
  express(options) {
    const { app, ...platform } = createExpressPlatform(options);
    return { ...platform, listener: app };
  },
  fastify(options) {
    const { app, ...platform } = createFastifyPlatform(options);
    const ready = app.ready();
    const listener: RequestListener = (request, response) =>
      void ready.then(() => app.routing(request, response));
    return { ...platform, listener };
  },
  hono(options) {
    const { app, ...platform } = createHonoPlatform(options);
    return { ...platform, listener: listenerOf((request) => app.fetch(request)) };
  },
  next(options) {
    const { routes, ...platform } = createNextPlatform(options);
    // As in Next: a handler for each path and method, with the request and a context.
    const handlers: Readonly<Record<string, typeof routes.home>> = {
      'GET /': routes.home,
      'POST /signup': routes.signup,
      'POST /login': routes.login,
      'POST /logout': routes.logout,
    };
    const answer = (request: Request): Response | Promise<Response> =>
      handlers[`${request.method} ${new URL(request.url).pathname}`]?.(request, {
        params: Promise.resolve({}),
      }) ?? new Response(null, { status: 404 });
    return { ...platform, listener: listenerOf(answer) };
  },
  response(options) {
    const { answer, ...platform } = createResponsePlatform(options);
    return { ...platform, listener: listenerOf(answer) };
  },
} as const satisfies Record<string, (options: PlatformOptions) => Platform>;

function listenerOf(answer: (request: Request) => Response | Promise<Response>): RequestListener {
  const listener = getRequestListener(answer);
  return (request, response) => void listener(request, response);
}
