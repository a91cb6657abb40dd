import { basename } from 'node:path';
import type { CatalogType } from '../../data/axis.ts';
import type { CatalogEntry, CatalogSummary } from '../../data/catalog.ts';
import { isoOf } from '../fields/iso.ts';
import { readShape } from '../fields/shape.ts';
import { shapes } from '../fields/shapes.ts';

/**
 * Counts datasets for the snapshot's summary of its catalog. The list's date is in its file's name
 * (`목록개방현황 20260731.csv`), else its newest change.
 */
export function tallied(
  entries: readonly CatalogEntry[],
  name: string,
): Pick<CatalogSummary, 'total' | 'byType' | 'date'> {
  const byType: Record<CatalogType, number> = { API: 0, FILE: 0, LINKED: 0, STD: 0 };
  let newest: string | null = null;
  for (const { type, modified } of entries) {
    byType[type]++;
    if (modified !== null && modified > (newest ?? '')) newest = modified;
  }
  return { total: entries.length, byType, date: dateInName(name) ?? newest };
}

function dateInName(path: string): string | null {
  const reading = { value: 0 };
  for (const [digits] of basename(path).matchAll(/(?<!\d)20\d{6}(?!\d)/g)) {
    if (readShape(digits, reading) === shapes.compactDate) return isoOf(reading.value);
  }
  return null;
}
