import { Hono } from 'hono';
import type { Connection, Exchange } from '../kernel/http/exchange.ts';
import type { Front } from '../kernel/http/front.ts';
import { note } from '../kernel/http/front.ts';
import { refuseOtherPaths, route, type App } from '../kernel/http/route.ts';
import { Problem } from '../kernel/problem.ts';
import type { StoreHolder } from './current-store.ts';
import { noSnapshot } from './no-snapshot.ts';

export interface HealthOptions {
  readonly holder: StoreHolder;
  readonly front: Front;
}

/** Whether the process lives, whether it has data, and how it is doing. */
export function addHealth(app: App, { holder, front }: HealthOptions): void {
  addProbes(app, holder, front);
  route(app, front, '/metrics', (exchange) => {
    if (!isOwnMachine(exchange)) throw hidden();
    return plain(front, exchange, front.metrics.text());
  });
  front.metrics.gauge('maru_axes', 'Axes held.', () => ask(holder, ({ axes }) => axes.size));
  front.metrics.gauge('maru_rows', 'Records held.', () =>
    ask(holder, ({ axes }) => axes.values().reduce((sum, { rows }) => sum + rows, 0)),
  );
}

/** The operator's application, for a listener that only this machine reaches: probes and metrics. */
export function createAdminApp({ holder, front }: HealthOptions): App {
  const app: App = new Hono<{ Bindings: Connection }>();
  addProbes(app, holder, front);
  route(app, front, '/metrics', (exchange) => plain(front, exchange, front.metrics.text()));
  refuseOtherPaths(app, front);
  return app;
}

function addProbes(app: App, holder: StoreHolder, front: Front): void {
  route(app, front, '/healthz', (exchange) => plain(front, exchange, 'ok\n'));
  route(app, front, '/readyz', (exchange) => {
    const lease = holder.current();
    if (lease === null) throw noSnapshot();
    const { id } = lease.store.snapshot;
    lease.release();
    return plain(front, exchange, `ready ${id}\n`);
  });
}

type Store = NonNullable<ReturnType<StoreHolder['current']>>['store'];

function ask(holder: StoreHolder, count: (store: Store) => number): number {
  const lease = holder.current();
  if (lease === null) return 0;
  try {
    return count(lease.store);
  } finally {
    lease.release();
  }
}

/**
 * A proxy on this machine speaks for others. Most say so in a header; a plain one passes on the name
 * it was asked by, which is then not that of this machine.
 */
function isOwnMachine(exchange: Exchange): boolean {
  const address = exchange.connection.incoming?.socket.remoteAddress ?? '';
  if (!/^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address)) return false;
  const host = exchange.header('host') ?? '';
  if (!/^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host)) return false;
  return proxyHeaders.every((name) => exchange.header(name) === null);
}

const proxyHeaders = [
  'cf-connecting-ip',
  'forwarded',
  'true-client-ip',
  'via',
  'x-client-ip',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

function plain(front: Front, exchange: Exchange, text: string): Response {
  const bytes = Buffer.byteLength(text);
  note(front, exchange, 200, bytes);
  return new Response(text, {
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': String(bytes),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': exchange.requestId,
    },
  });
}

function hidden(): Problem {
  return new Problem('not_found', {
    ko: '이 주소는 서비스가 도는 컴퓨터에서만 볼 수 있습니다.',
    en: 'This address is for the machine the service runs on.',
  });
}
