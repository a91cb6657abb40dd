import type { Origin } from '../../data/axis.ts';
import type { CatalogEntry, CatalogPart, CatalogSummary } from '../../data/catalog.ts';
import { catalogParts, type CatalogPartName } from './collected.ts';
import type { HeldCatalog } from './held.ts';
import { mergeEntries } from './merge.ts';
import { tallied } from './tally.ts';

/** A part that was read and passed its checks. */
export interface PartRead {
  /** ISO 8601 date-time. */
  readonly collectedAt: string;
  readonly entries: readonly CatalogEntry[];
  /** Ids that are no dataset any more; only the meta API tells. */
  readonly deleted: ReadonlySet<string>;
  /** Of the file, which carries its date; empty for the other parts. */
  readonly name: string;
}

export type PartsRead = ReadonlyMap<CatalogPartName, PartRead>;

/**
 * One catalog of what was read: the list, what the meta API has that is newer, and LINKED; in the place of
 * each that was not read the last good entries, marked where its collection failed.
 */
export function composeCatalog(
  read: PartsRead,
  before: HeldCatalog | null,
  failed: ReadonlySet<CatalogPartName>,
  origin: Origin,
): { readonly entries: readonly CatalogEntry[]; readonly summary: CatalogSummary } {
  const entries = composedEntries(read, before);
  const list = read.get('list');
  const counted = tallied(entries, list?.name ?? '');
  const keptDate = list === undefined ? before?.summary.date : undefined;
  const parts = catalogParts.flatMap((part): CatalogPart[] => {
    const { collectedAt, entries: own } = read.get(part) ?? {};
    if (collectedAt !== undefined && own !== undefined) {
      return [{ part, entries: own.length, collectedAt, kept: false }];
    }
    const known = before?.summary.parts?.find((each) => each.part === part);
    return known === undefined ? [] : [{ ...known, kept: known.kept || failed.has(part) }];
  });
  return { entries, summary: { ...counted, date: keptDate ?? counted.date, origin, parts } };
}

function composedEntries(read: PartsRead, before: HeldCatalog | null): CatalogEntry[] {
  const list = read.get('list');
  const api = read.get('api');
  const listed = list?.entries.filter(isListed) ?? before?.entries(isListed) ?? [];
  const newer = api?.entries ?? newerThan(list, before);
  const linked = read.get('linked')?.entries ?? before?.entries((entry) => !isListed(entry)) ?? [];
  const merged = mergeEntries(listed, newer);
  return [...merged.filter(({ id }) => api?.deleted.has(id) !== true), ...linked];
}

/** What the API told of the time after the list stays until the API answers again. */
function newerThan(
  list: PartRead | undefined,
  before: HeldCatalog | null,
): readonly CatalogEntry[] {
  const hadApi = before?.summary.parts?.some(({ part }) => part === 'api') ?? false;
  if (list === undefined || !hadApi) return [];
  const { date } = tallied(list.entries, list.name);
  const isNewer = (entry: CatalogEntry): boolean =>
    isListed(entry) && (entry.modified ?? '') > (date ?? '');
  return before?.entries(isNewer) ?? [];
}

/** Whether the list file and the meta API answer for an entry. */
function isListed({ type }: CatalogEntry): boolean {
  return type !== 'LINKED';
}
