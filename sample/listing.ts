/** Records in a fixed order, generated on access; an array is a listing. */
export interface Listing<T> {
  readonly length: number;
  at(index: number): T | undefined;
}

export type Value = string | number;

/** A record of an operation: values by the names of its fields. */
export type Row = Readonly<Record<string, Value>>;

/** A listing that generates each record from its index. */
export function generate<T>(length: number, make: (index: number) => T): Listing<T> {
  return {
    length,
    at: (index) => (index >= 0 && index < length ? make(index) : undefined),
  };
}

/** A listing that generates each record at most once, unless the listing is as long as a benchmark's. */
export function generateOnce<T>(length: number, make: (index: number) => T): Listing<T> {
  if (length > storedMax) return generate(length, make);
  const records: T[] = [];
  return generate(length, (index) => (records[index] ??= make(index)));
}

const storedMax = 20_000;

/** The records from `from` to `to` (exclusive) that exist. */
export function slice<T>(listing: Listing<T>, from: number, to: number): T[] {
  const items: T[] = [];
  for (let index = Math.max(0, from); index < Math.min(to, listing.length); index++) {
    const item = listing.at(index);
    if (item !== undefined) items.push(item);
  }
  return items;
}

/** The records that pass a filter. It generates every record, so use it for short listings only. */
export function filter<T>(listing: Listing<T>, keep: (item: T) => boolean): T[] {
  return slice(listing, 0, listing.length).filter(keep);
}

/** True if a value equals a parameter. A parameter that is absent or empty matches every value. */
export function matches(value: unknown, parameter: string | undefined): boolean {
  return parameter === undefined || parameter === '' || value === parameter;
}

/** Makes a value on first use only, because most tests need few kinds of records. */
export function memoize<T>(make: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => (cached ??= { value: make() }).value;
}

/** Rows with a new first column, which numbers them from 1. */
export function numberRows(column: 'num' | 'rnum', rows: readonly Row[]): Row[] {
  return rows.map((row, index) => ({ [column]: index + 1, ...row }));
}
