import {
  y2018,
  y2019,
  y2020,
  y2021,
  y2022,
  y2023,
  y2024,
  y2025,
  y2026,
  y2027,
} from '@hyunbinseo/holidays-kr/all';
import { anniversaries } from './anniversaries.ts';
import { momentOfLongitude } from './sun.ts';

/** One special day as the astronomy institute lists it. */
export interface SpecialDay {
  /** `2026-06-06`. */
  readonly date: string;
  /** 01 국경일, 02 기념일, 03 24절기, 04 잡절. */
  readonly kind: '01' | '02' | '03' | '04';
  readonly name: string;
  readonly holiday: boolean;
  /** Belongs to the list of 국경일 (which has 제헌절 even in years when it was no holiday). */
  readonly national: boolean;
  /** `0659` in Seoul and the sun's longitude; 24절기 only. */
  readonly kst: string;
  readonly longitude: number | null;
}

/** Years whose holidays are known from the gazette. */
export const specialYears = Object.keys(gazette());

/** Every special day of a year, by kind; true facts, computed or from the gazette. */
export function specialDaysOf(year: number): SpecialDay[] {
  if (!specialYears.includes(String(year))) return [];
  return [...nationalDays(year), ...memorialDays(year), ...solarTerms(year), ...customDays(year)];
}

function gazette(): Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> {
  return {
    2018: y2018,
    2019: y2019,
    2020: y2020,
    2021: y2021,
    2022: y2022,
    2023: y2023,
    2024: y2024,
    2025: y2025,
    2026: y2026,
    2027: y2027,
  };
}

/** The institute's wording where the gazette's differs. */
const institutesNames: Readonly<Record<string, string>> = {
  '1월 1일': '1월1일',
  '설날 전날': '설날',
  '설날 다음 날': '설날',
  '추석 전날': '추석',
  '추석 다음 날': '추석',
  '3ㆍ1절': '삼일절',
  '부처님 오신 날': '부처님오신날',
};

function nationalDays(year: number): SpecialDay[] {
  const holidays = Object.entries(gazette()[year] ?? {}).flatMap(([date, names]) =>
    names.map((name) => plainDay(date, '01', institutesNames[name] ?? name, true)),
  );
  const constitution = `${year}-07-17`;
  if (holidays.some(({ date }) => date === constitution)) return holidays;
  return [...holidays, plainDay(constitution, '01', '제헌절', false)];
}

function plainDay(
  date: string,
  kind: SpecialDay['kind'],
  name: string,
  holiday: boolean,
): SpecialDay {
  const extra = /^(?:대체공휴일|임시공휴일)|선거/.test(name);
  return { date, kind, name, holiday, national: !extra, kst: '', longitude: null };
}

function memorialDays(year: number): SpecialDay[] {
  return anniversaries(year).map(({ date, name }) => plainDay(date, '02', name, false));
}

const termNames = [
  '소한',
  '대한',
  '입춘',
  '우수',
  '경칩',
  '춘분',
  '청명',
  '곡우',
  '입하',
  '소만',
  '망종',
  '하지',
  '소서',
  '대서',
  '입추',
  '처서',
  '백로',
  '추분',
  '한로',
  '상강',
  '입동',
  '소설',
  '대설',
  '동지',
] as const;

function solarTerms(year: number): SpecialDay[] {
  return termNames.map((name, at) => {
    const longitude = (285 + 15 * at) % 360;
    const near = Date.UTC(year, 0, 6) + at * 15.22 * 86_400_000;
    // The institute rounds to the nearest minute.
    const moment = momentOfLongitude(longitude, near) + 30_000;
    const seoul = new Date(moment + 9 * 3_600_000).toISOString();
    const kst = seoul.slice(11, 16).replace(':', '');
    return { ...plainDay(seoul.slice(0, 10), '03', name, false), kst, longitude };
  });
}

function customDays(year: number): SpecialDay[] {
  const winter = dateOfTerm(year - 1, '동지');
  const days: [string, string][] = [
    [lunarDate(year, 1, 15), '정월대보름'],
    [plusDays(winter, 105), '한식'],
    [lunarDate(year, 5, 5), '단오'],
    [geng(dateOfTerm(year, '하지'), 2), '초복'],
    [geng(dateOfTerm(year, '하지'), 3), '중복'],
    [geng(dateOfTerm(year, '입추'), 0), '말복'],
    [lunarDate(year, 7, 7), '칠석'],
  ];
  return days
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, name]) => plainDay(date, '04', name, false));
}

function dateOfTerm(year: number, name: (typeof termNames)[number]): string {
  return solarTerms(year).find((day) => day.name === name)?.date ?? '';
}

/** The day 庚 number `count` (from 0) on or after a date: one in every ten days. */
function geng(date: string, count: number): string {
  const dayNumber = Math.floor(Date.parse(`${date}T00:00:00Z`) / 86_400_000);
  // 1970-01-01 was 辛巳, the day after a 庚.
  const wait = (((9 - dayNumber) % 10) + 10) % 10;
  return plusDays(date, wait + 10 * count);
}

function plusDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

const lunar = new Intl.DateTimeFormat('en-u-ca-dangi', {
  timeZone: 'UTC',
  month: 'numeric',
  day: 'numeric',
});

/** A day of the Korean lunar calendar; leap months are written otherwise (`4bis`) and never match. */
function lunarDate(year: number, month: number, day: number): string {
  for (let at = 0; at < 365; at++) {
    const moment = Date.UTC(year, 0, 20) + at * 86_400_000;
    const parts = lunar.formatToParts(moment);
    const read = (type: string): string | undefined =>
      parts.find((part) => part.type === type)?.value;
    if (read('month') === String(month) && read('day') === String(day))
      return new Date(moment).toISOString().slice(0, 10);
  }
  throw new Error(`${year} has no day ${month}/${day} in the lunar calendar.`);
}
