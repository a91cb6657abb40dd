import { mkdirSync } from 'node:fs';
import type { Origin } from '../../data/axis.ts';
import { emptyBefore, runFolder } from './earlier-runs.ts';
import { Lease } from './lease.ts';
import { ResponseStore } from './response-store.ts';
import type { Run, Runs } from './runs.ts';

/** Takes the counts of a run after each response, and the bytes of a file under way. */
type RunProgress = (lease: Lease, bytes: number) => void;

interface RunContextOptions {
  readonly data: string;
  readonly run: Run;
  readonly runs: Runs;
  /** Reads stored responses and fetches nothing. */
  readonly isReparse: boolean;
  /** Records that the previous run found lost. */
  readonly lostBefore: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: RunProgress;
}

/** A run under way: its lease, its stored responses and its progress. */
export class RunContext implements Disposable {
  readonly data: string;
  readonly id: number;
  readonly code: string;
  readonly origin: Origin;
  /** The moment of all its requests, in milliseconds since 1970. */
  readonly moment: number;
  /** The moment of the last collection whose records are added to; null for none. */
  readonly since: number | null;
  /** Records that the previous run found lost. */
  readonly lostBefore: number;
  readonly signal: AbortSignal | undefined;
  readonly folder: string;
  readonly #isReparse: boolean;
  readonly #runs: Runs;
  readonly #lease: Lease;
  readonly #onProgress: RunProgress;
  #store: ResponseStore | null = null;

  constructor({ data, run, runs, isReparse, lostBefore, signal, onProgress }: RunContextOptions) {
    this.data = data;
    this.id = run.id;
    this.code = run.axis;
    this.origin = run.origin;
    this.moment = run.moment;
    this.since = run.since;
    this.#isReparse = isReparse;
    this.lostBefore = lostBefore;
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

  /** The responses of the run. Throws where they are to be read again and there are none. */
  get store(): ResponseStore {
    return (this.#store ??= new ResponseStore(this.folder, this.#runs.now, this.#isReparse));
  }

  /** Counts a response, fetched or stored, with its rows; `planned` corrects the expected number of requests. */
  count(rows: number, planned = 0): void {
    this.#lease.planned = Math.max(this.#lease.planned, planned);
    this.#lease.count(rows);
    this.#onProgress(this.#lease, 0);
  }

  /** Reports how many rows of a file were read so far. */
  reportRows(rows: number): void {
    this.#lease.rows = rows;
    this.#onProgress(this.#lease, 0);
  }

  /** Reports the bytes of a file that is downloaded. */
  reportBytes(bytes: number): void {
    this.#onProgress(this.#lease, bytes);
  }

  /** Throws when another process has taken the lease. */
  renew(): void {
    this.#lease.renew();
  }

  /** Recognises the requests without a record in the last published run. */
  emptyBefore(): (key: string) => boolean {
    return emptyBefore(this.data, this.#runs, this.code, this.origin);
  }

  [Symbol.dispose](): void {
    this.#lease[Symbol.dispose]();
    this.#store?.[Symbol.dispose]();
  }
}
