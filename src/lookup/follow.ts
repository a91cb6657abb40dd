import { statSync } from 'node:fs';
import { dataPaths, packsOf } from '../data/snapshot/layout.ts';
import { currentId, readManifest } from '../data/snapshot/snapshots.ts';
import type { Log } from '../kernel/log.ts';
import type { StoreHolder } from './current-store.ts';
import { SnapshotStore } from './store/snapshot.ts';
import type { LookupStore } from './store/store.ts';

interface FollowOptions {
  /** Computes in slices what the first answers from a store would wait for. */
  readonly prepare?: (store: LookupStore) => Promise<unknown>;
  /** Time between the opening of a store and its preparation, a second by default. */
  readonly prepareAfterMs?: number;
}

/**
 * Opens the snapshot that the data folder points to, and each later one, until it is disposed. A snapshot
 * that cannot be opened is logged once, and the previous one stays in service.
 */
export class SnapshotFollower implements Disposable {
  readonly #dataFolder: string;
  readonly #holder: StoreHolder;
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout;
  readonly #options: FollowOptions;
  #preparing: NodeJS.Timeout | undefined;
  #nextSteps: NodeJS.Immediate | undefined;
  #isOpening = false;
  #openedPointer: string | null = null;
  #lastFault = '';

  constructor(dataFolder: string, holder: StoreHolder, log: Log, options: FollowOptions = {}) {
    this.#options = options;
    this.#dataFolder = dataFolder;
    this.#holder = holder;
    this.#log = log;
    this.checkPointer();
    this.#timer = setInterval(() => this.checkPointer(), checkIntervalMs);
  }

  /** Checks the pointer now instead of after the next interval. */
  checkPointer(): void {
    try {
      const id = currentId(this.#dataFolder);
      if (id === null) return;
      // After a folder is emptied, an id may be reused for other data; the pointer file then has another time.
      const pointer = `${id} ${statSync(dataPaths(this.#dataFolder).current).mtimeMs}`;
      if (pointer === this.#openedPointer || this.#isOpening) return;
      const isSmall = packsOf(readManifest(this.#dataFolder, id)).length === 0;
      const isAtOnce = isSmall || this.#openedPointer === null;
      const opening = { pointer, isAtOnce, startedMs: performance.now() };
      this.#open(SnapshotStore.opening(this.#dataFolder, id), opening);
    } catch (error) {
      this.#logOnce(error);
    }
  }

  /** Opens a store in slices between requests, or at once. */
  #open(steps: Generator<void, SnapshotStore>, opening: Opening): void {
    this.#isOpening = false;
    try {
      const endMs = opening.isAtOnce ? Infinity : performance.now() + sliceMs;
      while (performance.now() < endMs) {
        const step = steps.next();
        if (step.done === true) return this.#serve(step.value, opening);
      }
    } catch (error) {
      return this.#logOnce(error);
    }
    this.#isOpening = true;
    this.#nextSteps = setImmediate(() => this.#open(steps, opening));
  }

  #serve(store: SnapshotStore, { pointer, startedMs }: Opening): void {
    this.#openedPointer = pointer;
    this.#lastFault = '';
    this.#log.info('snapshot_opened', {
      snapshot: store.snapshot.id,
      axes: store.axes.size,
      ms: Math.round(performance.now() - startedMs),
    });
    // Only the closing of the previous store can fail.
    this.#holder.replace(store).catch((error: unknown) => {
      this.#log.error('snapshot_not_closed', { fault: messageOf(error) });
    });
    this.#prepareSoon();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    clearTimeout(this.#preparing);
    clearImmediate(this.#nextSteps);
  }

  /** Requests that waited for the snapshot are served first. */
  #prepareSoon(): void {
    clearTimeout(this.#preparing);
    const { prepareAfterMs = defaultPrepareAfterMs } = this.#options;
    this.#preparing = setTimeout(() => void this.#prepare(), prepareAfterMs).unref();
  }

  async #prepare(): Promise<void> {
    const lease = this.#holder.lease();
    try {
      if (lease !== null) await this.#options.prepare?.(lease.store);
    } catch (error) {
      this.#log.error('snapshot_not_prepared', { fault: messageOf(error) });
    } finally {
      lease?.release();
    }
  }

  #logOnce(error: unknown): void {
    const fault = messageOf(error);
    if (fault === this.#lastFault) return;
    this.#lastFault = fault;
    this.#log.error('snapshot_refused', { fault });
  }
}

/** Opening of a snapshot under way. */
interface Opening {
  readonly pointer: string;
  /** True if the snapshot has no packs, or if nothing is served yet. */
  readonly isAtOnce: boolean;
  readonly startedMs: number;
}

const checkIntervalMs = 500;
/** Part of a turn of the event loop in which a snapshot is opened. */
const sliceMs = 3;
/** A process that serves a single request, as tests do, prepares nothing. */
const defaultPrepareAfterMs = 1_000;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
