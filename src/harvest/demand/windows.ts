import { dayMs, koreanDay } from '../../data/korean-time.ts';
import { trendLimits } from './limits.ts';
import type { TrendRequest } from './trend-client.ts';

type TrendWindow = Pick<TrendRequest, 'startDate' | 'endDate' | 'timeUnit'>;

/**
 * The last whole months before a moment. Whole months dampen bursts of a keyword, which scale down the others of its
 * batch. The newest day of data is late, so a month is used from the second day of the next month.
 */
export function trendWindow(now: number): TrendWindow {
  return windowOf(monthsBefore(now), trendLimits.months, 0);
}

/** Parts of the same months; neighbouring anchors are measured in each part. */
export function ladderWindows(now: number): TrendWindow[] {
  const length = trendLimits.months / trendLimits.ladderWindows;
  return Array.from({ length: trendLimits.ladderWindows }, (_, at) =>
    windowOf(monthsBefore(now), length, trendLimits.months - (at + 1) * length),
  );
}

/** Number of whole months since year 0. */
function monthsBefore(now: number): number {
  const [year, month] = koreanDay(now - dayMs)
    .split('-')
    .map(Number);
  return year! * 12 + month! - 1;
}

/** Window of `length` months that ends `offset` months before the month `end`. */
function windowOf(end: number, length: number, offset: number): TrendWindow {
  return {
    startDate: firstDay(end - offset - length),
    endDate: koreanDay(Date.parse(`${firstDay(end - offset)}T00:00:00+09:00`) - dayMs),
    timeUnit: 'month',
  };
}

function firstDay(months: number): string {
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}-01`;
}
