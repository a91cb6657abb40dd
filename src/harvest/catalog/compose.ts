import type { Origin } from '../../data/axis.ts';
import type { CatalogEntry, CatalogPart, CatalogSummary } from '../../data/catalog.ts';
import { catalogParts, type CatalogPartName } from './collected.ts';
import type { EntryTable } from '../../ingest/catalog/entry-table.ts';
import type { HeldCatalog } from './held.ts';
import { mergeEntries } from './merge.ts';
import { tallied } from '../../ingest/catalog/tally.ts';

/** A part that was read and passed its checks. */
export interface PartRead {
  /** ISO 8601 date-time. */
  readonly collectedAt: string;
  readonly entries: EntryTable;
  /** Ids that are no dataset any more; only the meta API tells. */
  readonly deleted: ReadonlySet<string>;
  /** Of the file, which carries its date; empty for the other parts. */
  readonly name: string;
}

export type PartsRead = ReadonlyMap<CatalogPartName, PartRead>;

/**
 * Makes one catalog of what was read, in an empty table, and sums it up: the list, what the meta API has that is newer, and
 * LINKED; in the place of each that was not read the last good entries, marked where its collection failed.
 */
export function composeCatalog(
  into: EntryTable,
  read: PartsRead,
  before: HeldCatalog | null,
  failed: ReadonlySet<CatalogPartName>,
  origin: Origin,
): CatalogSummary {
  fill(into, read, before);
  const list = read.get('list');
  const counted = tallied(into.counts(), list?.name ?? '');
  const keptDate = list === undefined ? before?.summary.date : undefined;
  const parts = catalogParts.flatMap((part): CatalogPart[] => {
    const { collectedAt, entries: own } = read.get(part) ?? {};
    if (collectedAt !== undefined && own !== undefined) {
      return [{ part, entries: own.counts().total, collectedAt, kept: false }];
    }
    const known = before?.summary.parts?.find((each) => each.part === part);
    return known === undefined ? [] : [{ ...known, kept: known.kept || failed.has(part) }];
  });
  return { ...counted, date: keptDate ?? counted.date, origin, parts };
}

function fill(into: EntryTable, read: PartsRead, before: HeldCatalog | null): void {
  const list = read.get('list');
  const api = read.get('api');
  const held = (): Iterable<CatalogEntry> => before?.entries() ?? [];
  for (const entry of list?.entries ?? held()) if (isListed(entry)) into.put(entry);
  mergeEntries(into, api?.entries ?? newerThan(list, before));
  for (const id of api?.deleted ?? []) into.remove(id);
  const linked = read.get('linked')?.entries ?? held();
  for (const entry of linked) if (!isListed(entry)) into.put(entry);
}

/** What the API told of the time after the list stays until the API answers again. */
function* newerThan(list: PartRead | undefined, before: HeldCatalog | null) {
  const hadApi = before?.summary.parts?.some(({ part }) => part === 'api') ?? false;
  if (list === undefined || before === null || !hadApi) return;
  const { date } = tallied(list.entries.counts(), list.name);
  for (const entry of before.entries()) {
    if (isListed(entry) && (entry.modified ?? '') > (date ?? '')) yield entry;
  }
}

/** Whether the list file and the meta API answer for an entry. */
function isListed({ type }: CatalogEntry): boolean {
  return type !== 'LINKED';
}
