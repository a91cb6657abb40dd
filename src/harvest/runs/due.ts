import type { Origin } from '../../data/axis.ts';
import { dayMs, hourMs } from '../../data/korean-time.ts';
import type { Run, Runs } from './runs.ts';

/** Converts an ISO 8601 duration to milliseconds, with months of 30 days. Throws for any other text. */
export function durationMs(duration: string): number {
  const parts =
    /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(
      duration,
    );
  if (parts === null)
    throw new Error(`“${duration}” is not an ISO 8601 duration: write it like P1D or PT1H.`);
  const [years, months, weeks, days, hours, minutes, seconds] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  const wholeDays = years! * 365 + months! * 30 + weeks! * 7 + days!;
  return wholeDays * dayMs + hours! * hourMs + minutes! * 60_000 + seconds! * 1_000;
}

/** True if a source must be collected now: its cycle is over, or a parked or interrupted run can be resumed. */
export function isDue(source: ScheduledSource, runs: Runs, origin: Origin, now: number): boolean {
  const last = runs.latest().find((run) => run.axis === source.code && run.origin === origin);
  const cycleMs = durationMs(source.schedule);
  if (last !== undefined && isWaiting(last, now, source.restMs ?? failureRestMs, cycleMs)) {
    return false;
  }
  if (last?.state === 'interrupted' || (last?.state === 'parked' && last.resumable)) return true;
  const done = runs.lastDone(source.code, origin);
  return done === null || !isWithin(done.moment, now, cycleMs - Math.min(cycleMs / 10, slackMs));
}

/** A source with its cycle. */
interface ScheduledSource {
  readonly code: string;
  /** ISO 8601 duration between collections. */
  readonly schedule: string;
  /** Pause after a failed run; an hour by default. */
  readonly restMs?: number;
}

/**
 * True for a run that is under way, parked, or resting after a failure. A failed run rests for `restMs`, since an
 * operator usually has to act. A run whose data the gates rejected rests for a cycle, at most for a day.
 */
function isWaiting(run: Run, now: number, restMs: number, cycleMs: number): boolean {
  if (run.state === 'running') return true;
  if (run.state === 'parked')
    return (run.parkedUntil ?? 0) > now && isWithin(run.parkedUntil, now, parkedMsMax);
  const rest = run.resumable ? restMs : Math.max(restMs, Math.min(cycleMs, dayMs));
  return run.state === 'failed' && isWithin(run.finished, now, rest);
}

/** True if two moments are less than `ms` apart, in either direction: a wrong clock must not stop an axis for years. */
function isWithin(moment: number | null, now: number, ms: number): boolean {
  return moment !== null && Math.abs(now - moment) < ms;
}

/** Tolerance for a scheduler that starts early, so that no hourly collection is skipped. */
const slackMs = 5 * 60_000;
const failureRestMs = hourMs;
/** Runs are parked until midnight; a later time comes from a wrong clock. */
const parkedMsMax = 2 * dayMs;
