import type { LookupStore } from './store/store.ts';

/**
 * Leases the current store to requests, and others of the stored snapshots. A request keeps the store it began with; a
 * replaced store is closed when the last request on it ends.
 */
export class StoreHolder implements AsyncDisposable {
  #current: LeasedStore | null = null;
  /** Stores of other snapshots by id, opened or being opened, each with the timer that closes it. */
  readonly #pinned = new Map<string, PinnedStore>();

  /** Keeps the current store open until `release`; null before the first store. */
  lease(): StoreLease | null {
    return this.#current?.lease() ?? null;
  }

  /** Leases the store of a snapshot, which is opened for it unless it is; null if it is no longer stored. */
  async leaseSnapshot(id: string): Promise<StoreLease | null> {
    const current = this.#current;
    if (current === null || current.id === id) return current?.lease() ?? null;
    if (!current.hasSnapshot(id)) {
      this.#unpin(id);
      return null;
    }
    const pinned = this.#pinned.get(id) ?? this.#pin(id, current.openSnapshot(id));
    pinned.timer.refresh();
    // A store that is unpinned while it opens is closed after the requests that wait for it have leased it.
    return (await pinned.store)?.lease() ?? null;
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

  #pin(id: string, opening: Promise<LookupStore | null>): PinnedStore {
    const store = opening.then((opened) => opened && new LeasedStore(opened));
    const timer = setTimeout(() => this.#unpin(id), pinnedMs).unref();
    const pinned = { store, timer };
    this.#pinned.set(id, pinned);
    // The next request tries again; the requests that wait for it report the failure.
    store.catch(() => this.#pinned.get(id) === pinned && this.#unpin(id));
    return pinned;
  }

  /** Closes the store of a snapshot once no request has it. */
  #unpin(id: string): void {
    const pinned = this.#pinned.get(id);
    if (pinned === undefined) return;
    clearTimeout(pinned.timer);
    this.#pinned.delete(id);
    // A file that cannot be closed harms no answer.
    pinned.store.then((store) => store?.retire()).catch(() => null);
  }
}

interface PinnedStore {
  readonly store: Promise<LeasedStore | null>;
  readonly timer: NodeJS.Timeout;
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

  openSnapshot(id: string): Promise<LookupStore | null> {
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
