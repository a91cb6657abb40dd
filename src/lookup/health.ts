import { Hono } from 'hono';
import type { Connection } from '../kernel/http/request-context.ts';
import type { ServerContext } from '../kernel/http/server-context.ts';
import { respondText, toOwnMachine } from '../kernel/http/plain-text.ts';
import { refuseOtherPaths, route, type App } from '../kernel/http/route.ts';
import type { StoreHolder } from './current-store.ts';
import { noSnapshot } from './no-snapshot.ts';

export interface HealthOptions {
  readonly holder: StoreHolder;
  readonly front: ServerContext;
}

/** Whether the process lives, whether it has data, and how it is doing. */
export function addHealth(app: App, { holder, front }: HealthOptions): void {
  addProbes(app, holder, front);
  route(app, front, '/metrics', (request) => {
    toOwnMachine(request);
    return respondText(front, request, front.metrics.text());
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
  route(app, front, '/metrics', (request) => respondText(front, request, front.metrics.text()));
  refuseOtherPaths(app, front);
  return app;
}

function addProbes(app: App, holder: StoreHolder, front: ServerContext): void {
  route(app, front, '/healthz', (request) => respondText(front, request, 'ok\n'));
  route(app, front, '/readyz', (request) => {
    const lease = holder.current();
    if (lease === null) throw noSnapshot();
    const { id } = lease.store.snapshot;
    lease.release();
    return respondText(front, request, `ready ${id}\n`);
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
