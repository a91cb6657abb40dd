import type { SnapshotBuilder } from '../data/snapshot/builder.ts';
import { axisDefinitions } from './operations/definitions.ts';
import { collectCatalog } from './catalog/collect.ts';
import { entriesIn } from './catalog/held.ts';
import { collectDemand } from './demand/collect.ts';
import { usualKeywords } from './demand/keywords.ts';
import type { TrendGroup, TrendKeys } from './demand/trend-client.ts';
import type { PortalClient } from './client/portal-client.ts';
import type { Clock } from './client/clock.ts';
import type { PortalLimits } from './client/limits.ts';
import { createMemoryQuota } from './client/quota.ts';

/** How the sample portal's catalog and search demand are reached. */
export interface SampleDoors {
  readonly client: PortalClient;
  readonly gateway: string;
  readonly keys: TrendKeys;
  readonly limits: Partial<PortalLimits>;
}

/** Puts the sample portal's catalog, and the demand for what it lists, into the first snapshot. */
export async function holdSampleDoors(
  data: string,
  builder: SnapshotBuilder,
  sample: { readonly clock?: Clock; readonly signal?: AbortSignal },
  { client, gateway, keys, limits }: SampleDoors,
): Promise<void> {
  const { clock, signal } = sample;
  const shared = {
    gateway,
    limits,
    builder,
    origin: 'sample',
    ...(clock === undefined ? {} : { clock }),
    ...(signal === undefined ? {} : { signal }),
  } as const;
  await collectCatalog(data, { ...shared, client });
  const keywords = keywordsIn(builder);
  await collectDemand(data, { ...shared, keys, quota: createMemoryQuota(), keywords });
}

/** Those of the datasets that the first snapshot will hold. */
function keywordsIn(builder: SnapshotBuilder): TrendGroup[] {
  using preview = builder.preview();
  if (preview.catalog === null) return [];
  const numbers = new Set(axisDefinitions.map(({ portalId }) => portalId));
  return usualKeywords(entriesIn(preview.catalog.part), numbers);
}
