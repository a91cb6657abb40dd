import { requireOwnMachine } from '../kernel/http/own-machine.ts';
import { closedPolicy } from '../kernel/http/response-policy.ts';
import { plainText } from '../kernel/http/result.ts';
import { Router } from '../kernel/http/router.ts';
import type { ServerContext } from '../kernel/http/server-context.ts';
import type { StoreHolder } from './current-store.ts';
import { noSnapshot } from './no-snapshot.ts';
import type { LookupStore } from './store/store.ts';

/** Adds the health probes, and the metrics for callers on this machine. */
export function addHealth(router: Router, holder: StoreHolder): void {
  const { metrics } = router.server;
  addProbes(router, holder);
  router.get(
    '/metrics',
    (request) => {
      requireOwnMachine(request);
      return plainText(metrics.text());
    },
    { policy: closedPolicy },
  );
  metrics.gauge('maru_axes', 'Axes served.', () => countOf(holder, ({ axes }) => axes.size));
  metrics.gauge('maru_rows', 'Records served.', () =>
    countOf(holder, ({ axes }) => axes.values().reduce((sum, { rows }) => sum + rows, 0)),
  );
}

/** The operator's listener of a process that serves lookup alone: probes and metrics. */
export function createHealthRouter(server: ServerContext, holder: StoreHolder): Router {
  const router = new Router(server, closedPolicy);
  addProbes(router, holder);
  router.get('/metrics', () => plainText(server.metrics.text()));
  return router;
}

function addProbes(router: Router, holder: StoreHolder): void {
  const options = { policy: closedPolicy };
  router.get('/healthz', () => plainText('ok\n'), options);
  router.get(
    '/readyz',
    () => {
      const lease = holder.lease();
      if (lease === null) throw noSnapshot();
      const { id } = lease.store.snapshot;
      lease.release();
      return plainText(`ready ${id}\n`);
    },
    options,
  );
}

function countOf(holder: StoreHolder, count: (store: LookupStore) => number): number {
  const lease = holder.lease();
  if (lease === null) return 0;
  try {
    return count(lease.store);
  } finally {
    lease.release();
  }
}
