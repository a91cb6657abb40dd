import type { Front } from '../kernel/http/front.ts';
import { respondText, toOwnMachine } from '../kernel/http/plain-text.ts';
import { route, type App } from '../kernel/http/route.ts';
import type { StoreHolder } from './current-store.ts';
import { noSnapshot } from './no-snapshot.ts';

/** Whether the process lives, whether it has data, and how it is doing. */
export function addHealth(
  app: App,
  { holder, front }: { readonly holder: StoreHolder; readonly front: Front },
): void {
  route(app, front, '/healthz', (exchange) => respondText(front, exchange, 'ok\n'));
  route(app, front, '/readyz', (exchange) => {
    const lease = holder.current();
    if (lease === null) throw noSnapshot();
    const { id } = lease.store.snapshot;
    lease.release();
    return respondText(front, exchange, `ready ${id}\n`);
  });
  route(app, front, '/metrics', (exchange) => {
    toOwnMachine(exchange);
    return respondText(front, exchange, front.metrics.text());
  });
  front.metrics.gauge('maru_axes', 'Axes held.', () => ask(holder, ({ axes }) => axes.size));
  front.metrics.gauge('maru_rows', 'Records held.', () =>
    ask(holder, ({ axes }) => axes.values().reduce((sum, { rows }) => sum + rows, 0)),
  );
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
