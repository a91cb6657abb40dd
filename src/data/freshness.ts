import type { Axis } from './axis.ts';
import { dayMs, koreanDay } from './korean-time.ts';

export const freshnessLevels = ['fresh', 'due', 'stale', 'unknown'] as const;
type Freshness = (typeof freshnessLevels)[number];

/**
 * Age of the stored data relative to the update cycle of its source: `due` past one cycle, `stale` past two.
 * Ages are whole days, so that all answers of a day are equal.
 */
export function freshnessOf(axis: Axis, today: string): Freshness {
  const cycleDays = axis.updateCycle === null ? null : daysOf(axis.updateCycle);
  const changedAt = axis.sourceModified ?? axis.collectedAt;
  if (cycleDays === null || Number.isNaN(Date.parse(changedAt))) return 'unknown';
  const ageDays = (Date.parse(today) - Date.parse(koreanDay(changedAt))) / dayMs;
  if (ageDays <= cycleDays) return 'fresh';
  return ageDays <= 2 * cycleDays ? 'due' : 'stale';
}

/** Date of the last change of the data at its source, or else of its collection; a month or year if no day is known. */
export function dateOf({
  sourceModified,
  collectedAt,
}: Pick<Axis, 'sourceModified' | 'collectedAt'>): string {
  return koreanDay(sourceModified ?? collectedAt);
}

/** The date in Seoul, the time zone of the data. */
export function todayInSeoul(now = Date.now()): string {
  return koreanDay(now);
}

/** Days of an ISO 8601 duration, or null. A month counts 31, so that a monthly file is not due on the 31st. */
function daysOf(duration: string): number | null {
  const parts = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(T\d.*)?$/.exec(duration);
  if (parts === null) return null;
  const [years, months, weeks, otherDays] = parts.slice(1, 5).map((part) => Number(part ?? 0));
  const days = years! * 366 + months! * 31 + weeks! * 7 + otherDays!;
  if (days > 0) return days;
  return parts[5] === undefined ? null : 1;
}
