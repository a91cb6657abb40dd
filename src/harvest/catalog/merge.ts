import { catalogTypes, type CatalogType } from '../../data/axis.ts';
import type { CatalogEntry } from '../../data/catalog.ts';
import { judgeLoss, type GateFinding } from '../runs/gates.ts';
import type { EntryTable } from '../../ingest/catalog/entry-table.ts';

/**
 * Merges a second list into a first, each id once: the entry that changed later counts, of one day the first
 * list's, and what it leaves empty is taken from the other.
 */
export function mergeEntries(first: EntryTable, second: Iterable<CatalogEntry>): void {
  for (const entry of second) {
    const known = first.find(entry.id)?.entry;
    if (known === undefined) first.put(entry);
    else if ((entry.modified ?? '') > (known.modified ?? '')) first.put(filled(entry, known));
    else first.put(filled(known, entry));
  }
}

/** Compares a list with the served one: a type has vanished, or has lost too many datasets. */
export function lossFindings(
  now: Readonly<Record<CatalogType, number>>,
  before: Readonly<Record<CatalogType, number>>,
  types: readonly CatalogType[],
  lostBefore: number,
): GateFinding[] {
  return types.flatMap((type): GateFinding[] => {
    const had = before[type];
    if (now[type] === 0 && had > 0) {
      const detail = `No ${type} dataset was collected where ${had} are served.`;
      return [{ kind: 'no_records', count: had, detail }];
    }
    return judgeLoss(had - now[type], had, lostBefore, `${type} datasets are gone`);
  });
}

/** The types that the list file and the meta API have. */
export const listedTypes = catalogTypes.filter((type) => type !== 'LINKED');

function filled(entry: CatalogEntry, other: CatalogEntry): CatalogEntry {
  return {
    ...entry,
    provider: entry.provider ?? other.provider,
    category: entry.category ?? other.category,
    keywords: entry.keywords.length > 0 ? entry.keywords : other.keywords,
    description: entry.description ?? other.description,
    formats: entry.formats.length > 0 ? entry.formats : other.formats,
    license: entry.license ?? other.license,
    created: entry.created ?? other.created,
    modified: entry.modified ?? other.modified,
    updateCycle: entry.updateCycle ?? other.updateCycle,
    views: entry.views ?? other.views,
    requests: entry.requests ?? other.requests,
    url: entry.url ?? other.url,
  };
}
