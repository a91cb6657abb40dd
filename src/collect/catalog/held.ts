import type { CatalogEntry, CatalogSummary } from '../../data/catalog.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { currentId } from '../../data/snapshot/shelf.ts';
import { rowsOf } from '../run/build-axis.ts';

export interface HeldCatalog {
  readonly summary: CatalogSummary;
  readonly entries: readonly CatalogEntry[];
}

/** The catalog that is served, whole; null where there is none. */
export function heldCatalog(data: string): HeldCatalog | null {
  const id = currentId(data);
  if (id === null) return null;
  using opened = OpenedSnapshot.open(data, id);
  if (opened.catalog === null) return null;
  const { summary, part } = opened.catalog;
  // What a snapshot holds is trusted: every record of the catalog was written as an entry.
  const entries = Array.from(rowsOf(part.records)) as unknown as CatalogEntry[];
  return { summary, entries };
}
