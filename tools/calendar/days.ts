import { dayMs, koreanOffsetMs } from '../../src/data/korean-time.ts';

/** Number of days from 1970-01-01 to an ISO date; `isoDay` is its inverse. */
export function dayNumber(iso: string): number {
  return Math.round(Date.parse(`${iso}T00:00:00Z`) / dayMs);
}

export function isoDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Weekday of a day, where 0 is Sunday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** Index of a day's heavenly stem, 0 to 9, where 0 is 갑(甲). */
export function stemOf(day: number): number {
  return (((day + julianDayOf1970 + 9) % 10) + 10) % 10;
}

/** Day and `hhmm` in Korean time of a UTC time in milliseconds, to the nearest minute. */
export function koreanMoment(utc: number): { readonly day: number; readonly hhmm: string } {
  const iso = new Date(Math.round(utc / 60_000) * 60_000 + koreanOffsetMs).toISOString();
  return { day: dayNumber(iso.slice(0, 10)), hhmm: iso.slice(11, 13) + iso.slice(14, 16) };
}

/** Day number of a date in the Korean lunisolar calendar, outside leap months. */
export function lunarDay(year: number, month: number, date: number): number {
  const first = dayNumber(`${year}-01-15`);
  for (let day = first; day < first + 400; day++) {
    const parts = lunarParts(day);
    if (parts.month === String(month) && parts.day === String(date)) return day;
  }
  throw new RangeError(`the lunar year ${year} has no day ${month}-${date}`);
}

const julianDayOf1970 = 2_440_588;

/** The `dangi` calendar of ICU equals the Korean one on every day of 2018 to 2050; it is a month off in 2017. */
const lunar = new Intl.DateTimeFormat('en-u-ca-dangi', {
  month: 'numeric',
  day: 'numeric',
  timeZone: 'UTC',
});

/** Month and day of the lunisolar calendar. A leap month is `2bis`, which equals no number. */
export function lunarParts(day: number): { readonly month: string; readonly day: string } {
  const parts = lunar.formatToParts(day * dayMs);
  const valueOf = (type: string): string =>
    parts.find((part) => part.type === type)?.value.trim() ?? '';
  return { month: valueOf('month'), day: valueOf('day') };
}
