import type { Origin } from '../../data/axis.ts';
import type { CatalogPart, CatalogSummary } from '../../data/catalog.ts';
import type { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import type { DoorOutcome } from '../runs/door-run.ts';
import type { PortalClient } from '../client/portal-client.ts';
import type { Clock } from '../client/clock.ts';
import type { PortalLimits } from '../client/limits.ts';

/** What the catalog is collected from, in the order in which it is asked. */
export const catalogParts = ['list', 'api', 'linked'] as const satisfies CatalogPart['part'][];
export type CatalogPartName = (typeof catalogParts)[number];

/** The run of a part in the job store. */
export function catalogCode(part: CatalogPartName): string {
  return `catalog_${part}`;
}

export interface CollectCatalogOptions {
  /** Asks the meta API; null without a key, which leaves that part out. */
  readonly client: PortalClient | null;
  readonly gateway: string | null;
  readonly origin: Origin;
  readonly parts?: readonly CatalogPartName[];
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<PortalLimits>;
  /** Reads the answers of the last run again and asks nobody. */
  readonly reparse?: boolean;
  /** Publishes what the checks would keep back. */
  readonly accept?: boolean;
  /** Is given the catalog to publish, instead of a snapshot of its own. */
  readonly builder?: SnapshotBuilder;
  readonly onProgress?: (progress: CatalogProgress) => void;
  readonly onPart?: (part: CollectedPart) => void;
}

export interface CatalogProgress {
  readonly part: CatalogPartName;
  readonly pages: number;
  readonly planned: number;
  readonly entries: number;
  /** Since the part was begun. */
  readonly elapsedMs: number;
}

export interface CollectedPart extends DoorOutcome {
  readonly part: CatalogPartName;
}

export interface CollectedCatalog {
  /** Null when nothing was published. */
  readonly snapshot: string | null;
  readonly summary: CatalogSummary | null;
  readonly parts: readonly CollectedPart[];
  readonly elapsedMs: number;
}
