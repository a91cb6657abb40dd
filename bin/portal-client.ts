import { startSamplePortal, type SamplePortal } from '../sample/portal.ts';
import { sampleKey } from '../sample/keys.ts';
import { createPortalClient, type PortalClient } from '../src/harvest/client/portal-client.ts';
import { createMemoryQuota, type QuotaStore } from '../src/harvest/client/quota.ts';
import { readServiceKey } from '../src/harvest/client/service-key.ts';
import { createPortalSite, type PortalSite } from '../src/harvest/datasets/portal-site.ts';
import type { Origin } from '../src/data/axis.ts';
import { createLog, silentLog } from '../src/kernel/log.ts';
import { SettingsError, type Settings } from '../src/kernel/settings.ts';

/** A way to the portal, or to the sample portal, which runs in this process until it is disposed of. */
export interface PortalAccess extends AsyncDisposable {
  readonly client: PortalClient;
  readonly origin: Origin;
  readonly quota: QuotaStore;
  /** Pages and files, which need no key. */
  readonly site: PortalSite;
  readonly hasKey: boolean;
}

/** The real portal. Throws `SettingsError` without a key, where one is needed: files need none. */
export function openPortal(settings: Settings, quota: QuotaStore, needsKey = true): PortalAccess {
  const { MARU_SERVICE_KEY: serviceKey, MARU_PORTAL_GATEWAY: gateway, MARU_LOG: level } = settings;
  if (serviceKey === null && needsKey) {
    throw new SettingsError([
      'MARU_SERVICE_KEY is not set: sign up at https://www.data.go.kr, apply for a dataset (활용신청, ' +
        'mostly approved at once) and take the key from 마이페이지; or try --sample without one.',
    ]);
  }
  // Standard output belongs to the report.
  const log = createLog({ level, write: (text) => void process.stderr.write(text) });
  // Whoever asks with the sample portal’s key asks a sample portal, and need not spare it.
  const isSample = isSampleKey(serviceKey);
  const limits = isSample && gateway !== null ? { callsPerSecond: samplePace } : {};
  const client = createPortalClient({ serviceKey, gateway, quota, log, limits });
  const origin = isSample ? 'sample' : 'portal';
  const hasKey = serviceKey !== null;
  const site = createPortalSite({ gateway, limits });
  return { client, origin, quota, site, hasKey, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** Whether a key is the sample portal’s, in either of its spellings: what it brings must say so. */
export function isSampleKey(serviceKey: string | null): boolean {
  return serviceKey !== null && readServiceKey(serviceKey).plain === sampleKey;
}

/** A sample portal of our own, as fast as the machine. */
export async function openSamplePortal(): Promise<PortalAccess> {
  const portal: SamplePortal = await startSamplePortal();
  const quota = createMemoryQuota();
  const client = createPortalClient({
    serviceKey: sampleKey,
    gateway: portal.url,
    quota,
    log: silentLog,
    limits: { callsPerSecond: samplePace },
  });
  return {
    client,
    origin: 'sample',
    quota,
    site: createPortalSite({ gateway: portal.url, limits: { callsPerSecond: samplePace } }),
    hasKey: true,
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
  };
}

const samplePace = 100_000;
