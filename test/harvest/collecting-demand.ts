import type { Clock } from '../../src/harvest/client/clock.ts';
import { createMemoryQuota } from '../../src/harvest/client/quota.ts';
import { collectDemand } from '../../src/harvest/demand/collect.ts';
import type { CollectDemandOptions } from '../../src/harvest/demand/collected.ts';
import type { TrendService } from '../../src/harvest/demand/trend-client.ts';
import { OpenedSnapshot } from '../../src/data/snapshot/opened.ts';
import { currentId } from '../../src/data/snapshot/snapshots.ts';
import { sampleDemandKeys } from '../../sample/keys.ts';
import { testClock } from './collecting.ts';

export interface DemandFrom extends Omit<Partial<CollectDemandOptions>, 'keywords'> {
  readonly gateway: string;
  readonly words?: readonly string[];
  readonly service?: TrendService;
  readonly clock?: Clock;
}

/** Measures demand over loopback with a clock that never really waits. */
export async function demandFrom(data: string, from: DemandFrom) {
  const { gateway, words, service = 'hub', clock = testClock(), ...options } = from;
  return await collectDemand(data, {
    keys: { service, ...sampleDemandKeys },
    quota: createMemoryQuota(),
    gateway,
    clock,
    random: half,
    limits: { callsPerSecond: 100_000 },
    origin: 'sample',
    ...(words === undefined ? {} : { keywords: words.map((word) => groupOf(word)) }),
    ...options,
  });
}

/** The served ranking; null if none is served. */
export function servedRanking(data: string) {
  const id = currentId(data);
  if (id === null) return null;
  using opened = OpenedSnapshot.open(data, id);
  return opened.demand;
}

function groupOf(word: string) {
  return { groupName: word, keywords: [word] };
}

function half(): number {
  return 0.5;
}
