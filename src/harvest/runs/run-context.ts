import { mkdirSync } from 'node:fs';
import type { Origin } from '../../data/axis.ts';
import { createRecordsTest, runFolder } from './earlier-runs.ts';
import { Lease } from './lease.ts';
import { ResponseStore } from './response-store.ts';
import type { Run, Runs } from './runs.ts';

/** Listener for the counts of a run and for the bytes received so far of a file. */
type RunProgress = (lease: Lease, bytes: number) => void;

interface RunContextOptions {
  readonly data: string;
  readonly run: Run;
  readonly runs: Runs;
  /** True to read stored responses and fetch nothing. */
  readonly isReparse: boolean;
  /** Number of records lost in the run before this one, if the gates rejected its data; else 0. */
  readonly previousLoss: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: RunProgress;
}

/** A run under way: its lease, its stored responses and its progress. */
export class RunContext implements Disposable {
  readonly data: string;
  readonly id: number;
  readonly code: string;
  readonly origin: Origin;
  /** Time that its requests treat as now, in milliseconds since 1970. */
  readonly moment: number;
  /** Time of the collection whose records this run adds to; null if it replaces them. */
  readonly since: number | null;
  /** Number of records lost in the run before this one, if the gates rejected its data; else 0. */
  readonly previousLoss: number;
  readonly signal: AbortSignal | undefined;
  readonly folder: string;
  readonly #isReparse: boolean;
  readonly #runs: Runs;
  readonly #lease: Lease;
  readonly #onProgress: RunProgress;
  #store: ResponseStore | null = null;

  constructor({ data, run, runs, isReparse, previousLoss, signal, onProgress }: RunContextOptions) {
    this.data = data;
    this.id = run.id;
    this.code = run.axis;
    this.origin = run.origin;
    this.moment = run.moment;
    this.since = run.since;
    this.#isReparse = isReparse;
    this.previousLoss = previousLoss;
    this.signal = signal;
    this.folder = runFolder(data, run.axis, run.id);
    mkdirSync(this.folder, { recursive: true });
    this.#runs = runs;
    this.#lease = new Lease(run, runs);
    this.#onProgress = onProgress;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#runs.now();
  }

  get requests(): number {
    return this.#lease.requests;
  }

  /** The responses of the run. Throws if a reparse finds none. */
  get store(): ResponseStore {
    return (this.#store ??= new ResponseStore(this.folder, this.#runs.now, {
      mustExist: this.#isReparse,
      onStore: () => this.#lease.recordStored(),
    }));
  }

  /** Counts a response, fetched or stored, and its rows. `planned` can raise the expected number of requests. */
  count(rows: number, planned = 0): void {
    this.#lease.planned = Math.max(this.#lease.planned, planned);
    this.#lease.count(rows);
    this.#onProgress(this.#lease, 0);
  }

  /** Reports the number of rows read so far of a file. */
  reportRows(rows: number): void {
    this.#lease.rows = rows;
    this.#onProgress(this.#lease, 0);
  }

  /** Reports the bytes received so far of a file. */
  reportBytes(bytes: number): void {
    this.#onProgress(this.#lease, bytes);
  }

  /** Throws when another process has taken the lease. */
  renew(): void {
    this.#lease.renew();
  }

  /** Calls `createRecordsTest` for this source. */
  createRecordsTest(): (key: string) => boolean | null {
    return createRecordsTest(this.data, this.#runs, this.code, this.origin);
  }

  [Symbol.dispose](): void {
    this.#lease[Symbol.dispose]();
    this.#store?.[Symbol.dispose]();
  }
}
