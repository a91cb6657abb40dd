import packageFile from '../../package.json' with { type: 'json' };
import { exportContract } from '../contract/export-routes.ts';
import { lookupContract } from '../contract/lookup.ts';
import type { DescribedService } from '../contract/openapi.ts';
import type { FollowState } from '../data/remote/follow-state.ts';
import { parameterText } from '../data/korean/normalise.ts';
import type { ServerContext } from '../kernel/http/server-context.ts';
import { openPolicy } from '../kernel/http/response-policy.ts';
import { Router, type ResourcePolicy } from '../kernel/http/router.ts';
import type { Settings } from '../kernel/settings.ts';
import { axes } from './endpoints/axes.ts';
import { catalog } from './endpoints/catalog.ts';
import { changes } from './endpoints/changes.ts';
import type { StoreHolder, StoreLease } from './current-store.ts';
import { demand } from './endpoints/demand.ts';
import { addDescription } from './description.ts';
import { exportAxis } from './endpoints/export.ts';
import { exportSearch } from './endpoints/export-search.ts';
import { fields } from './endpoints/fields.ts';
import { todayInSeoul } from '../data/freshness.ts';
import { groups } from './endpoints/groups.ts';
import { addHealth } from './health.ts';
import { noSnapshot, notPulled } from './no-snapshot.ts';
import { perStore } from './per-store.ts';
import { readSnapshotId, snapshotGone } from './pinned-snapshot.ts';
import { record } from './endpoints/record.ts';
import { region } from './endpoints/region.ts';
import { rows } from './endpoints/rows.ts';
import { search } from './endpoints/search.ts';
import { statsAnswer } from './endpoints/stats.ts';
import { suggestions } from './endpoints/suggest.ts';
import { values } from './endpoints/values.ts';
import { Revalidations } from './revalidations.ts';
import { serveLookup, type DataSource, type DataLease } from './serve.ts';
import type { LookupStore } from './store/store.ts';

export interface LookupAppOptions {
  readonly server: ServerContext;
  readonly holder: StoreHolder;
  readonly settings: Pick<Settings, 'MARU_BASE_URL'>;
  /** Services at the same address, for the API description; lookup alone when absent. */
  readonly services?: readonly DescribedService[];
  /** The current day, which decides freshness; by default the current day in Seoul. */
  readonly today?: () => string;
  /** State of following a store of snapshots; absent if this machine builds them. */
  readonly followed?: () => FollowState;
  /** Policy of all routes and of unknown paths; by default the policy of public data. */
  readonly policy?: ResourcePolicy;
}

/** The read-only lookup service: every route of the contract, its description and its health. */
export function createLookupApp(options: LookupAppOptions): Router {
  const { holder, server, today = todayInSeoul, policy = openPolicy } = options;
  const router = new Router(server, policy);
  const source: DataSource<LookupStore> = {
    lease: (snapshot) => leaseData(options, snapshot),
    revalidations: new Revalidations(() => holder.version),
    normalise: parameterText,
    today,
  };
  serveLookup(router, source, lookupContract, {
    axes: (params) => axes(params, today()),
    rows,
    fields,
    values,
    groups,
    record,
    changes,
    search,
    suggest: suggestions,
    catalog,
    region,
    demand,
    stats: () => (request) => statsAnswer(request, today()),
  });
  const baseUrl = options.settings.MARU_BASE_URL?.replace(/\/$/, '') ?? null;
  serveLookup(router, source, exportContract, {
    export: exportAxis,
    searchExport: exportSearch(baseUrl),
  });
  addDescription(router, options);
  addHealth(router, holder, options);
  return router;
}

/** Leases the current data, or those of the snapshot that a request names. */
async function leaseData(
  options: LookupAppOptions,
  snapshot: string | null,
): Promise<DataLease<LookupStore>> {
  const lease =
    snapshot === null
      ? options.holder.lease()
      : await leaseSnapshot(options, readSnapshotId(snapshot));
  if (lease === null) throw noSnapshot();
  return { data: lease.store, ...versionParts(lease.store), release: lease.release };
}

async function leaseSnapshot(
  { holder, followed }: LookupAppOptions,
  id: string,
): Promise<StoreLease | null> {
  const lease = await holder.leaseSnapshot(id);
  if (lease !== null) return lease;
  const current = holder.lease();
  if (current === null) return null;
  const stored = current.store.snapshotIds();
  const isLater = id > current.store.snapshot.id;
  current.release();
  // Another follower of the store may have named it.
  if (isLater && followed !== undefined) throw notPulled(id);
  throw snapshotGone('snapshot', id, stored);
}

/** The version includes the program's: another release may write the same data differently. */
const versionParts = perStore(({ snapshot }) => ({
  snapshot: snapshot.id,
  version: `${snapshot.id} ${snapshot.builtAt} ${packageFile.version}`,
  lastModified: new Date(snapshot.builtAt).toUTCString(),
}));
