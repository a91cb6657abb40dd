import type { LookupStore } from './store/store.ts';

/**
 * Leases the current store to requests, and others of the stored snapshots. A request keeps the store it began with; a
 * replaced store is closed when the last request on it ends.
 */
export class StoreHolder implements AsyncDisposable {
  #current: LeasedStore | null = null;
  /** Stores of other snapshots by id, each with the timer that closes it. */
  readonly #pinned = new Map<string, { store: LeasedStore; timer: NodeJS.Timeout }>();

  /** Keeps the current store open until `release`; null before the first store. */
  lease(): StoreLease | null {
    return this.#current?.lease() ?? null;
  }

  /** Leases the store of a snapshot, which is opened for it unless it is; null if it is no longer stored. */
  leaseSnapshot(id: string): StoreLease | null {
    const current = this.#current;
    if (current === null || current.id === id) return current?.lease() ?? null;
    const open = this.#pinned.get(id);
    if (open !== undefined && current.hasSnapshot(id)) {
      open.timer.refresh();
      return open.store.lease();
    }
    this.#unpin(id);
    const store = current.openSnapshot(id);
    if (store === null) return null;
    const timer = setTimeout(() => this.#unpin(id), pinnedMs).unref();
    const leased = new LeasedStore(store);
    this.#pinned.set(id, { store: leased, timer });
    return leased.lease();
  }

  /** Unique version of the current snapshot; null before the first. */
  get version(): string | null {
    return this.#current?.version ?? null;
  }

  /** Leases `store` to new requests. Resolves when the previous store is closed. */
  async replace(store: LookupStore): Promise<void> {
    const previous = this.#current;
    this.#current = new LeasedStore(store);
    // Snapshots that are removed with this change are closed, and ids of another folder are forgotten.
    for (const id of this.#pinned.keys()) this.#unpin(id);
    await previous?.retire();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const last = this.#current;
    this.#current = null;
    for (const id of this.#pinned.keys()) this.#unpin(id);
    await last?.retire();
  }

  /** Closes the store of a snapshot once no request has it. */
  #unpin(id: string): void {
    const open = this.#pinned.get(id);
    if (open === undefined) return;
    clearTimeout(open.timer);
    this.#pinned.delete(id);
    // A file that cannot be closed harms no answer.
    open.store.retire().catch(() => null);
  }
}

/** Time for which the store of another snapshot stays open after its last request began. */
const pinnedMs = 60_000;

export interface StoreLease {
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

  get id(): string {
    return this.#store.snapshot.id;
  }

  hasSnapshot(id: string): boolean {
    return this.#store.snapshotIds().includes(id);
  }

  openSnapshot(id: string): LookupStore | null {
    return this.#store.openSnapshot(id);
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
