import type { DatabaseSync } from 'node:sqlite';
import type { Origin } from '../../data/axis.ts';
import type { Clock } from '../client/clock.ts';
import { PortalError } from '../client/portal-error.ts';
import { Lease } from './attempt.ts';
import { forgetOldRuns, rawFolder } from './earlier-runs.ts';
import { noteFindings } from './findings.ts';
import type { Finding } from './gates.ts';
import { nothingYet, type CollectedAxis, type CollectionOutcome } from './outcome.ts';
import type { Run, Runs } from './runs.ts';
import { ResponseStore } from './response-store.ts';

/** What a collection at a door came to. */
export interface DoorOutcome extends CollectionOutcome {
  /** `kept`: the last good data stays, for the reasons in `findings`. `skipped`: there was nothing to do. */
  readonly outcome: Exclude<CollectedAxis['outcome'], 'unchanged'>;
  /** Datasets, or keywords. */
  readonly entries: number;
}

export interface DoorSession {
  readonly data: string;
  readonly database: DatabaseSync;
  readonly runs: Runs;
  readonly clock: Clock;
  readonly origin: Origin;
  readonly signal: AbortSignal | undefined;
  /** Reads the answers of the last run and asks nobody. */
  readonly reparse: boolean;
}

export interface OpenRun {
  readonly run: Run;
  readonly store: ResponseStore;
  /** The folder of the run. */
  readonly folder: string;
  /** Counts an answer and what it held. */
  count(entries: number): void;
  readonly requests: number;
}

export type Attempted<Result> =
  | { readonly run: Run; readonly requests: number; readonly result: Result }
  | { readonly run: null; readonly ended: DoorOutcome };

export const noDoorOutcome: DoorOutcome = { outcome: 'failed', entries: 0, ...nothingYet };

/**
 * Runs one collection under its lease: the run that was not finished goes on with the answers it has. One
 * that fails is noted here; one that comes to its end waits for `settleRun`.
 */
export async function attemptDoor<Result>(
  session: DoorSession,
  code: string,
  asked: { readonly resumableMs: number; readonly planned: number },
  attempt: (open: OpenRun) => Promise<Result>,
): Promise<Attempted<Result>> {
  const { data, runs, origin, reparse } = session;
  let run: Run;
  try {
    run = reparse ? runs.again(code) : runs.begin(code, origin, { ...asked, since: null });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { run: null, ended: { ...noDoorOutcome, message: error.message } };
  }
  let requests = 0;
  try {
    const folder = rawFolder(data, code, run.id);
    using store = new ResponseStore(folder, () => session.clock.now(), reparse);
    using lease = new Lease(run, runs);
    const open: OpenRun = {
      run,
      store,
      folder,
      count(entries) {
        requests++;
        lease.count(entries);
      },
      get requests() {
        return requests;
      },
    };
    const result = await attempt(open);
    lease.renew();
    return { run, requests, result };
  } catch (error) {
    return { run: null, ended: brokenOff(session, run, requests, error) };
  }
}

/**
 * Where the data of a collection is from: answers that are read again come from where they came. Throws where
 * the last runs are of two origins, which nobody may mix.
 */
export function originOfRuns(runs: Runs, codes: readonly string[], asked: Origin | null): Origin {
  if (asked !== null) return asked;
  const last = runs.latest().filter(({ axis }) => codes.includes(axis));
  const [origin = 'portal', ...others] = new Set(last.map((run) => run.origin));
  if (others.length === 0) return origin;
  throw new Error(
    'The last answers are of the portal and of the sample portal: name the parts to read.',
  );
}

/** Ends a run that came to its end: published, or kept back for what was found. */
export function settleRun(
  { data, database, runs, clock }: DoorSession,
  run: Run,
  entries: number,
  findings: readonly Finding[],
  message: string | null,
): void {
  noteFindings(database, run.axis, findings, clock.now());
  const state = message === null ? 'done' : 'failed';
  runs.end(run.id, { state, resumable: false, message, rows: entries });
  if (message === null) forgetOldRuns(data, runs, run.axis, run.origin);
}

function brokenOff(
  { database, runs, clock, signal }: DoorSession,
  run: Run,
  requests: number,
  error: unknown,
): DoorOutcome {
  if (signal?.aborted === true) {
    const message = 'Stopped: the same command goes on where it was.';
    runs.end(run.id, { state: 'interrupted', resumable: true, message });
    return { ...noDoorOutcome, outcome: 'interrupted', requests, message };
  }
  if (!(error instanceof Error)) throw error;
  const { message } = error;
  const isQuota = error instanceof PortalError && error.class === 'quota';
  const parkedUntil = isQuota ? error.retryAt : null;
  const kind = isQuota ? 'waiting_for_quota' : 'not_collected';
  const findings: Finding[] = [{ kind, count: 1, detail: message }];
  noteFindings(database, run.axis, findings, clock.now());
  const state = isQuota ? 'parked' : 'failed';
  runs.end(run.id, { state, resumable: true, message, parkedUntil });
  return {
    outcome: state,
    entries: 0,
    requests,
    findings,
    message,
    parkedUntil: parkedUntil === null ? null : new Date(parkedUntil).toISOString(),
  };
}
