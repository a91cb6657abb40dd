import type { LookupStore } from './store/store.ts';

/**
 * The store that answers now. A request keeps the one it began with; a replaced store is closed when
 * the last request on it is done.
 */
export class StoreHolder implements AsyncDisposable {
  #current: HeldStore | null = null;

  /** The store of this moment, kept open until `release`; null before the first. */
  current(): StoreLease | null {
    return this.#current?.lease() ?? null;
  }

  /** Names the snapshot that answers now, as no other is named; null before the first. */
  get version(): string | null {
    return this.#current?.version ?? null;
  }

  /** Lets new requests use `store`. Resolves when the store before it is closed. */
  async replace(store: LookupStore): Promise<void> {
    const before = this.#current;
    this.#current = new HeldStore(store);
    await before?.retire();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const before = this.#current;
    this.#current = null;
    await before?.retire();
  }
}

interface StoreLease {
  readonly store: LookupStore;
  /** Once: a second call does nothing. */
  readonly release: () => void;
}

class HeldStore {
  readonly #store: LookupStore;
  readonly #closed = Promise.withResolvers<void>();
  #leases = 0;
  #retired = false;

  constructor(store: LookupStore) {
    this.#store = store;
  }

  get version(): string {
    const { id, builtAt } = this.#store.snapshot;
    return `${id} ${builtAt}`;
  }

  lease(): StoreLease {
    this.#leases++;
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      this.#leases--;
      this.#closeWhenUnused();
    };
    return { store: this.#store, release };
  }

  retire(): Promise<void> {
    this.#retired = true;
    this.#closeWhenUnused();
    return this.#closed.promise;
  }

  #closeWhenUnused(): void {
    if (!this.#retired || this.#leases > 0) return;
    this.#store[Symbol.asyncDispose]().then(this.#closed.resolve, this.#closed.reject);
  }
}
