import type { SearchTerm } from '../../data/korean/terms.ts';
import { ByteCache } from '../../kernel/byte-cache.ts';

/**
 * Cache of values that depend on the terms of a query, for the parts of an answer and for the next page. A `WeakMap` by
 * the terms made the collector copy twice as much while many searches wait.
 */
export class RecentTerms<Value> {
  readonly #cache: ByteCache<Value>;
  readonly #find: (terms: readonly SearchTerm[]) => Value;
  readonly #bytesOf: (value: Value) => number;

  constructor(
    bytesMax: number,
    find: (terms: readonly SearchTerm[]) => Value,
    bytesOf: (value: Value) => number,
  ) {
    this.#cache = new ByteCache(bytesMax);
    this.#find = find;
    this.#bytesOf = bytesOf;
  }

  valueOf(terms: readonly SearchTerm[]): Value {
    const key = JSON.stringify(terms);
    let value = this.#cache.get(key);
    if (value === undefined) {
      value = this.#find(terms);
      this.#cache.set(key, value, this.#bytesOf(value));
    }
    return value;
  }
}
