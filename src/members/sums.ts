import type { EventTotal } from './store/entities.ts';

/** Sum of the counts of totals. */
export function sumOf(totals: readonly Pick<EventTotal, 'count'>[]): number {
  return totals.reduce((sum, { count }) => sum + count, 0);
}

/** Sums of the counts of totals, by a name. */
export function sumsBy(
  totals: readonly EventTotal[],
  nameOf: (total: EventTotal) => string,
): Readonly<Record<string, number>> {
  const groups = Object.groupBy(totals, nameOf);
  return Object.fromEntries(Object.entries(groups).map(([name, own]) => [name, sumOf(own ?? [])]));
}
