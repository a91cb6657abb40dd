import type { Axis } from '../data/axis.ts';
import { dayMs, koreanDay } from '../data/korean-time.ts';

export const freshnesses = ['fresh', 'due', 'stale', 'unknown'] as const;
type Freshness = (typeof freshnesses)[number];

/**
 * Age of the stored data relative to the update cycle of its source: `due` past one cycle, `stale` past two.
 * Counted in whole days so that one day's answers are equal.
 */
export function freshnessOf(axis: Axis, today: string): Freshness {
  const cycle = axis.updateCycle === null ? null : daysOf(axis.updateCycle);
  const changed = axis.sourceModified ?? axis.collectedAt;
  if (cycle === null || Number.isNaN(Date.parse(changed))) return 'unknown';
  const age = (Date.parse(today) - Date.parse(koreanDay(changed))) / dayMs;
  if (age <= cycle) return 'fresh';
  return age <= 2 * cycle ? 'due' : 'stale';
}

/** The date in Seoul, where the data is from. */
export function todayInSeoul(now = Date.now()): string {
  return koreanDay(now);
}

/** Days of an ISO 8601 duration, a month as 31 so that a monthly file is not due on the 31st; null for none. */
function daysOf(duration: string): number | null {
  const parts = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(T\d.*)?$/.exec(duration);
  if (parts === null) return null;
  const [years, months, weeks, days] = parts.slice(1, 5).map((part) => Number(part ?? 0));
  const whole = years! * 366 + months! * 31 + weeks! * 7 + days!;
  if (whole > 0) return whole;
  return parts[5] === undefined ? null : 1;
}
