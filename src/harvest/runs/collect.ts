import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { StoredAxis, Origin } from '../../data/axis.ts';
import type { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { fileNames } from '../../data/snapshot/layout.ts';
import { axisDefinition } from '../operations/definitions.ts';
import { collectionOrder, parentsOf } from '../operations/order.ts';
import type { PortalClient } from '../client/portal-client.ts';
import { systemClock, type Clock } from '../client/clock.ts';
import { FileRefused } from '../../ingest/files/refused.ts';
import { PortalError } from '../client/portal-error.ts';
import type { Attempt, BuiltFolder } from './attempt.ts';
import { rewriteAxis } from '../../data/snapshot/axis-writer.ts';
import { operationOf, type Collectable } from './collectable.ts';
import { collectorsOf, forgetOldRuns } from './earlier-runs.ts';
import { noteFindings } from './findings.ts';
import { blocking, kindOfError, type Finding } from './gates.ts';
import { HeldAxes } from './held.ts';
import { openJobs } from './job-store.ts';
import { runLimits } from './limits.ts';
import {
  noOutcome,
  type CollectedAxis,
  type CollectProgress,
  type CollectReport,
} from './outcome.ts';
import { publishBuilt, publishInto, type KeptAxis } from './publish-built.ts';
import { Runs, type Run, type RunEnd } from './runs.ts';
import { isTold } from './unchanged.ts';

export interface CollectOptions {
  /** Null reads the answers of the last run again and asks nobody. */
  readonly client: PortalClient | null;
  readonly origin: Origin;
  /** Datasets by their numbers, collected after the axes. */
  readonly datasets?: readonly Collectable[];
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** Publishes what the gates would keep back. */
  readonly accept?: boolean;
  /** Publishes into this build instead of one of its own. */
  readonly builder?: SnapshotBuilder;
  readonly onProgress?: (progress: CollectProgress) => void;
  readonly onAxis?: (axis: CollectedAxis) => void;
}

/**
 * Collects axes and publishes what passed the gates. Parents that are not held come along. What cannot be
 * collected keeps its last good data; nothing that is stored is asked for again. Throws only where the job
 * store or the snapshot cannot be written.
 */
export async function collectAxes(
  data: string,
  codes: readonly string[],
  options: CollectOptions,
): Promise<CollectReport> {
  using session = new Session(data, options);
  return await session.collect(codes);
}

/** A finished axis that waits for the publication it belongs to. */
interface Waiting {
  readonly run: Run | null;
  readonly axis: Collectable;
  readonly built: BuiltFolder | null;
  readonly kept: KeptAxis | null;
  readonly collected: CollectedAxis;
}

class Session implements Disposable {
  readonly #data: string;
  readonly #options: CollectOptions;
  readonly #clock: Clock;
  readonly #database: DatabaseSync;
  readonly #runs: Runs;
  readonly #held: HeldAxes;
  readonly #started = performance.now();
  readonly #done: CollectedAxis[] = [];
  #waiting: Waiting[] = [];
  #publishedAt = performance.now();
  #snapshot: string | null = null;
  #total = 0;
  #axisStarted = performance.now();

  constructor(data: string, options: CollectOptions) {
    this.#data = data;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#database = openJobs(data);
    this.#runs = new Runs(this.#database, () => this.#clock.now());
    this.#held = new HeldAxes(data);
  }

  async collect(codes: readonly string[]): Promise<CollectReport> {
    const beat = setInterval(() => {
      for (const { run } of this.#waiting) if (run !== null) this.#runs.renew(run.id);
    }, runLimits.heartbeatMs);
    try {
      return await this.#collect(codes);
    } finally {
      clearInterval(beat);
    }
  }

  async #collect(codes: readonly string[]): Promise<CollectReport> {
    const axes = [...this.#withParents(codes), ...(this.#options.datasets ?? [])];
    this.#total = axes.length;
    for (const axis of axes) {
      if (this.#options.signal?.aborted === true) break;
      this.#axisStarted = performance.now();
      const waiting = await this.#collectOne(axis);
      this.#waiting.push(waiting);
      this.#done.push(waiting.collected);
      this.#options.onAxis?.(waiting.collected);
      const isLong = performance.now() - this.#publishedAt > runLimits.publishEveryMs;
      if (isLong && this.#options.builder === undefined) await this.#publish();
    }
    // A build of somebody else is published whole or not at all.
    if (this.#options.builder !== undefined) this.#options.signal?.throwIfAborted();
    await this.#publish();
    const elapsedMs = performance.now() - this.#started;
    return { snapshot: this.#snapshot, axes: this.#done, elapsedMs };
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #withParents(codes: readonly string[]): readonly Collectable[] {
    const asked = new Set(codes);
    for (const code of asked) {
      const axis = axisDefinition(code);
      if (axis === undefined) throw new Error(`There is no axis ${code} to collect.`);
      for (const parent of parentsOf(axis)) if (!this.#held.has(parent)) asked.add(parent);
    }
    return collectionOrder()
      .filter(({ code }) => asked.has(code))
      .map(operationOf);
  }

  async #collectOne(axis: Collectable): Promise<Waiting> {
    const served = this.#held.served(axis.code);
    const origin = this.#originOf(axis.code);
    if (origin === 'sample' && this.#isBetter(axis.code, served)) {
      const message = `Real data is held (${served?.axis.origin ?? 'file'}); sample data never replaces it.`;
      return waitingFor(axis, null, { ...noOutcome(axis), outcome: 'skipped', message });
    }
    let run: Run;
    try {
      run = this.#begin(axis);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return waitingFor(axis, null, {
        ...noOutcome(axis),
        outcome: 'failed',
        message: error.message,
      });
    }
    try {
      const attempt = await axis.attempt(run, {
        data: this.#data,
        database: this.#database,
        runs: this.#runs,
        held: this.#held,
        client: this.#options.client,
        origin,
        signal: this.#options.signal,
        onAnswer: (...counts) => this.#tell(axis.code, ...counts),
      });
      return this.#judge(axis, run, attempt);
    } catch (error) {
      return this.#brokenOff(axis, run, served, error);
    }
  }

  #tell(axis: string, requests: number, planned: number, rows: number, bytes = 0): void {
    this.#options.onProgress?.({
      axis,
      axesDone: this.#done.length,
      axesTotal: this.#total,
      requests,
      planned,
      rows,
      bytes,
      elapsedMs: performance.now() - this.#started,
      axisMs: performance.now() - this.#axisStarted,
    });
  }

  /** Answers that are read again come from where they came. */
  #originOf(code: string): Origin {
    const { client, origin } = this.#options;
    if (client !== null) return origin;
    return this.#runs.latest().find(({ axis }) => axis === code)?.origin ?? origin;
  }

  /** Almanac axes of the same build, too, are true. */
  #isBetter(code: string, served: StoredAxis | null): boolean {
    if (served !== null) return served.axis.origin !== 'sample';
    return this.#options.builder?.stagedAxes.includes(code) ?? false;
  }

  #begin(axis: Collectable): Run {
    const { client } = this.#options;
    const origin = this.#originOf(axis.code);
    const now = this.#clock.now();
    if (client === null) return this.#runs.again(axis.code);
    const since = this.#since(axis);
    const { requests, resumableMs } = axis.plan({ now, since });
    return this.#runs.begin(axis.code, origin, { resumableMs, planned: requests, since });
  }

  /** Only records of the same origin are added to: nobody may mistake sample data for the real thing. */
  #since(axis: Collectable): number | null {
    const origin = this.#originOf(axis.code);
    if (axis.keeps !== 'accumulate') return null;
    if (this.#held.served(axis.code)?.axis.origin !== origin) return null;
    return this.#runs.lastDone(axis.code, origin)?.asked ?? null;
  }

  #judge(axis: Collectable, run: Run, attempt: Attempt): Waiting {
    const { built, held, findings, requests } = attempt;
    const quality = noteFindings(this.#database, axis.code, findings, this.#clock.now());
    const reasons = blocking(findings);
    const isRefused = reasons.length > 0 && held !== null && this.#options.accept !== true;
    const isSame = built === null || (!isRefused && this.#held.serves(built.written));
    if (built !== null && (isRefused || isSame)) rmSync(built.folder, { recursive: true });
    // Only what is held comes without being built.
    const came = built?.written.stored ?? held!;
    const collected = { ...noOutcome(axis), rows: came.rows, requests, findings };
    if (isRefused) {
      const message =
        `${reasons.map(({ detail }) => detail).join(' ')} The data of ` +
        `${held.axis.collectedAt.slice(0, 10)} stays; \`./maru collect ${axis.code} --reparse ` +
        `--accept\` publishes what came.`;
      this.#runs.end(run.id, { state: 'failed', resumable: false, message, rows: came.rows });
      forgetOldRuns(this.#data, this.#runs, axis.code, run.origin);
      const kept = { code: axis.code, quality, collectedAt: null };
      return { ...waitingFor(axis, null, { ...collected, outcome: 'kept', message }), kept };
    }
    if (isSame) {
      const collectedAt = new Date(run.asked).toISOString();
      const isKnown = isTold(held!, quality, collectedAt);
      const kept = isKnown ? null : { code: axis.code, quality, collectedAt };
      return { ...waitingFor(axis, run, { ...collected, outcome: 'unchanged' }), kept };
    }
    const judged: StoredAxis = { ...came, quality };
    const { written, folder } = built;
    const files = { ...written.files, [fileNames.axis]: rewriteAxis(folder, judged) };
    this.#held.built(axis.code);
    return {
      ...waitingFor(axis, run, { ...collected, outcome: 'published' }),
      built: { written: { stored: judged, files }, folder },
    };
  }

  /** The collection ended before everything was asked: what came is stored, what is held stays. */
  #brokenOff(axis: Collectable, run: Run, held: StoredAxis | null, error: unknown): Waiting {
    const { signal } = this.#options;
    const requests = this.#runs.get(run.id).requests;
    const collected = { ...noOutcome(axis), requests };
    if (signal?.aborted === true) {
      const message = `Stopped: \`./maru collect ${axis.code}\` goes on where it was.`;
      this.#end(run, { state: 'interrupted', resumable: true, message });
      return waitingFor(axis, null, { ...collected, outcome: 'interrupted', message });
    }
    if (!(error instanceof Error)) throw error;
    const isQuota = error instanceof PortalError && error.class === 'quota';
    const retryAt = error instanceof PortalError ? error.retryAt : null;
    const kind = kindOfError(error);
    const finding: Finding = { kind, count: 1, detail: error.message };
    const quality = noteFindings(this.#database, axis.code, [finding], this.#clock.now());
    this.#end(run, {
      state: isQuota ? 'parked' : 'failed',
      // What came whole and cannot be read is as good as judged: the next run asks whether there is better.
      resumable: !(error instanceof FileRefused),
      message: error.message,
      parkedUntil: isQuota ? retryAt : null,
    });
    const parkedUntil = isQuota && retryAt !== null ? new Date(retryAt).toISOString() : null;
    const outcome = isQuota ? 'parked' : 'failed';
    return {
      ...waitingFor(axis, null, {
        ...collected,
        outcome,
        message: error.message,
        findings: [finding],
        parkedUntil,
      }),
      kept: held === null ? null : { code: axis.code, quality, collectedAt: null },
    };
  }

  /** Ends a run that came to nothing; one that was only read again is what it was. */
  #end(run: Run, end: RunEnd): void {
    if (this.#options.client !== null || run.resumable) return this.#runs.end(run.id, end);
    const { message } = run;
    this.#runs.end(run.id, {
      state: message === null ? 'done' : 'failed',
      resumable: false,
      message,
    });
  }

  /** Whether an axis that is built may be published: while it waits, its lease is renewed. */
  #isOurs({ run, collected }: Waiting): boolean {
    if (run === null || this.#runs.renew(run.id)) return true;
    const message = `Another process took ${collected.code} over: what it publishes counts.`;
    this.#done[this.#done.indexOf(collected)] = { ...collected, outcome: 'failed', message };
    return false;
  }

  async #publish(): Promise<void> {
    const waiting = this.#waiting.filter((each) => this.#isOurs(each));
    const built = waiting.flatMap((each) => (each.built === null ? [] : [each.built]));
    const kept = waiting.flatMap((each) => (each.kept === null ? [] : [each.kept]));
    if (built.length > 0 || kept.length > 0 || this.#options.builder !== undefined) {
      await this.#publishInOne(built, kept);
    }
    for (const { run, collected } of waiting) {
      if (run === null) continue;
      this.#runs.end(run.id, { state: 'done', resumable: false, rows: collected.rows });
      forgetOldRuns(this.#data, this.#runs, collected.code, run.origin);
    }
    this.#waiting = [];
  }

  async #publishInOne(built: readonly BuiltFolder[], kept: readonly KeptAxis[]): Promise<void> {
    const done = this.#done.filter(({ outcome }) => isDone.has(outcome));
    const codes = done.map(({ code }) => code);
    const collectors = collectorsOf(this.#runs, codes, this.#clock.now());
    const { builder, signal } = this.#options;
    const served = (code: string) => this.#held.served(code);
    const publication = { built, kept, served, collectors, reason: reasonOf(built) };
    this.#snapshot =
      builder === undefined
        ? await publishBuilt(this.#data, publication, this.#clock, signal)
        : await publishInto(builder, publication);
    this.#held.published();
    this.#publishedAt = performance.now();
  }
}

const isDone: ReadonlySet<CollectedAxis['outcome']> = new Set(['published', 'unchanged']);

function waitingFor(axis: Collectable, run: Run | null, collected: CollectedAxis): Waiting {
  return { run, axis, built: null, kept: null, collected };
}

function reasonOf(built: readonly BuiltFolder[]): string {
  const codes = built.map(({ written }) => written.stored.axis.code);
  if (codes.length === 0) return 'Collected nothing new; what is known of the axes has changed.';
  const more = codes.length > 5 ? ` and ${codes.length - 5} more` : '';
  return `Collected ${codes.slice(0, 5).join(', ')}${more}.`;
}
