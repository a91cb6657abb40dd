import type { LookupStore } from './store/store.ts';

/**
 * Leases the current store to requests. A request keeps the store it began with; a replaced store is
 * closed when the last request on it ends.
 */
export class StoreHolder implements AsyncDisposable {
  #current: LeasedStore | null = null;

  /** Keeps the current store open until `release`; null before the first store. */
  lease(): StoreLease | null {
    return this.#current?.lease() ?? null;
  }

  /** Unique version of the current snapshot; null before the first. */
  get version(): string | null {
    return this.#current?.version ?? null;
  }

  /** Leases `store` to new requests. Resolves when the previous store is closed. */
  async replace(store: LookupStore): Promise<void> {
    const previous = this.#current;
    this.#current = new LeasedStore(store);
    await previous?.retire();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const last = this.#current;
    this.#current = null;
    await last?.retire();
  }
}

interface StoreLease {
  readonly store: LookupStore;
  /** Repeated calls do nothing. */
  readonly release: () => void;
}

class LeasedStore {
  readonly #store: LookupStore;
  readonly #closed = Promise.withResolvers<void>();
  #leases = 0;
  #isRetired = false;

  constructor(store: LookupStore) {
    this.#store = store;
  }

  get version(): string {
    const { id, builtAt } = this.#store.snapshot;
    return `${id} ${builtAt}`;
  }

  lease(): StoreLease {
    this.#leases++;
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      this.#leases--;
      this.#closeWhenUnused();
    };
    return { store: this.#store, release };
  }

  retire(): Promise<void> {
    this.#isRetired = true;
    this.#closeWhenUnused();
    return this.#closed.promise;
  }

  #closeWhenUnused(): void {
    if (!this.#isRetired || this.#leases > 0) return;
    this.#store[Symbol.asyncDispose]().then(this.#closed.resolve, this.#closed.reject);
  }
}
