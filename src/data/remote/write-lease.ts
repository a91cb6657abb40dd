import { StoreFault, type ObjectStore } from './object-store.ts';
import {
  emptyPointer,
  readPointer,
  replacePointer,
  type Pointer,
  type PushedSnapshot,
  type TaggedPointer,
} from './pointer.ts';

/**
 * Lease of a store of snapshots: one machine at a time pushes or removes objects. It stands in the pointer and is
 * renewed by conditional writes, so that a machine that lost it cannot change the pointer any more. The lease of a
 * machine that died ends by itself; the same data folder takes its own again at once.
 */
export class StoreWriter implements Disposable {
  readonly #store: ObjectStore;
  readonly #id: string;
  readonly #signal: AbortSignal | undefined;
  #current: TaggedPointer;
  #pushed: Snapshot | null;
  #loss: unknown = null;
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /** Takes the lease. `plan` returns the snapshot to push, null to clean, and may throw. */
  static async take(
    store: ObjectStore,
    id: string,
    plan: (pointer: Pointer) => Snapshot | null,
    signal?: AbortSignal,
  ): Promise<StoreWriter> {
    for (let tries = 1; tries <= triesMax; tries++) {
      const stored = await readPointer(store, { signal });
      const before = stored === null || stored === 'unchanged' ? null : stored;
      const pointer = before?.pointer ?? emptyPointer;
      const { lease } = pointer;
      if (lease !== null && lease.writer !== id && Date.parse(lease.until) > Date.now()) {
        throw new StoreFault(
          'busy',
          `Another machine writes to ${store.name}, until ${lease.until} or longer. Try again then.`,
        );
      }
      const pushed = plan(pointer);
      const writer = new StoreWriter(store, id, pushed, signal);
      const next = writer.#leased({ ...pointer, dropped: withAbandoned(pointer, pushed) });
      const taken = await replacePointer(store, next, before?.tag ?? null, signal);
      if (taken === null) continue;
      writer.#current = taken;
      writer.#renewRegularly();
      return writer;
    }
    throw new StoreFault('busy', `Other machines write to ${store.name} all the time. Try again.`);
  }

  private constructor(
    store: ObjectStore,
    id: string,
    pushed: Snapshot | null,
    signal: AbortSignal | undefined,
  ) {
    this.#store = store;
    this.#id = id;
    this.#pushed = pushed;
    this.#signal = signal;
    this.#current = { pointer: emptyPointer, tag: '' };
  }

  get pointer(): Pointer {
    return this.#current.pointer;
  }

  /** Throws if another machine has taken the lease, as it may remove objects now. */
  check(): void {
    if (this.#loss !== null) throw this.#loss;
  }

  /** True if the store refuses a write whose condition does not hold, without which machines can collide. */
  async honoursConditions(): Promise<boolean> {
    // Writes the content that is there already on condition that there is none.
    const replaced = await this.#inTurn(() =>
      replacePointer(this.#store, this.pointer, null, this.#signal),
    );
    if (replaced !== null) this.#current = replaced;
    return replaced === null;
  }

  /** Changes the pointer and keeps the lease for what comes next: the cleaning after a push. */
  async change(pointer: Omit<Pointer, 'lease'>): Promise<void> {
    this.#pushed = null;
    await this.#replace(() => this.#leased({ ...pointer, lease: null }));
  }

  /** Changes the pointer and gives the lease back. */
  async finish(pointer: Omit<Pointer, 'lease'>): Promise<void> {
    this[Symbol.dispose]();
    await this.#replace(() => ({ ...pointer, lease: null }));
  }

  /** Gives the lease back after a failure, if the store can be reached; else it ends by itself. */
  async giveUp(): Promise<void> {
    this[Symbol.dispose]();
    if (this.#loss !== null) return;
    const dropped = withAbandoned(this.pointer, null);
    const signal = AbortSignal.timeout(giveUpMs);
    const next = { ...this.pointer, dropped, lease: null };
    await this.#inTurn(() => replacePointer(this.#store, next, this.#current.tag, signal)).catch(
      () => null,
    );
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #renewRegularly(): void {
    const renew = (): Promise<void> => this.#replace(() => this.#leased(this.pointer));
    this.#timer = setInterval(() => {
      renew().catch((error: unknown) => (this.#loss ??= error));
    }, renewAfterMs).unref();
  }

  #leased(pointer: Pointer): Pointer {
    const until = new Date(Date.now() + leaseMs).toISOString();
    return { ...pointer, lease: { writer: this.#id, until, pushed: this.#pushed } };
  }

  async #replace(next: () => Pointer): Promise<void> {
    this.check();
    const replaced = await this.#inTurn(() =>
      replacePointer(this.#store, next(), this.#current.tag, this.#signal),
    );
    if (replaced !== null) {
      this.#current = replaced;
      return;
    }
    this.#loss = new StoreFault(
      'busy',
      `Another machine has begun to write to ${this.#store.name}, and this one gives way. Run the same command again.`,
    );
    throw this.#loss;
  }

  /** Runs one write after the other, as each needs the tag of the one before. */
  async #inTurn<T>(write: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(write);
    this.#turn = turn.catch(() => null);
    return turn;
  }
}

type Snapshot = Pick<PushedSnapshot, 'id' | 'manifest'>;

/** Length of the lease; machines whose clocks differ by less do not collide. */
const leaseMs = 120_000;
const renewAfterMs = 30_000;
const triesMax = 5;
const giveUpMs = 5_000;

/** The dropped manifests, with that of a push that was given up, whose objects nothing else names. */
function withAbandoned(pointer: Pointer, pushed: Snapshot | null): Pointer['dropped'] {
  const abandoned = pointer.lease?.pushed ?? null;
  if (abandoned === null || abandoned.manifest === pushed?.manifest) return pointer.dropped;
  const known = [...pointer.dropped, ...pointer.snapshots];
  if (known.some(({ manifest }) => manifest === abandoned.manifest)) return pointer.dropped;
  return [...pointer.dropped, { ...abandoned, droppedAt: new Date().toISOString() }];
}
