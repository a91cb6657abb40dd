import { basename } from 'node:path';
import type { CatalogType } from '../../data/axis.ts';
import type { CatalogEntry, CatalogSummary } from '../../data/catalog.ts';
import { isoOf } from '../fields/iso.ts';
import { readShape } from '../fields/shape.ts';
import { shapes } from '../fields/shapes.ts';

/** Counts datasets as they go by, for the snapshot's summary of its catalog. */
export class CatalogTally {
  readonly #byType: Record<CatalogType, number> = { API: 0, FILE: 0, LINKED: 0, STD: 0 };
  #newest: string | null = null;

  add({ type, modified }: CatalogEntry): void {
    this.#byType[type]++;
    if (modified !== null && modified > (this.#newest ?? '')) this.#newest = modified;
  }

  /** The list's date is in its file's name (`목록개방현황 20260731.csv`), else its newest change. */
  summary(path: string): CatalogSummary {
    const total = Object.values(this.#byType).reduce((sum, count) => sum + count, 0);
    return { total, byType: { ...this.#byType }, date: dateInName(path) ?? this.#newest };
  }
}

function dateInName(path: string): string | null {
  const reading = { value: 0 };
  for (const [digits] of basename(path).matchAll(/(?<!\d)20\d{6}(?!\d)/g)) {
    if (readShape(digits, reading) === shapes.compactDate) return isoOf(reading.value);
  }
  return null;
}
