import type { FollowState } from '../data/remote/follow-state.ts';
import { requireOwnMachine } from '../kernel/http/own-machine.ts';
import { closedPolicy } from '../kernel/http/response-policy.ts';
import { plainText } from '../kernel/http/result.ts';
import { Router } from '../kernel/http/router.ts';
import type { ServerContext } from '../kernel/http/server-context.ts';
import type { StoreHolder } from './current-store.ts';
import { noSnapshot } from './no-snapshot.ts';
import type { LookupStore } from './store/store.ts';

interface HealthOptions {
  /** State of following a store of snapshots; absent if this machine builds them. */
  readonly followed?: () => FollowState;
}

/** Adds the health probes, and the metrics for callers on this machine. */
export function addHealth(router: Router, holder: StoreHolder, options: HealthOptions): void {
  const { metrics, metricsText } = router.server;
  addProbes(router, holder, options);
  addFollowMetrics(router.server, options);
  router.get(
    '/metrics',
    async (request) => {
      requireOwnMachine(request);
      return plainText(await metricsText());
    },
    { policy: closedPolicy },
  );
  metrics.gauge('maru_axes', 'Axes served.', () => countOf(holder, ({ axes }) => axes.size));
  metrics.gauge('maru_rows', 'Records served.', () =>
    countOf(holder, ({ axes }) => axes.values().reduce((sum, { rows }) => sum + rows, 0)),
  );
}

/** The operator's listener of a process that serves lookup alone: probes and metrics. */
export function createHealthRouter(
  server: ServerContext,
  holder: StoreHolder,
  options: HealthOptions = {},
): Router {
  const router = new Router(server, closedPolicy);
  addProbes(router, holder, options);
  addFollowMetrics(server, options);
  router.get('/metrics', async () => plainText(await server.metricsText()));
  return router;
}

function addProbes(router: Router, holder: StoreHolder, { followed }: HealthOptions): void {
  const options = { policy: closedPolicy };
  router.get('/healthz', () => plainText('ok\n'), options);
  router.get(
    '/readyz',
    () => {
      const lease = holder.lease();
      if (lease === null) throw noSnapshot(followed?.().fault);
      const { id } = lease.store.snapshot;
      lease.release();
      return plainText(`ready ${id}\n${followed === undefined ? '' : followLine(followed())}`);
    },
    options,
  );
}

/** Line about the store; the log has the sentence, which names the store. */
function followLine({ checkedAtMs, fault }: FollowState): string {
  if (fault !== null) {
    return `not following since ${new Date(fault.sinceMs).toISOString()}: ${fault.code}\n`;
  }
  return checkedAtMs === null
    ? 'following\n'
    : `following, ${new Date(checkedAtMs).toISOString()}\n`;
}

function addFollowMetrics({ metrics }: ServerContext, { followed }: HealthOptions): void {
  if (followed === undefined) return;
  metrics.gauge(
    'maru_follow_failing',
    'Set to 1 while the store of snapshots cannot be followed.',
    () => (followed().fault === null ? 0 : 1),
  );
  metrics.gauge(
    'maru_follow_checked_seconds',
    'Unix time of the last check of the store that succeeded; 0 before the first.',
    () => Math.floor((followed().checkedAtMs ?? 0) / 1000),
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
