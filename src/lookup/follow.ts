import { statSync } from 'node:fs';
import { dataPaths } from '../data/snapshot/layout.ts';
import { currentId } from '../data/snapshot/snapshots.ts';
import type { Log } from '../kernel/log.ts';
import type { StoreHolder } from './current-store.ts';
import { SnapshotStore } from './store/snapshot.ts';

/**
 * Opens the snapshot that the data folder points to, and each one it points to later, for as long as it
 * lives. A snapshot that cannot be opened is logged once and the one before goes on serving.
 */
export class SnapshotFollower implements Disposable {
  readonly #data: string;
  readonly #holder: StoreHolder;
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout;
  #seen: string | null = null;
  #fault = '';

  constructor(data: string, holder: StoreHolder, log: Log) {
    this.#data = data;
    this.#holder = holder;
    this.#log = log;
    this.look();
    this.#timer = setInterval(() => this.look(), lookEveryMs);
  }

  /** Follows the pointer now instead of at the next beat. */
  look(): void {
    try {
      const id = currentId(this.#data);
      if (id === null) return;
      // After a folder was emptied the same id may be reused for other data, in a new pointer file.
      const seen = `${id} ${statSync(dataPaths(this.#data).current).mtimeMs}`;
      if (seen === this.#seen) return;
      const started = performance.now();
      const store = new SnapshotStore(this.#data, id);
      this.#seen = seen;
      this.#fault = '';
      this.#log.info('snapshot_opened', {
        snapshot: id,
        axes: store.axes.size,
        ms: Math.round(performance.now() - started),
      });
      this.#holder.replace(store).catch((error: unknown) => {
        this.#log.error('snapshot_not_closed', { fault: messageOf(error) });
      });
    } catch (error) {
      this.#complain(error);
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #complain(error: unknown): void {
    const fault = messageOf(error);
    if (fault === this.#fault) return;
    this.#fault = fault;
    this.#log.error('snapshot_refused', { fault });
  }
}

const lookEveryMs = 500;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
