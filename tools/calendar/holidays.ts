import * as gazette from '@hyunbinseo/holidays-kr/all';
import { dayNumber } from './days.ts';
import type { SpecialDay } from './special-day.ts';

/** Public holidays of a year in the gazette's 월력요항, with substitute holidays and election days. */
function publicHolidays(year: number): SpecialDay[] {
  return Object.entries(byYear.get(year) ?? {}).flatMap(([date, names]) =>
    names.map((name) => holiday(date, spelledByKasi(name), true)),
  );
}

/** Public holidays and 제헌절, which is a national day even in years in which offices were open. */
export function nationalDays(year: number): SpecialDay[] {
  const days = publicHolidays(year);
  if (days.some(({ name }) => name === '제헌절')) return days;
  return [...days, holiday(`${year}-07-17`, '제헌절', false)].sort(
    (left, right) => left.day - right.day,
  );
}

const byYear: ReadonlyMap<number, Readonly<Record<string, readonly string[]>>> = new Map(
  Object.entries(gazette).map(([key, days]) => [Number(key.slice(1)), days]),
);

function holiday(date: string, name: string, isHoliday: boolean): SpecialDay {
  return { day: dayNumber(date), name, kind: '01', isHoliday, kst: null, sunLongitude: null };
}

/** Converts a name of the gazette, such as 3ㆍ1절 or 설날 전날, to KASI’s spelling: 삼일절, 설날. */
function spelledByKasi(name: string): string {
  return name
    .replace(/ (?:전날|다음 날)$/, '')
    .replace('3ㆍ1절', '삼일절')
    .replace('부처님 오신 날', '부처님오신날')
    .replace(/^1월 1일$/, '1월1일');
}
