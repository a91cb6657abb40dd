import type { PortalLimits } from '../client/limits.ts';
import type { QuotaStore } from '../client/quota.ts';
import type { CollectedSource } from '../runs/outcome.ts';
import type { SessionOptions } from '../runs/session.ts';
import type { TrendGroup, TrendKeys } from './trend-client.ts';

/** The run of the ranking in the job store, and how often it is measured anew. */
export const demandRun = { code: 'demand', schedule: 'P1M' } as const;

export interface CollectDemandOptions extends Omit<SessionOptions, 'reparse'> {
  /** Null reads the responses of the last run again and fetches nothing. */
  readonly keys: TrendKeys | null;
  readonly gateway: string | null;
  readonly quota: QuotaStore;
  /** Keywords to measure; without them those of the catalog. */
  readonly keywords?: readonly TrendGroup[];
  /** The ladder, the largest first; its first has the index 100. */
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
