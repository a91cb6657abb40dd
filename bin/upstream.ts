import { sampleDemandKeys, sampleKey } from '../sample/keys.ts';
import type { Origin } from '../src/data/axis.ts';
import type { PortalLimits } from '../src/harvest/client/limits.ts';
import { createPortalClient, type PortalClient } from '../src/harvest/client/portal-client.ts';
import { createMemoryQuota, type QuotaStore } from '../src/harvest/client/quota.ts';
import { readServiceKey } from '../src/harvest/client/service-key.ts';
import { createPortalSite, type PortalSite } from '../src/harvest/datasets/portal-site.ts';
import type { TrendKeys } from '../src/harvest/demand/trend-client.ts';
import { createLog, silentLog, type Log } from '../src/kernel/log.ts';
import { SettingsError, type Settings } from '../src/kernel/settings.ts';

/** The portal and the search trend service, or a sample portal in this process, which disposal ends. */
export interface Upstream extends AsyncDisposable {
  readonly client: PortalClient;
  /** Pages and files of the portal, which need no key. */
  readonly site: PortalSite;
  readonly hasKey: boolean;
  readonly origin: Origin;
  /** Null without both keys of the search trend service. */
  readonly trendKeys: TrendKeys | null;
  readonly trendOrigin: Origin;
  readonly gateway: string | null;
  readonly limits: Partial<PortalLimits>;
  readonly quota: QuotaStore;
}

/** The real portal, or the one behind the gateway of the settings. `overrides` replace the client's default limits. */
export function openUpstream(
  settings: Settings,
  quota: QuotaStore,
  overrides: Partial<PortalLimits> = {},
): Upstream {
  const { MARU_SERVICE_KEY: serviceKey, MARU_PORTAL_GATEWAY: gateway, MARU_LOG: level } = settings;
  const { MARU_NAVER_ID: id, MARU_NAVER_SECRET: secret, MARU_NAVER_DOOR: service } = settings;
  const isSample = serviceKey !== null && readServiceKey(serviceKey).plain === sampleKey;
  // Requests to the sample portal need no pacing.
  const limits = { ...overrides, ...(isSample && gateway !== null ? sampleLimits : {}) };
  return {
    ...clientsOf({
      serviceKey,
      gateway,
      quota,
      limits,
      // Standard output is for the report.
      log: createLog({ level, write: (text) => void process.stderr.write(text) }),
    }),
    hasKey: serviceKey !== null,
    origin: isSample ? 'sample' : 'portal',
    trendKeys: id === null || secret === null ? null : { service, id, secret },
    trendOrigin: id === sampleDemandKeys.id ? 'sample' : 'portal',
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Starts a sample portal, to which requests are not paced. */
export async function openSampleUpstream(
  overrides: Partial<PortalLimits> = {},
): Promise<Upstream & { readonly trendKeys: TrendKeys }> {
  const { startSamplePortal } = await import('../sample/portal.ts');
  const portal = await startSamplePortal();
  return {
    ...clientsOf({
      serviceKey: sampleKey,
      gateway: portal.url,
      quota: createMemoryQuota(),
      limits: { ...overrides, ...sampleLimits },
      log: silentLog,
    }),
    hasKey: true,
    origin: 'sample',
    trendKeys: { service: 'hub', ...sampleDemandKeys },
    trendOrigin: 'sample',
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
  };
}

/** Throws `SettingsError` without the service key. */
export function requireServiceKey({ hasKey }: Upstream): void {
  if (hasKey) return;
  throw new SettingsError([
    'MARU_SERVICE_KEY is not set: sign up at https://www.data.go.kr, apply for a dataset (활용신청, ' +
      'mostly approved at once) and set the key from 마이페이지; or try --sample without a key.',
  ]);
}

/** Throws `SettingsError` without both keys of the search trend service. */
export function requireTrendKeys({ trendKeys }: Upstream, { MARU_NAVER_ID: id }: Settings) {
  if (trendKeys !== null) return trendKeys;
  throw new SettingsError([
    `${id === null ? 'MARU_NAVER_ID' : 'MARU_NAVER_SECRET'} is not set: register an application with ` +
      'search trend (검색어트렌드) at API HUB of https://www.ncloud.com and set its two keys; or try ' +
      '--sample without keys.',
  ]);
}

interface ClientSettings {
  readonly serviceKey: string | null;
  readonly gateway: string | null;
  readonly quota: QuotaStore;
  readonly limits: Partial<PortalLimits>;
  readonly log: Log;
}

function clientsOf(settings: ClientSettings) {
  const { gateway, limits, quota, log } = settings;
  const client = createPortalClient(settings);
  return { client, site: createPortalSite({ gateway, limits, log }), gateway, limits, quota };
}

/** The sample portal runs on this machine and recovers at once. */
const sampleLimits = { callsPerSecond: 100_000, backoffMs: 1 };
