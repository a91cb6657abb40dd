import { createPortalClient } from '../../src/harvest/client/portal-client.ts';
import type { Clock } from '../../src/harvest/client/clock.ts';
import { createMemoryQuota } from '../../src/harvest/client/quota.ts';
import { collectCatalog } from '../../src/harvest/catalog/collect.ts';
import type { CollectCatalogOptions } from '../../src/harvest/catalog/collected.ts';
import { storedCatalog } from '../../src/harvest/catalog/stored-catalog.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { sampleKey } from '../../sample/keys.ts';
import { testClock } from './collecting.ts';

export interface CatalogFrom extends Partial<CollectCatalogOptions> {
  readonly gateway: string;
  readonly serviceKey?: string;
  readonly clock?: Clock;
}

/** Collects the catalog over loopback with a clock that never really waits. */
export async function catalogFrom(data: string, from: CatalogFrom) {
  const { gateway, serviceKey = sampleKey, clock = testClock(), ...options } = from;
  const limits = { callsPerSecond: 100_000 };
  const quota = createMemoryQuota();
  const shared = { gateway, clock, random: half, limits };
  const client = createPortalClient({ ...shared, serviceKey, quota, log: silentLog });
  return await collectCatalog(data, { client, ...shared, origin: 'sample', ...options });
}

const half = (): number => 0.5;

/** The served catalog as sorted lines, one an entry; equal catalogs have equal texts. */
export function catalogText(data: string): string {
  const entries = storedCatalog(data)?.entries() ?? [];
  return Array.from(entries, (entry) => JSON.stringify(entry))
    .sort()
    .join('\n');
}
