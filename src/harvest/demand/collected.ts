import type { PortalLimits } from '../client/limits.ts';
import type { QuotaStore } from '../client/quota.ts';
import type { CollectedSource } from '../runs/outcome.ts';
import type { SessionOptions } from '../runs/session.ts';
import type { TrendGroup, TrendKeys } from './trend-client.ts';

/** Code of the ranking's runs in the job store, and the cycle of its measurement. */
export const demandRun = { code: 'demand', schedule: 'P1M' } as const;

export interface CollectDemandOptions extends Omit<SessionOptions, 'reparse'> {
  /** Null reads the responses of the last run again and fetches nothing. */
  readonly keys: TrendKeys | null;
  readonly gateway: string | null;
  readonly quota: QuotaStore;
  /** Keywords to measure; by default the keywords of the catalog. */
  readonly keywords?: readonly TrendGroup[];
  /** Anchors of the ladder, the largest first; the first has the index 100. */
  readonly anchors?: readonly string[];
  readonly random?: () => number;
  readonly limits?: Partial<PortalLimits>;
}

export interface CollectedDemand extends CollectedSource {
  /** Null when nothing was published. */
  readonly snapshot: string | null;
  readonly anchor: string | null;
  /** Number of `rows` below the resolution of the measurement. */
  readonly censored: number;
  readonly elapsedMs: number;
}
