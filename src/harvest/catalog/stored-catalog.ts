import type { CatalogEntry, CatalogSummary } from '../../data/catalog.ts';
import type { OpenedPart } from '../../data/snapshot/opened-part.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { currentId } from '../../data/snapshot/snapshots.ts';
import { readRows } from '../../data/snapshot/records.ts';

export interface StoredCatalog {
  readonly summary: CatalogSummary;
  /** Reads the entries from the snapshot at each call: they are large, and mostly the summary is enough. */
  entries(): Iterable<CatalogEntry>;
}

/** The catalog of a snapshot, by default of the served one; null if there is none. */
export function storedCatalog(data: string, id = currentId(data)): StoredCatalog | null {
  if (id === null) return null;
  using opened = OpenedSnapshot.open(data, id);
  if (opened.catalog === null) return null;
  return {
    summary: opened.catalog.summary,
    *entries() {
      using reopened = OpenedSnapshot.open(data, id);
      yield* entriesIn(reopened.catalog!.part);
    },
  };
}

/** The entries of an opened catalog, newest first. */
export function entriesIn({ records }: OpenedPart): Iterable<CatalogEntry> {
  // The files of a snapshot are trusted: every record of the catalog was written as an entry.
  return readRows(records) as unknown as Iterable<CatalogEntry>;
}
