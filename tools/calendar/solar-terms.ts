import { dayNumber, koreanMoment } from './days.ts';
import type { SpecialDay } from './special-day.ts';
import { sunReaches } from './sun.ts';

/** The 24절기 of a year, from 소한 to 동지: the Korean times at which the sun reaches a multiple of 15 degrees. */
export function solarTerms(year: number): SpecialDay[] {
  let moment = dayNumber(`${year}-01-01`) * 86_400_000;
  return names.map((name, index) => {
    const sunLongitude = longitudeOf(index);
    moment = sunReaches(sunLongitude, moment);
    const { day, hhmm } = koreanMoment(moment);
    return { day, name, kind: '03', isHoliday: false, kst: hhmm, sunLongitude };
  });
}

/** Day number of one solar term. */
export function solarTermDay(year: number, name: SolarTerm): number {
  const from = dayNumber(`${year}-01-01`) * 86_400_000;
  return koreanMoment(sunReaches(longitudeOf(names.indexOf(name)), from)).day;
}

type SolarTerm = (typeof names)[number];

/** Ecliptic longitude of the sun at a term; 소한 is at 285 degrees. */
function longitudeOf(index: number): number {
  return (285 + index * 15) % 360;
}

const names = [
  ...(['소한', '대한', '입춘', '우수', '경칩', '춘분', '청명', '곡우'] as const),
  ...(['입하', '소만', '망종', '하지', '소서', '대서', '입추', '처서'] as const),
  ...(['백로', '추분', '한로', '상강', '입동', '소설', '대설', '동지'] as const),
] as const;
