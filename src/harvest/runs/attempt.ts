import type { DatabaseSync } from 'node:sqlite';
import type { StoredAxis, Origin } from '../../data/axis.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import type { AxisDefinition } from '../operations/definition.ts';
import type { PortalClient } from '../client/portal-client.ts';
import { AxisResponses } from './axis-responses.ts';
import { buildAxis } from './build-axis.ts';
import { collectAxis } from './collect-axis.ts';
import { emptyBefore, lostBefore } from './earlier-runs.ts';
import { inspect, type Finding } from './gates.ts';
import { builtFolder, type HeldAxes } from './held.ts';
import { licenseOfAxis } from './license.ts';
import { runLimits } from './limits.ts';
import { openResponses } from './earlier-runs.ts';
import type { ResponseStore } from './response-store.ts';
import type { Run, Runs } from './runs.ts';

export interface AttemptOptions {
  readonly data: string;
  readonly database: DatabaseSync;
  readonly runs: Runs;
  readonly held: HeldAxes;
  readonly client: PortalClient | null;
  readonly origin: Origin;
  readonly signal: AbortSignal | undefined;
  /** After each answer: how many so far, how many there may be, their rows, and bytes of a file under way. */
  readonly onAnswer: (requests: number, planned: number, rows: number, bytes?: number) => void;
}

export interface Attempt {
  /** What came, and where it was built; null where it is known without building to be what is held. */
  readonly built: BuiltFolder | null;
  /** The axis of the same origin that it would replace. */
  readonly held: StoredAxis | null;
  readonly findings: readonly Finding[];
  readonly requests: number;
}

export interface BuiltFolder {
  readonly written: WrittenAxis;
  readonly folder: string;
}

/** One run of one axis: asks what is not stored, builds the axis and inspects it. Throws `PortalError`. */
export async function attemptAxis(
  axis: AxisDefinition,
  run: Run,
  options: AttemptOptions,
): Promise<Attempt> {
  const { data, database, runs, held, origin } = options;
  using store = openResponses(data, run, runs, options.client === null);
  using lease = new Lease(run, runs);
  const responses = axisResponses(axis, store, lease, options);
  const collected = await collectAxis(axis, {
    responses,
    now: run.asked,
    since: run.since,
    recordsOf: (code) => held.records(code),
    wasEmpty: emptyBefore(data, runs, axis.code, origin),
  });
  const served = held.served(axis.code);
  const isSame = served?.axis.origin === origin;
  const join = axis.region.join?.axis;
  using before = isSame ? held.openServed(axis.code) : null;
  using neighbour = join === undefined ? null : held.open(join);
  const folder = builtFolder(data, axis.code);
  const collectedAt = new Date(run.asked).toISOString();
  const { written, came } = await buildAxis({
    axis,
    collected,
    responses,
    origin,
    collectedAt,
    license: licenseOfAxis(data, axis),
    before,
    neighbour,
    folder,
  });
  lease.renew();
  const replaced = isSame ? served : null;
  const findings = inspect(came, replaced, lostBefore(database, axis.code));
  return { built: { written, folder }, held: replaced, findings, requests: lease.requests };
}

/** The responses of a run of an axis; each renews the lease and is reported as progress. */
export function axisResponses(
  axis: AxisDefinition,
  store: ResponseStore,
  lease: Lease,
  { client, signal, onAnswer }: AttemptOptions,
): AxisResponses {
  return new AxisResponses({
    store,
    axis,
    client,
    ...(signal === undefined ? {} : { signal }),
    onResponse: (rows) => {
      lease.count(rows);
      onAnswer(lease.requests, lease.planned, lease.rows);
    },
  });
}

/** Signs of life while a run is under way, with how far it is. */
export class Lease implements Disposable {
  readonly run: number;
  readonly #runs: Runs;
  readonly #timer: NodeJS.Timeout;
  #renewedAt = performance.now();
  requests = 0;
  planned: number;
  rows = 0;

  constructor({ id, planned }: Run, runs: Runs) {
    this.run = id;
    this.#runs = runs;
    this.planned = planned;
    this.#timer = setInterval(() => this.#renewQuietly(), runLimits.heartbeatMs);
    this.#timer.unref();
  }

  count(rows: number): void {
    this.requests++;
    this.rows += rows;
    this.planned = Math.max(this.planned, this.requests);
    if (performance.now() - this.#renewedAt > runLimits.heartbeatMs) this.renew();
  }

  /** Throws when another process has taken the axis. */
  renew(): void {
    this.#renewedAt = performance.now();
    this.#runs.beat(this.run, this.requests, this.planned, this.rows);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** A timer has nobody to throw to: the next answer meets the same refusal. */
  #renewQuietly(): void {
    try {
      this.renew();
    } catch {
      clearInterval(this.#timer);
    }
  }
}
