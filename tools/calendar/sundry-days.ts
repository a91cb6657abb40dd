import { lunarDay, stemOf } from './days.ts';
import { solarTermDay } from './solar-terms.ts';
import type { SpecialDay } from './special-day.ts';

/**
 * The 잡절 of a year as KASI lists them: three of the lunar calendar, 한식 on the 105th day after 동지, and the
 * three dog days. 토왕용사 is in its guide, but neither in its responses nor here.
 */
export function sundryDays(year: number): SpecialDay[] {
  const firstDogDay = stemDayFrom(solarTermDay(year, '하지'), gyeongStem) + 20;
  const days: readonly (readonly [string, number])[] = [
    ['정월대보름', lunarDay(year, 1, 15)],
    ['한식', solarTermDay(year - 1, '동지') + 105],
    ['단오', lunarDay(year, 5, 5)],
    ['초복', firstDogDay],
    ['중복', firstDogDay + 10],
    ['말복', stemDayFrom(solarTermDay(year, '입추'), gyeongStem)],
    ['칠석', lunarDay(year, 7, 7)],
  ];
  return days
    .map(([name, day]): SpecialDay => ({
      day,
      name,
      kind: '04',
      isHoliday: false,
      kst: null,
      sunLongitude: null,
    }))
    .sort((left, right) => left.day - right.day);
}

/** 庚, the seventh stem: 초복 and 중복 are the third and fourth such day from 하지, 말복 the first from 입추. */
const gyeongStem = 6;

/** The first day of a stem, the day itself included. */
function stemDayFrom(day: number, stem: number): number {
  return day + ((stem - stemOf(day) + 10) % 10);
}
