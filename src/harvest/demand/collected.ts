import type { Origin } from '../../data/axis.ts';
import type { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import type { DoorOutcome } from '../runs/door-run.ts';
import type { Clock } from '../client/clock.ts';
import type { PortalLimits } from '../client/limits.ts';
import type { QuotaStore } from '../client/quota.ts';
import type { TrendGroup, TrendKeys } from './trend-client.ts';

/** The run of the ranking in the job store, and how often it is measured anew. */
export const demandRun = { code: 'demand', schedule: 'P1M' } as const;

export interface CollectDemandOptions {
  /** Null reads the answers of the last run again and asks nobody. */
  readonly keys: TrendKeys | null;
  readonly gateway: string | null;
  readonly quota: QuotaStore;
  readonly origin: Origin;
  /** What is measured; what is held says it where absent. */
  readonly keywords?: readonly TrendGroup[];
  /** The ladder, the largest first; its first has the index 100. */
  readonly anchors?: readonly string[];
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<PortalLimits>;
  /** Publishes what the checks would keep back. */
  readonly accept?: boolean;
  /** Is given the ranking to publish, instead of a snapshot of its own. */
  readonly builder?: SnapshotBuilder;
  readonly onProgress?: (progress: DemandProgress) => void;
}

export interface DemandProgress {
  readonly calls: number;
  readonly planned: number;
  readonly elapsedMs: number;
}

export interface CollectedDemand extends DoorOutcome {
  /** Null when nothing was published. */
  readonly snapshot: string | null;
  readonly anchor: string | null;
  /** Of `entries`, those below the resolution of the measurement. */
  readonly censored: number;
  readonly elapsedMs: number;
}
