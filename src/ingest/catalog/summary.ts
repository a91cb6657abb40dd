import { basename } from 'node:path';
import type { CatalogSummary } from '../../data/catalog.ts';
import { isoOf } from '../../data/values/iso.ts';
import { readShape } from '../../data/values/shape.ts';
import { shapes } from '../../data/values/shapes.ts';
import type { EntryCounts } from './entry-table.ts';

/**
 * Summary of a catalog. Its date is the date in the name of the list file (`목록개방현황 20260731.csv`), or else the
 * latest change.
 */
export function catalogSummary(
  { total, byType, newest }: EntryCounts,
  name: string,
): Pick<CatalogSummary, 'total' | 'byType' | 'date'> {
  return { total, byType, date: dateInName(name) ?? newest };
}

function dateInName(path: string): string | null {
  const reading = { value: 0 };
  for (const [digits] of basename(path).matchAll(/(?<!\d)20\d{6}(?!\d)/g)) {
    if (readShape(digits, reading) === shapes.compactDate) return isoOf(reading.value);
  }
  return null;
}
