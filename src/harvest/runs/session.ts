import type { DatabaseSync } from 'node:sqlite';
import type { Origin, Quality } from '../../data/axis.ts';
import type { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { publishLinked } from '../../data/snapshot/publish-linked.ts';
import { FileRefused } from '../../ingest/files/refused.ts';
import { systemClock, type Clock } from '../client/clock.ts';
import { PortalError } from '../client/portal-error.ts';
import { openBuilder } from './build-lock.ts';
import { countCollectors, deleteOldRuns, previousLoss } from './earlier-runs.ts';
import { replaceFindings } from './findings.ts';
import { blockingFindings, kindOfError, type GateFinding } from './gates.ts';
import { openJobs } from './job-store.ts';
import { runLimits } from './limits.ts';
import type { CollectedSource, CollectProgress, CollectReport } from './outcome.ts';
import { RunContext } from './run-context.ts';
import { Runs, type Run, type RunEnd } from './runs.ts';
import type { Collection, Source } from './source.ts';

export interface SessionOptions {
  readonly origin: Origin;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** True to read the responses of the last run again and fetch nothing. */
  readonly reparse?: boolean;
  /** True to publish data that the gates reject. */
  readonly accept?: boolean;
  /** Builder that receives the data, for the caller to publish. Without it, the session publishes its own snapshots. */
  readonly builder?: SnapshotBuilder;
  readonly onProgress?: (progress: CollectProgress) => void;
  readonly onSource?: (source: CollectedSource) => void;
}

/** Way in which results of runs are put into a snapshot. */
export interface Publication<Data> {
  /** True to publish all sources of a session in one snapshot, and none of them if the session is stopped. */
  readonly isAtomic: boolean;
  /** True if the results change the snapshot. */
  isNeeded(results: readonly SourceResult<Data>[]): boolean;
  /** Adds the results to a snapshot; returns its reason, a sentence for operators. */
  put(builder: SnapshotBuilder, results: readonly SourceResult<Data>[]): string | Promise<string>;
}

/** Result of collecting one source and of the gates. */
export interface SourceResult<Data> {
  readonly source: Source<Data>;
  readonly collected: CollectedSource;
  /** The run, which ends when its data is published; null if it has ended already. */
  readonly run: Run | null;
  /** The data to publish; null if the previous data stays. */
  readonly data: Data | null;
  /** The new findings about the source's data; null if the stored ones stay. */
  readonly quality: Quality | null;
}

/**
 * Collects sources one after the other and publishes the data that passes the gates. A source that fails keeps its
 * previous data. Throws only if the job store or the snapshot cannot be written.
 */
export async function collectSources<Data>(
  data: string,
  sources: readonly Source<Data>[],
  publication: Publication<Data>,
  options: SessionOptions,
): Promise<CollectReport> {
  using session = new Session(data, publication, options);
  return await session.collect(sources);
}

class Session<Data> implements Disposable {
  readonly #data: string;
  readonly #publication: Publication<Data>;
  readonly #options: SessionOptions;
  readonly #clock: Clock;
  readonly #database: DatabaseSync;
  readonly #runs: Runs;
  readonly #started = performance.now();
  readonly #collected: CollectedSource[] = [];
  /** Results of finished sources that wait for the next publication. */
  #unpublished: SourceResult<Data>[] = [];
  #publishedAt = performance.now();
  #snapshot: string | null = null;

  constructor(data: string, publication: Publication<Data>, options: SessionOptions) {
    this.#data = data;
    this.#publication = publication;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#database = openJobs(data);
    this.#runs = new Runs(this.#database, () => this.#clock.now());
  }

  async collect(sources: readonly Source<Data>[]): Promise<CollectReport> {
    const { signal, builder, onSource } = this.#options;
    const isAtomic = this.#publication.isAtomic || builder !== undefined;
    const heartbeat = setInterval(() => this.#renewLeases(), runLimits.heartbeatMs);
    try {
      for (const source of sources) {
        if (signal?.aborted === true) break;
        const result = await this.#collect(source, sources.length);
        this.#unpublished.push(result);
        this.#collected.push(result.collected);
        onSource?.(result.collected);
        const isPublicationDue = performance.now() - this.#publishedAt > runLimits.publishEveryMs;
        if (isPublicationDue && !isAtomic) await this.#publish();
      }
      if (isAtomic) signal?.throwIfAborted();
      await this.#publish();
    } finally {
      clearInterval(heartbeat);
    }
    const elapsedMs = performance.now() - this.#started;
    return { snapshot: this.#snapshot, sources: this.#collected, elapsedMs };
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  async #collect(source: Source<Data>, total: number): Promise<SourceResult<Data>> {
    const origin = this.#originOf(source);
    const reason = source.skipReason ?? reasonToSkip(origin, source.servedOrigin());
    if (reason !== null) return resultWithoutData(source, { outcome: 'skipped', message: reason });
    let run: Run;
    try {
      run = this.#begin(source, origin);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return resultWithoutData(source, { message: error.message });
    }
    const sourceStartedAt = performance.now();
    using context = new RunContext({
      data: this.#data,
      run,
      runs: this.#runs,
      isReparse: this.#options.reparse === true,
      // A reparse reads the responses of one run again, so its loss does not count as a second one.
      previousLoss:
        this.#options.reparse === true ? 0 : previousLoss(this.#database, this.#runs, run),
      signal: this.#options.signal,
      onProgress: ({ requests, planned, rows }, bytes) =>
        this.#options.onProgress?.({
          code: source.code,
          done: this.#collected.length,
          total,
          requests,
          planned,
          rows,
          bytes,
          elapsedMs: performance.now() - this.#started,
          sourceMs: performance.now() - sourceStartedAt,
        }),
    });
    try {
      const collection = await source.collect(context);
      context.renew();
      return this.#applyGates(source, run, collection, context.requests);
    } catch (error) {
      return this.#endByError(source, run, error, context.requests);
    }
  }

  /** Origin of a source's data; a reparse has the origin of the run that it reads. */
  #originOf({ code }: Source<Data>): Origin {
    const { reparse, origin } = this.#options;
    if (reparse !== true) return origin;
    return this.#runs.latest().find(({ axis }) => axis === code)?.origin ?? origin;
  }

  #begin(source: Source<Data>, origin: Origin): Run {
    if (this.#options.reparse === true) return this.#runs.reopen(source.code);
    const since = this.#since(source, origin);
    const { requests, resumableMs } = source.plan({ now: this.#clock.now(), since });
    return this.#runs.begin(source.code, origin, { resumableMs, planned: requests, since });
  }

  /** Time since which an accumulating source needs new records; null to collect all records. */
  #since(source: Source<Data>, origin: Origin): number | null {
    if (source.keeps !== 'accumulate' || source.servedOrigin() !== origin) return null;
    return this.#runs.lastDone(source.code, origin)?.moment ?? null;
  }

  #applyGates(
    source: Source<Data>,
    run: Run,
    collection: Collection<Data>,
    requests: number,
  ): SourceResult<Data> {
    const { data, rows, findings, hasPrevious } = collection;
    const quality = replaceFindings(this.#database, source.code, findings, this.#clock.now());
    const reasons = blockingFindings(findings, !hasPrevious);
    const facts = { rows, requests, findings };
    if (reasons.length > 0 && this.#options.accept !== true) {
      collection.discard?.();
      const result = hasPrevious ? 'The previous data stays' : 'Nothing is published';
      const message =
        `${reasons.map(({ detail }) => detail).join(' ')} ${result}; ` +
        `\`./maru ${source.command} --reparse --accept\` publishes the new data.`;
      this.#runs.end(run.id, { state: 'failed', resumable: false, message, rows });
      deleteOldRuns(this.#data, this.#runs, source.code, run.origin);
      const outcome = hasPrevious ? 'kept' : 'failed';
      return { ...resultWithoutData(source, { ...facts, outcome, message }), quality };
    }
    const outcome = data === null ? 'unchanged' : 'published';
    return { ...resultWithoutData(source, { ...facts, outcome }), run, data, quality };
  }

  /** Ends a run after an error: its responses stay stored and the previous data stays served. */
  #endByError(
    source: Source<Data>,
    run: Run,
    error: unknown,
    requests: number,
  ): SourceResult<Data> {
    if (this.#options.signal?.aborted === true) {
      const message = `Stopped: \`./maru ${source.command}\` resumes it.`;
      this.#end(run, { state: 'interrupted', resumable: true, message });
      return resultWithoutData(source, { requests, outcome: 'interrupted', message });
    }
    if (!(error instanceof Error)) throw error;
    const { message } = error;
    const retryAt = error instanceof PortalError ? error.retryAt : null;
    const finding: GateFinding = { kind: kindOfError(error), count: 1, detail: message };
    const quality = replaceFindings(this.#database, source.code, [finding], this.#clock.now());
    const outcome = finding.kind === 'waiting_for_quota' ? 'parked' : 'failed';
    const parkedUntil = outcome === 'parked' ? retryAt : null;
    // A complete file that cannot be read is not resumed: the next run downloads it again.
    const resumable = !(error instanceof FileRefused);
    this.#end(run, { state: outcome, resumable, message, parkedUntil });
    const until = parkedUntil === null ? null : new Date(parkedUntil).toISOString();
    const facts = { requests, outcome, message, findings: [finding], parkedUntil: until } as const;
    return { ...resultWithoutData(source, facts), quality };
  }

  /** Ends a run without a result. A reparsed run gets its previous state back. */
  #end(run: Run, end: RunEnd): void {
    if (this.#options.reparse !== true || run.resumable) return this.#runs.end(run.id, end);
    const { message } = run;
    const state = message === null ? 'done' : 'failed';
    this.#runs.end(run.id, { state, resumable: false, message });
  }

  /** Renews the leases of runs that wait for their publication. */
  #renewLeases(): void {
    for (const { run } of this.#unpublished) if (run !== null) this.#runs.renew(run.id);
  }

  async #publish(): Promise<void> {
    const results = this.#unpublished.filter((result) => this.#hasLease(result));
    if (this.#publication.isNeeded(results)) await this.#publishResults(results);
    for (const { run, collected } of results) {
      if (run === null) continue;
      this.#runs.end(run.id, { state: 'done', resumable: false, rows: collected.rows });
      deleteOldRuns(this.#data, this.#runs, collected.code, run.origin);
    }
    this.#unpublished = [];
  }

  /** False if another process took the run over while its data waited. */
  #hasLease({ run, collected }: SourceResult<Data>): boolean {
    if (run === null || this.#runs.renew(run.id)) return true;
    const message = `Another process took ${collected.code} over and will publish it.`;
    const at = this.#collected.indexOf(collected);
    this.#collected[at] = { ...collected, outcome: 'failed', message };
    return false;
  }

  async #publishResults(results: readonly SourceResult<Data>[]): Promise<void> {
    const { builder, signal } = this.#options;
    const done = this.#collected.filter(({ outcome }) => successes.has(outcome));
    const codes = done.map(({ code }) => code);
    const collectors = countCollectors(this.#runs, codes, this.#clock.now());
    if (builder !== undefined) {
      await this.#publication.put(builder, results);
      builder.putCollectors(collectors);
      return;
    }
    using ownBuilder = await openBuilder(this.#data, this.#clock, signal);
    const reason = await this.#publication.put(ownBuilder, results);
    ownBuilder.putCollectors(collectors);
    this.#snapshot = await publishLinked(ownBuilder, reason);
    this.#publishedAt = performance.now();
  }
}

const successes: ReadonlySet<CollectedSource['outcome']> = new Set(['published', 'unchanged']);

function reasonToSkip(origin: Origin, served: Origin | null): string | null {
  if (origin !== 'sample' || served === null || served === 'sample') return null;
  return `Real data is served (${served}); sample data never replaces it.`;
}

function resultWithoutData<Data>(
  source: Source<Data>,
  facts: Partial<CollectedSource>,
): SourceResult<Data> {
  const { code, title } = source;
  const none = { rows: 0, requests: 0, findings: [], message: null, parkedUntil: null };
  const collected: CollectedSource = { code, title, outcome: 'failed', ...none, ...facts };
  return { source, collected, run: null, data: null, quality: null };
}
