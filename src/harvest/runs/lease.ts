import { runLimits } from './limits.ts';
import type { Run, Runs } from './runs.ts';

/** The lease of a run under way: a heartbeat in the job store, with the counts so far. */
export class Lease implements Disposable {
  readonly #runId: number;
  readonly #runs: Runs;
  /** Time of the last response that was stored; null for none. */
  #progressed: number | null = null;
  readonly #timer: NodeJS.Timeout;
  #renewedAt = performance.now();
  requests = 0;
  planned: number;
  rows = 0;

  constructor({ id, planned }: Run, runs: Runs) {
    this.#runId = id;
    this.#runs = runs;
    this.planned = planned;
    this.#timer = setInterval(() => this.#renewQuietly(), runLimits.heartbeatMs);
    this.#timer.unref();
  }

  /** Counts a request and its rows. */
  count(rows: number): void {
    this.requests++;
    this.rows += rows;
    this.planned = Math.max(this.planned, this.requests);
    if (performance.now() - this.#renewedAt > runLimits.heartbeatMs) this.renew();
  }

  /** Records that a response was stored; the first at once, since a run may end before its next heartbeat. */
  recordStored(): void {
    const isFirst = this.#progressed === null;
    this.#progressed = this.#runs.now();
    if (isFirst) this.renew();
  }

  /** Throws when another process has taken the lease. */
  renew(): void {
    this.#renewedAt = performance.now();
    const { requests, planned, rows } = this;
    this.#runs.recordProgress(this.#runId, {
      requests,
      planned,
      rows,
      progressed: this.#progressed,
    });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** A timer has no caller to throw to; the next `renew` throws the same error. */
  #renewQuietly(): void {
    try {
      this.renew();
    } catch {
      clearInterval(this.#timer);
    }
  }
}
