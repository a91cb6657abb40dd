import { dayMs, koreanOffsetMs } from '../../src/data/korean-time.ts';

/** Number of days from 1970-01-01 to an ISO date; `isoDay` is its inverse. */
export function dayNumber(iso: string): number {
  return Math.round(Date.parse(`${iso}T00:00:00Z`) / dayMs);
}

export function isoDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Weekday of a day, where 0 is Sunday. Day 0 was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** Stem of a day in the ten-day cycle of heavenly stems, where 0 is 갑(甲). Day 0 had stem 7. */
export function stemOf(day: number): number {
  return (((day + 7) % 10) + 10) % 10;
}

/** Korean day and time (`hhmm`) of a UTC time in milliseconds, to the nearest minute. */
export function koreanMoment(utcMs: number): { readonly day: number; readonly hhmm: string } {
  const iso = new Date(Math.round(utcMs / 60_000) * 60_000 + koreanOffsetMs).toISOString();
  return { day: dayNumber(iso.slice(0, 10)), hhmm: iso.slice(11, 13) + iso.slice(14, 16) };
}

/** Day number of a date in the Korean lunisolar calendar: in the months 1 to 11, but not in a leap month. */
export function lunarDay(year: number, month: number, dayOfMonth: number): number {
  // The lunar year begins on 21 January at the earliest, and ends within 400 days of it.
  const first = dayNumber(`${year}-01-21`);
  for (let day = first; day < first + 400; day++) {
    const parts = lunarParts(day);
    if (parts.month === String(month) && parts.day === String(dayOfMonth)) return day;
  }
  throw new RangeError(`the lunar year ${year} has no day ${month}-${dayOfMonth}`);
}

/** The `dangi` calendar of ICU equals the Korean one on every day of 2018 to 2050; it is a month off in 2017. */
const lunar = new Intl.DateTimeFormat('en-u-ca-dangi', {
  month: 'numeric',
  day: 'numeric',
  timeZone: 'UTC',
});

/** Month and day of the lunisolar calendar. A leap month is written `2bis`, so it never equals a number. */
export function lunarParts(day: number): { readonly month: string; readonly day: string } {
  const parts = lunar.formatToParts(day * dayMs);
  const valueOf = (type: string): string =>
    parts.find((part) => part.type === type)?.value.trim() ?? '';
  return { month: valueOf('month'), day: valueOf('day') };
}
