import { dayMs, koreanOffsetMs } from '../data/korean-time.ts';

/** Days since 1970-01-01 in Asia/Seoul. */
export function seoulDay(ms: number): number {
  return Math.floor((ms + koreanOffsetMs) / dayMs);
}

/** The first millisecond of a Seoul day. */
export function startOfSeoulDay(day: number): number {
  return day * dayMs - koreanOffsetMs;
}

/** Number of the week of a day. Weeks run from Monday to Sunday; 1970-01-01 was a Thursday. */
export function weekOf(day: number): number {
  return Math.floor((day + 3) / 7);
}

export function firstDayOfWeek(week: number): number {
  return week * 7 - 3;
}

/** A day as text, such as `2026-11-21`. */
export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
