import { catalogTypes, type CatalogType } from '../../data/axis.ts';
import type { CatalogEntry } from '../../data/catalog.ts';
import { lossKind, type Finding } from '../run/gates.ts';
import { runLimits } from '../run/limits.ts';

/**
 * Two lists as one, each id once: the entry that changed later counts, of one day the first list's, and
 * what it leaves empty is taken from the other.
 */
export function mergeEntries(
  first: readonly CatalogEntry[],
  second: readonly CatalogEntry[],
): CatalogEntry[] {
  const byId = new Map(first.map((entry) => [entry.id, entry]));
  for (const entry of second) {
    const known = byId.get(entry.id);
    if (known === undefined) byId.set(entry.id, entry);
    else if ((entry.modified ?? '') > (known.modified ?? ''))
      byId.set(entry.id, filled(entry, known));
    else byId.set(entry.id, filled(known, entry));
  }
  return [...byId.values()];
}

/** What is odd about a list against the one that is held: a type that vanished, or lost too much. */
export function lossFindings(
  came: readonly CatalogEntry[],
  before: Readonly<Record<CatalogType, number>>,
  types: readonly CatalogType[],
  lostBefore: number,
): Finding[] {
  const now = countByType(came);
  return types.flatMap((type): Finding[] => {
    const had = before[type];
    const lost = had - now[type];
    if (lost <= had * runLimits.lossShareMax) return [];
    if (now[type] === 0) {
      const detail = `No ${type} dataset came where ${had} were held.`;
      return [{ kind: 'no_records', count: had, detail }];
    }
    const detail = `${lost} of ${had} ${type} datasets are gone.`;
    return [{ kind: lossKind(lost, lostBefore), count: lost, detail }];
  });
}

function countByType(entries: readonly CatalogEntry[]): Record<CatalogType, number> {
  const counts: Record<CatalogType, number> = { API: 0, FILE: 0, LINKED: 0, STD: 0 };
  for (const { type } of entries) counts[type]++;
  return counts;
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
