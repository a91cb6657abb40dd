import { statSync } from 'node:fs';
import { dataPaths } from '../data/snapshot/layout.ts';
import { currentId } from '../data/snapshot/snapshots.ts';
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
      if (pointer === this.#openedPointer) return;
      const started = performance.now();
      const store = new SnapshotStore(this.#dataFolder, id);
      this.#openedPointer = pointer;
      this.#lastFault = '';
      this.#log.info('snapshot_opened', {
        snapshot: id,
        axes: store.axes.size,
        ms: Math.round(performance.now() - started),
      });
      // Only the closing of the previous store can fail.
      this.#holder.replace(store).catch((error: unknown) => {
        this.#log.error('snapshot_not_closed', { fault: messageOf(error) });
      });
      this.#prepareSoon();
    } catch (error) {
      this.#logOnce(error);
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    clearTimeout(this.#preparing);
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

const checkIntervalMs = 500;
/** A process that serves a single request, as tests do, prepares nothing. */
const defaultPrepareAfterMs = 1_000;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
