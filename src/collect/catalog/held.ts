import type { CatalogEntry, CatalogSummary } from '../../data/catalog.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { currentId } from '../../data/snapshot/shelf.ts';
import { rowsOf } from '../run/build-axis.ts';

export interface HeldCatalog {
  readonly summary: CatalogSummary;
  /** Its entries, read anew each time: they are large, and mostly their numbers are enough. */
  entries(isWanted?: (entry: CatalogEntry) => boolean): CatalogEntry[];
}

/** The catalog that is served; null where there is none. */
export function heldCatalog(data: string): HeldCatalog | null {
  const id = currentId(data);
  if (id === null) return null;
  using opened = OpenedSnapshot.open(data, id);
  if (opened.catalog === null) return null;
  return {
    summary: opened.catalog.summary,
    entries(isWanted = () => true) {
      using again = OpenedSnapshot.open(data, id);
      const entries: CatalogEntry[] = [];
      for (const row of rowsOf(again.catalog!.part.records)) {
        // What a snapshot holds is trusted: every record of the catalog was written as an entry.
        const entry = row as unknown as CatalogEntry;
        if (isWanted(entry)) entries.push(entry);
      }
      return entries;
    },
  };
}
