import { dayMs } from '../data/korean-time.ts';
import { dayText } from './seoul-day.ts';

/**
 * Writes milliseconds since 1970 as RFC 3339 in UTC, `2026-01-02T03:04:05.678Z`, for the years 0 to 9999. The text
 * equals that of `Date.toISOString`, in a third of the time.
 */
export function instantText(ms: number): string {
  const day = Math.floor(ms / dayMs);
  const inDay = ms - day * dayMs;
  const seconds = Math.floor(inDay / 1000);
  const minutes = Math.floor(seconds / 60);
  const time = `${digits(Math.floor(minutes / 60))}:${digits(minutes % 60)}:${digits(seconds % 60)}`;
  return `${cachedDayText(day)}T${time}.${digits(inDay - seconds * 1000, 3)}Z`;
}

/** Limit of the cache, which most services never reach: members are created on some thousands of days. */
const daysMax = 10_000;
const days = new Map<number, string>();

function cachedDayText(day: number): string {
  let text = days.get(day);
  if (text === undefined) {
    if (days.size >= daysMax) days.clear();
    days.set(day, (text = dayText(day)));
  }
  return text;
}

function digits(value: number, width = 2): string {
  return String(value).padStart(width, '0');
}
