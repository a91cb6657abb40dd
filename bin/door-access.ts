import { sampleDemandKeys } from '../sample/hosts/demand.ts';
import { sampleKey } from '../sample/keys.ts';
import { startSamplePortal } from '../sample/portal.ts';
import type { TrendKeys } from '../src/harvest/demand/trend-client.ts';
import { createPortalClient, type PortalClient } from '../src/harvest/client/portal-client.ts';
import { createMemoryQuota, type QuotaStore } from '../src/harvest/client/quota.ts';
import type { Origin } from '../src/data/axis.ts';
import { createLog, silentLog } from '../src/kernel/log.ts';
import { SettingsError, type Settings } from '../src/kernel/settings.ts';
import { isSampleKey } from './portal-client.ts';

/** A way to the doors that are no operation of the portal, or to those of a sample portal in this process. */
export interface DoorAccess extends AsyncDisposable {
  readonly gateway: string | null;
  readonly origin: Origin;
  readonly quota: QuotaStore;
  readonly limits: { readonly callsPerSecond?: number };
}

/** The catalog's doors; without MARU_SERVICE_KEY all but the meta API. */
export function openCatalogDoors(
  settings: Settings,
  quota: QuotaStore,
): DoorAccess & { readonly client: PortalClient | null } {
  const { MARU_SERVICE_KEY: serviceKey, MARU_PORTAL_GATEWAY: gateway, MARU_LOG: level } = settings;
  // Standard output belongs to the report.
  const log = createLog({ level, write: (text) => void process.stderr.write(text) });
  const client =
    serviceKey === null ? null : createPortalClient({ serviceKey, gateway, quota, log });
  // Whoever asks with the sample portal’s key asks a sample portal.
  const origin = isSampleKey(serviceKey) ? 'sample' : 'portal';
  return { client, gateway, origin, quota, limits: {}, [Symbol.asyncDispose]: closed };
}

/** The search trend service. Throws `SettingsError` without its keys. */
export function openTrend(
  settings: Settings,
  quota: QuotaStore,
): DoorAccess & { readonly keys: TrendKeys } {
  const { MARU_NAVER_ID: id, MARU_NAVER_SECRET: secret, MARU_NAVER_DOOR: service } = settings;
  if (id === null || secret === null) {
    throw new SettingsError([
      `${id === null ? 'MARU_NAVER_ID' : 'MARU_NAVER_SECRET'} is not set: make an application with search ` +
        'trend (검색어트렌드) at API HUB of https://www.ncloud.com and take its two keys; or try --sample ' +
        'without any.',
    ]);
  }
  const origin = id === sampleDemandKeys.id ? 'sample' : 'portal';
  const gateway = settings.MARU_PORTAL_GATEWAY;
  const keys = { service, id, secret };
  return { keys, gateway, origin, quota, limits: {}, [Symbol.asyncDispose]: closed };
}

/** The doors of a sample portal of our own, as fast as the machine. */
export async function openSampleDoors(): Promise<
  DoorAccess & { readonly gateway: string; readonly client: PortalClient; readonly keys: TrendKeys }
> {
  const portal = await startSamplePortal();
  const gateway = portal.url;
  const quota = createMemoryQuota();
  const limits = { callsPerSecond: 100_000 };
  const log = silentLog;
  return {
    client: createPortalClient({ serviceKey: sampleKey, gateway, quota, log, limits }),
    keys: { service: 'hub', ...sampleDemandKeys },
    gateway,
    origin: 'sample',
    quota,
    limits,
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
  };
}

function closed(): Promise<void> {
  return Promise.resolve();
}
