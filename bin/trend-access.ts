import { sampleDemandKeys } from '../sample/doors/demand.ts';
import { startSamplePortal } from '../sample/portal.ts';
import type { SampleDoors } from '../src/collect/first-doors.ts';
import type { TrendKeys } from '../src/collect/demand/trend-client.ts';
import { createMemoryQuota, type QuotaStore } from '../src/collect/portal/quota.ts';
import type { Origin } from '../src/data/axis.ts';
import { SettingsError, type Settings } from '../src/kernel/settings.ts';
import { samplePace } from './portal-client.ts';

/** A way to the search trend service, or to the sample's, which runs in this process until it is disposed of. */
export interface TrendAccess extends AsyncDisposable {
  readonly keys: TrendKeys;
  readonly gateway: string | null;
  readonly quota: QuotaStore;
  readonly origin: Origin;
  readonly limits: { readonly callsPerSecond?: number };
}

/** The real service. Throws `SettingsError` without its keys. */
export function openTrend(settings: Settings, quota: QuotaStore): TrendAccess {
  const { MARU_NAVER_ID: id, MARU_NAVER_SECRET: secret, MARU_NAVER_DOOR: door } = settings;
  if (id === null || secret === null) {
    throw new SettingsError([
      `${id === null ? 'MARU_NAVER_ID' : 'MARU_NAVER_SECRET'} is not set: make an application with search ` +
        'trend (검색어트렌드) at API HUB of https://www.ncloud.com and take its two keys; or try --sample ' +
        'without any.',
    ]);
  }
  // Whoever asks with the sample’s keys asks a sample portal.
  const origin = id === sampleDemandKeys.id ? 'sample' : 'portal';
  const gateway = settings.MARU_PORTAL_GATEWAY;
  return {
    keys: { door, id, secret },
    gateway,
    quota,
    origin,
    limits: {},
    [Symbol.asyncDispose]: closed,
  };
}

/** The doors of a sample portal that runs already, for the first start. */
export function sampleDoors(gateway: string): SampleDoors {
  const keys = { door: 'hub', ...sampleDemandKeys } as const;
  return { gateway, keys, limits: { callsPerSecond: samplePace } };
}

/** A sample portal of our own, as fast as the machine. */
export async function openSampleTrend(): Promise<TrendAccess> {
  const portal = await startSamplePortal();
  return {
    keys: { door: 'hub', ...sampleDemandKeys },
    gateway: portal.url,
    quota: createMemoryQuota(),
    origin: 'sample',
    limits: { callsPerSecond: samplePace },
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
  };
}

function closed(): Promise<void> {
  return Promise.resolve();
}
