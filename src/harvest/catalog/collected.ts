import type { CatalogPart, CatalogSummary } from '../../data/catalog.ts';
import type { PortalLimits } from '../client/limits.ts';
import type { PortalClient } from '../client/portal-client.ts';
import type { CollectedSource } from '../runs/outcome.ts';
import type { SessionOptions } from '../runs/session.ts';

/** The sources of the catalog, in the order of their collection. */
export const catalogParts = ['list', 'api', 'linked'] as const satisfies CatalogPart['part'][];
export type CatalogPartName = (typeof catalogParts)[number];

/** The code of a part's runs in the job store. */
export function catalogCode(part: CatalogPartName): string {
  return `catalog_${part}`;
}

export interface CollectCatalogOptions extends SessionOptions {
  /** Client of the meta API; null without a key, so that the part is skipped. */
  readonly client: PortalClient | null;
  readonly gateway: string | null;
  readonly parts?: readonly CatalogPartName[];
  readonly random?: () => number;
  readonly limits?: Partial<PortalLimits>;
}

export interface CollectedCatalog {
  /** Null when nothing was published. */
  readonly snapshot: string | null;
  readonly summary: CatalogSummary | null;
  readonly parts: readonly (CollectedSource & { readonly part: CatalogPartName })[];
  readonly elapsedMs: number;
}
