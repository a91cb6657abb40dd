import type { Origin } from '../../data/axis.ts';
import { dayMs, hourMs } from '../portal/korean-time.ts';
import type { Run, Runs } from './runs.ts';

/** Milliseconds of an ISO 8601 duration, a month as 30 days. Throws on anything else. */
export function durationMs(duration: string): number {
  const parts =
    /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(
      duration,
    );
  if (parts === null) throw new Error(`“${duration}” is no duration such as P1D or PT1H.`);
  const [years, months, weeks, days, hours, minutes, seconds] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  const wholeDays = years! * 365 + months! * 30 + weeks! * 7 + days!;
  return wholeDays * dayMs + hours! * hourMs + minutes! * 60_000 + seconds! * 1_000;
}

/**
 * Whether an axis is to be collected now: when its cycle is over since the last collection, when a parked
 * run may go on, or when one was broken off.
 */
export function isDue(axis: Scheduled, runs: Runs, origin: Origin, now: number): boolean {
  const last = runs.latest().find((run) => run.axis === axis.code && run.origin === origin);
  if (last !== undefined && isWaiting(last, now, axis.restMs ?? failureRestMs)) return false;
  if (last?.state === 'interrupted' || (last?.state === 'parked' && last.resumable)) return true;
  const done = runs.lastDone(axis.code, origin);
  return done === null || now - done.asked >= durationMs(axis.schedule);
}

export interface Scheduled {
  readonly code: string;
  /** ISO 8601 duration between collections. */
  readonly schedule: string;
  /** How long a failed run rests; an hour when not given. */
  readonly restMs?: number;
}

/** A failed run rests for a while: what is wrong is mostly for a person to mend. */
function isWaiting(run: Run, now: number, restMs: number): boolean {
  if (run.state === 'running') return true;
  if (run.state === 'parked') return (run.parkedUntil ?? 0) > now;
  return run.state === 'failed' && now - (run.finished ?? 0) < restMs;
}

const failureRestMs = hourMs;
