/** Member of a pool: it can be released, and obtains again what it needs when it is used. */
export interface Pooled {
  /** Set at each use. */
  isUsed: boolean;
  release(): void;
}

/**
 * Things that cost memory or descriptors, within a bound on the sum of their costs. The pool releases those first that
 * were not used since it last passed them, so that a use costs no more than a flag.
 */
export class UsedPool {
  readonly #costMax: number;
  readonly #costs = new Map<Pooled, number>();
  #cost = 0;

  constructor(costMax: number) {
    this.#costMax = costMax;
  }

  get cost(): number {
    return this.#cost;
  }

  /** Adds what is in use now, and releases others while the costs are above the bound. */
  add(item: Pooled, cost: number): void {
    while (this.#costs.size > 0 && this.#cost + cost > this.#costMax) this.#releaseOne();
    this.#costs.set(item, cost);
    this.#cost += cost;
  }

  /** Removes what its owner has released. */
  remove(item: Pooled): void {
    this.#cost -= this.#costs.get(item) ?? 0;
    this.#costs.delete(item);
  }

  #releaseOne(): void {
    for (const [item, cost] of this.#costs) {
      this.#costs.delete(item);
      if (item.isUsed) {
        item.isUsed = false;
        this.#costs.set(item, cost);
        continue;
      }
      this.#cost -= cost;
      return item.release();
    }
  }
}
