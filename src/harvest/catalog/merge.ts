import { catalogTypes, type CatalogType } from '../../data/axis.ts';
import type { CatalogEntry } from '../../data/catalog.ts';
import { judgeLoss, type GateFinding } from '../runs/gates.ts';
import type { EntryTable } from '../../ingest/catalog/entry-table.ts';

/**
 * Merges a second list into a first, each id once. Of two entries the one modified later counts, or the first
 * list's if the day is the same; its empty values are taken from the other.
 */
export function mergeEntries(first: EntryTable, second: Iterable<CatalogEntry>): void {
  for (const entry of second) {
    const existing = first.find(entry.id)?.entry;
    if (existing === undefined) first.put(entry);
    else if ((entry.modified ?? '') > (existing.modified ?? ''))
      first.put(fillGaps(entry, existing));
    else first.put(fillGaps(existing, entry));
  }
}

/** Finds the types that vanished from a list or lost too many datasets, compared with the served list. */
export function lossFindings(
  counts: Readonly<Record<CatalogType, number>>,
  servedCounts: Readonly<Record<CatalogType, number>>,
  types: readonly CatalogType[],
  previousLoss: number,
): GateFinding[] {
  return types.flatMap((type): GateFinding[] => {
    const served = servedCounts[type];
    if (counts[type] === 0 && served > 0) {
      const detail = `No ${type} dataset was collected where ${served} are served.`;
      return [{ kind: 'no_records', count: served, detail }];
    }
    return judgeLoss(served - counts[type], served, previousLoss, `${type} datasets are gone`);
  });
}

/** The types that the list file and the meta API have. */
export const listedTypes = catalogTypes.filter((type) => type !== 'LINKED');

function fillGaps(entry: CatalogEntry, other: CatalogEntry): CatalogEntry {
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
