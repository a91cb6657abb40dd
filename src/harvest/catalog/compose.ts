import type { Origin } from '../../data/axis.ts';
import type { CatalogEntry, CatalogPart, CatalogSummary } from '../../data/catalog.ts';
import { catalogParts, type CatalogPartName } from './collected.ts';
import type { EntryTable } from '../../ingest/catalog/entry-table.ts';
import type { StoredCatalog } from './stored-catalog.ts';
import { mergeEntries } from './merge.ts';
import { catalogSummary } from '../../ingest/catalog/summary.ts';

/** Entries of one collected part of the catalog. */
export interface PartEntries {
  readonly part: CatalogPartName;
  /** ISO 8601 date-time. */
  readonly collectedAt: string;
  readonly entries: EntryTable;
  /** Ids of datasets that were removed; only the meta API has them. */
  readonly deleted: ReadonlySet<string>;
  /** Name of the list file, which has its date; empty for the other parts. */
  readonly name: string;
}

type CollectedParts = ReadonlyMap<CatalogPartName, PartEntries>;

/**
 * Merges the list, newer entries of the meta API and the LINKED entries into an empty table, and returns the summary. A
 * part that was not collected keeps its previous entries; a failed part is marked as `kept`.
 */
export function composeCatalog(
  table: EntryTable,
  collected: CollectedParts,
  previous: StoredCatalog | null,
  failed: ReadonlySet<CatalogPartName>,
  origin: Origin,
): CatalogSummary {
  putEntries(table, collected, previous);
  const list = collected.get('list');
  const summary = catalogSummary(table.counts(), list?.name ?? '');
  const previousDate = list === undefined ? previous?.summary.date : undefined;
  const parts = catalogParts.flatMap((part): CatalogPart[] => {
    const { collectedAt, entries } = collected.get(part) ?? {};
    if (collectedAt !== undefined && entries !== undefined) {
      return [{ part, entries: entries.counts().total, collectedAt, kept: false }];
    }
    const previousPart = previous?.summary.parts?.find((each) => each.part === part);
    return previousPart === undefined
      ? []
      : [{ ...previousPart, kept: previousPart.kept || failed.has(part) }];
  });
  return { ...summary, date: previousDate ?? summary.date, origin, parts };
}

function putEntries(
  table: EntryTable,
  collected: CollectedParts,
  previous: StoredCatalog | null,
): void {
  const list = collected.get('list');
  const api = collected.get('api');
  const previousEntries = (): Iterable<CatalogEntry> => previous?.entries() ?? [];
  for (const entry of list?.entries ?? previousEntries()) if (isListed(entry)) table.put(entry);
  mergeEntries(table, api?.entries ?? entriesNewerThan(list, previous));
  for (const id of api?.deleted ?? []) table.remove(id);
  const linked = collected.get('linked')?.entries ?? previousEntries();
  for (const entry of linked) if (!isListed(entry)) table.put(entry);
}

/** The previous entries of the meta API that are newer than the list. */
function* entriesNewerThan(list: PartEntries | undefined, previous: StoredCatalog | null) {
  const hasApi = previous?.summary.parts?.some(({ part }) => part === 'api') ?? false;
  if (list === undefined || previous === null || !hasApi) return;
  const { date } = catalogSummary(list.entries.counts(), list.name);
  for (const entry of previous.entries()) {
    if (isListed(entry) && (entry.modified ?? '') > (date ?? '')) yield entry;
  }
}

/** True for a type that the list file and the meta API have. */
function isListed({ type }: CatalogEntry): boolean {
  return type !== 'LINKED';
}
