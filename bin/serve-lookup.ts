import { axisDefinitions } from '../src/harvest/operations/definitions.ts';
import { addAgents } from '../src/agents/http.ts';
import type { StoredAxis } from '../src/data/axis.ts';
import { axisCodes, hasColumns } from '../src/data/snapshot/layout.ts';
import { currentId, readManifest } from '../src/data/snapshot/snapshots.ts';
import type { FollowState } from '../src/data/remote/follow-state.ts';
import { StoreFollower } from '../src/data/remote/store-follower.ts';
import type { ServerContext } from '../src/kernel/http/server-context.ts';
import type { Router } from '../src/kernel/http/router.ts';
import type { RunningServer, ServerOptions } from '../src/kernel/http/server.ts';
import type { Settings } from '../src/kernel/settings.ts';
import { createLookupApp } from '../src/lookup/app.ts';
import { StoreHolder } from '../src/lookup/current-store.ts';
import { SnapshotFollower } from '../src/lookup/follow.ts';
import { createHealthRouter } from '../src/lookup/health.ts';
import { knownTexts } from '../src/lookup/suggestions/known-texts.ts';
import { prepareSite } from '../src/web/prepare-site.ts';
import { createSite } from '../src/web/site.ts';
import { adminPort, type ServiceStart, type ServiceSelection } from './service-start.ts';
import { formatCount } from './terminal.ts';

/** The lookup service of a process: serves the current snapshot and follows its changes. */
export class LookupService implements AsyncDisposable {
  readonly #settings: Settings;
  readonly #holder = new StoreHolder();
  readonly #follower: SnapshotFollower;
  /** Pulls the snapshots that are served; null if this machine builds them. */
  readonly #storeFollower: StoreFollower | null;

  private constructor({ settings, log }: ServiceStart, { hasPages }: ServiceSelection) {
    this.#settings = settings;
    const prepare = hasPages ? prepareSite : knownTexts;
    const data = settings.MARU_DATA;
    this.#follower = new SnapshotFollower(data, this.#holder, log, { prepare });
    this.#storeFollower = isFollowing(settings) ? new StoreFollower({ settings, data }, log) : null;
  }

  /** Opens the service. An empty folder first gets the calendar, the region table and sample data. */
  static async open(start: ServiceStart, selection: ServiceSelection): Promise<LookupService> {
    const { MARU_DATA: data } = start.settings;
    if (isFollowing(start.settings)) {
      // Another machine builds the snapshots.
    } else if (currentId(data) === null) {
      await (await import('./first-start.ts')).fillEmptyFolder(data, start.progress);
    } else if (!hasPortalAxis(data)) {
      await (await import('./first-start.ts')).addCalendar(data, start.progress);
    } else if (!isUpgraded(data)) {
      await (await import('./first-start.ts')).upgradeSnapshot(data, start.progress);
    }
    return new LookupService(start, selection);
  }

  /** Opens the service of a process that shares a port. The process that started it prepares and follows the data. */
  static openShare(start: ServiceStart, selection: ServiceSelection): LookupService {
    const settings = { ...start.settings, MARU_SNAPSHOTS_URL: null };
    return new LookupService({ ...start, settings }, selection);
  }

  router(server: ServerContext, { hasPages, hasMembers }: ServiceSelection): Router {
    const services = hasMembers ? (['lookup', 'members'] as const) : (['lookup'] as const);
    const create = hasPages ? createSite : createLookupApp;
    const options = { holder: this.#holder, settings: this.#settings, ...this.#followed };
    const router = create({ ...options, server, services });
    addAgents(router, options);
    return router;
  }

  /** The operator's listener of a process without members: probes and metrics. */
  adminServers(server: ServerContext): readonly ServerOptions[] {
    const router = createHealthRouter(server, this.#holder, this.#followed);
    const port = adminPort(this.#settings);
    return [{ router, host: '127.0.0.1', port, portSetting: 'ADMIN_PORT' }];
  }

  greeting({ address }: Pick<RunningServer, 'address'>): readonly string[] {
    const lease = this.#holder.lease();
    const axes = [...(lease?.store.axes.values() ?? [])];
    const isSampleCatalog = lease?.store.catalog.origin === 'sample';
    lease?.release();
    const rows = axes.reduce((sum, axis) => sum + axis.rows, 0);
    return [
      '',
      `  Maru            ${address}/`,
      `  Docs            ${address}/docs`,
      `  Try             curl -L '${address}/api/data/search?q=설날'`,
      '',
      `  Serving ${formatCount(axes.length)} axes, ${formatCount(rows)} records.`,
      this.#storeFollower === null
        ? '  Your own data:  ./maru load FILE…   (CSV, XLSX, XLS, JSON, XML, ZIP; served within a second)'
        : `  Following       ${this.#settings.MARU_SNAPSHOTS_URL}`,
      ...sampleLines(axes),
      ...(isSampleCatalog ? [sampleCatalogLine] : []),
    ];
  }

  get #followed(): { readonly followed?: () => FollowState } {
    const follower = this.#storeFollower;
    return follower === null ? {} : { followed: () => follower.state };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#storeFollower?.[Symbol.asyncDispose]();
    this.#follower[Symbol.dispose]();
    await this.#holder[Symbol.asyncDispose]();
  }
}

function isFollowing({ MARU_SNAPSHOTS_URL: url }: Settings): boolean {
  return url !== null;
}

/** True if the current snapshot has an axis of the portal, from a collection or the first start. */
function hasPortalAxis(data: string): boolean {
  try {
    const stored = new Set(axisCodes(readManifest(data, currentId(data)!)));
    return axisDefinitions.some(({ code }) => stored.has(code));
  } catch {
    // The follower reports a snapshot that cannot be read.
    return true;
  }
}

/** True if the current snapshot has all files that this version writes. */
function isUpgraded(data: string): boolean {
  try {
    return hasColumns(readManifest(data, currentId(data)!));
  } catch {
    // The follower reports a snapshot that cannot be read.
    return true;
  }
}

const sampleCatalogLine =
  '  The catalog is a sample, too (meta.catalogOrigin). To collect the real one, run ./maru catalog collect; it needs no key.';

/** Lines that keep sample data from being mistaken for real data. */
function sampleLines(axes: readonly StoredAxis[]): string[] {
  const samples = axes.filter(({ axis }) => axis.origin === 'sample').length;
  if (samples === 0) return [];
  return [
    `  SAMPLE DATA: ${samples} axes are invented by the built-in sample portal (origin "sample").`,
    '  For real data set MARU_SERVICE_KEY (https://www.data.go.kr) and run ./maru collect --all',
  ];
}
