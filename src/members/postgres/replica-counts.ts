import type { Log } from '../../kernel/log.ts';
import { PostponedCount } from '../store/postponed-count.ts';
import { logPosition } from './log-position.ts';
import type { Runner } from './part.ts';

/** A replica that statistics are counted on. */
export interface ReplicaOptions {
  readonly url: string;
  readonly log: Log;
  /** Longest wait until the replica has what the primary had when a count began. */
  readonly waitMs?: number;
  /** Pause after a count that failed. */
  readonly retryMs?: number;
}

/**
 * Counts on a replica, never on data older than the primary had at the beginning of the count. While the replica is
 * behind or away, counts are put off: they do not move to the primary, which the replica is there to relieve.
 */
export class ReplicaCounts {
  readonly #primary: Runner;
  readonly #url: string;
  readonly #log: Log;
  readonly #waitMs: number;
  readonly #retryMs: number;
  #retryAt = -Infinity;
  /** Reason of the last count, if it was put off. */
  #fault: unknown = null;

  constructor(primary: Runner, { url, log, waitMs, retryMs }: ReplicaOptions) {
    this.#primary = primary;
    this.#url = url;
    this.#log = log;
    this.#waitMs = waitMs ?? replicaWaitMs;
    this.#retryMs = retryMs ?? retryMsDefault;
  }

  /** Runs a count with its source. Rejects with `PostponedCount` while the replica cannot be used. */
  async count<Facts>(run: (source: object) => Promise<Facts>): Promise<Facts> {
    if (performance.now() < this.#retryAt) throw this.#postponed();
    const position = await this.#primary.one(logPosition);
    try {
      const facts = await run({ url: this.#url, replay: { position, waitMs: this.#waitMs } });
      if (this.#fault !== null) this.#log.info('statistics_resumed');
      this.#fault = null;
      return facts;
    } catch (error) {
      if (this.#fault === null) {
        this.#log.warning('statistics_postponed', { reason: reasonOf(error) });
      }
      this.#fault = error;
      this.#retryAt = performance.now() + this.#retryMs;
      throw this.#postponed();
    }
  }

  #postponed(): PostponedCount {
    const leftMs = Math.max(1, this.#retryAt - performance.now());
    return new PostponedCount(Math.ceil(leftMs / 1_000), this.#fault);
  }
}

/** Message of an error, or of the error that a problem of the store wraps. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}

export const replicaWaitMs = 10_000;
const retryMsDefault = 60_000;
