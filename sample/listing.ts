/** Records in a fixed order that need not exist before they are asked for; an array is one. */
export interface Listing<T> {
  readonly length: number;
  at(index: number): T | undefined;
}

export type Value = string | number;

/** A record as the operation's fields name it. */
export type Row = Readonly<Record<string, Value>>;

/** Records made one by one from their number. */
export function generated<T>(length: number, make: (index: number) => T): Listing<T> {
  return {
    length,
    at: (index) => (index >= 0 && index < length ? make(index) : undefined),
  };
}

/** Records `from` to `to` (exclusive), fewer at the end. */
export function slice<T>(listing: Listing<T>, from: number, to: number): T[] {
  const items: T[] = [];
  for (let index = Math.max(0, from); index < Math.min(to, listing.length); index++) {
    const item = listing.at(index);
    if (item !== undefined) items.push(item);
  }
  return items;
}

/** The records that a filter leaves; makes each record once, so ask for it only where there are few. */
export function only<T>(listing: Listing<T>, keep: (item: T) => boolean): T[] {
  return slice(listing, 0, listing.length).filter(keep);
}

/** Whether a record is one that a parameter asks for; one that is not given asks for all. */
export function matches(value: unknown, wanted: string | undefined): boolean {
  return wanted === undefined || wanted === '' || value === wanted;
}

/** Made when first asked for, and kept: a portal that nobody asks about elections holds none. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
