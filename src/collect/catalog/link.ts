import type { HeldAxis } from '../../data/axis.ts';
import { isDataOf, type CatalogEntry } from '../../data/catalog.ts';

/** Which held axes are data of which dataset, by the dataset's id; codes in order, ids without axes absent. */
export function linkCatalog(
  entries: Iterable<Pick<CatalogEntry, 'id' | 'portalId' | 'type'>>,
  axes: Iterable<HeldAxis>,
): Map<string, string[]> {
  const byNumber = Map.groupBy(axes, ({ axis }) => axis.portalId);
  const links = new Map<string, string[]>();
  for (const { id, portalId, type } of entries) {
    const codes = (byNumber.get(portalId) ?? [])
      .filter((held) => isDataOf(held, portalId, type))
      .map(({ axis }) => axis.code);
    if (codes.length > 0) links.set(id, codes.sort());
  }
  return links;
}
