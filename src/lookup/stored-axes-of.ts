import type { CatalogType, StoredAxis } from '../data/axis.ts';
import { servesDataset } from '../data/catalog.ts';
import { perStore } from './per-store.ts';
import type { LookupStore } from './store/store.ts';

/** Stored axes whose data is that of a catalog entry. */
export function storedAxesOf(
  { portalId, type }: { readonly portalId: string; readonly type: CatalogType },
  store: LookupStore,
): StoredAxis[] {
  const axes = axesByNumber(store).get(portalId) ?? [];
  return axes.filter((stored) => servesDataset(stored, portalId, type));
}

const axesByNumber = perStore((store): ReadonlyMap<string | null, StoredAxis[]> =>
  Map.groupBy(store.axes.values(), ({ axis }) => axis.portalId),
);
