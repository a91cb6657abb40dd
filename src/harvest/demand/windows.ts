import { dayMs, koreanDay } from '../../data/korean-time.ts';
import { trendLimits } from './limits.ts';
import type { TrendRequest } from './trend-client.ts';

type TrendWindow = Pick<TrendRequest, 'startDate' | 'endDate' | 'timeUnit'>;

/**
 * The last whole months before a moment, by month: one burst of a keyword presses the others in its batch
 * less, and no unit is incomplete. The newest day is late, so a month counts from its second day on.
 */
export function trendWindow(now: number): TrendWindow {
  return windowOf(monthsBefore(now), trendLimits.months, 0);
}

/** The same months in parts: neighbours of the ladder are measured in each. */
export function ladderWindows(now: number): TrendWindow[] {
  const length = trendLimits.months / trendLimits.ladderWindows;
  return Array.from({ length: trendLimits.ladderWindows }, (_, at) =>
    windowOf(monthsBefore(now), length, trendLimits.months - (at + 1) * length),
  );
}

/** Months since year 0 until the one that is not over. */
function monthsBefore(now: number): number {
  const [year, month] = koreanDay(now - dayMs)
    .split('-')
    .map(Number);
  return year! * 12 + month! - 1;
}

/** `length` months, of which the last ends `before` months before the end. */
function windowOf(end: number, length: number, before: number): TrendWindow {
  return {
    startDate: firstDay(end - before - length),
    endDate: koreanDay(Date.parse(`${firstDay(end - before)}T00:00:00+09:00`) - dayMs),
    timeUnit: 'month',
  };
}

function firstDay(months: number): string {
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}-01`;
}
