import { mostFirst } from './most-first.ts';

/** An axis with matches of a search. */
interface AxisCount {
  readonly axis: string;
  readonly count: number;
  /** `gte` if the count, and so the total, is a lower bound. */
  readonly relation: 'eq' | 'gte';
}

/**
 * Axes with matches of a search. A common word has matches in a hundred thousand axes, so an axis becomes an object only
 * once it is read.
 */
export class AxisCounts {
  static readonly none = new AxisCounts([], new Uint32Array(0), new Uint8Array(0));
  readonly #codes: readonly string[];
  readonly #counts: Uint32Array;
  readonly #areLowerBounds: Uint8Array;
  #sorted: Uint32Array | null = null;

  /** Takes the codes in ascending order, and the number of matches of each. */
  constructor(codes: readonly string[], counts: Uint32Array, areLowerBounds: Uint8Array) {
    this.#codes = codes;
    this.#counts = counts;
    this.#areLowerBounds = areLowerBounds;
  }

  /** Number of axes with matches. */
  get size(): number {
    return this.#positions().length;
  }

  /** Number of matches in an axis. */
  countIn(axis: string): number {
    let from = 0;
    let to = this.#codes.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#codes[middle]! < axis) from = middle + 1;
      else to = middle;
    }
    return this.#codes[from] === axis ? this.#counts[from]! : 0;
  }

  /** Up to `limit` axes, those with most matches first, then by code. */
  first(limit: number): AxisCount[] {
    return Array.from(this.#positions().subarray(0, limit), (at) => ({
      axis: this.#codes[at]!,
      count: this.#counts[at]!,
      relation: this.#areLowerBounds[at] === 1 ? 'gte' : 'eq',
    }));
  }

  #positions(): Uint32Array {
    return (this.#sorted ??= mostFirst(this.#counts));
  }
}
