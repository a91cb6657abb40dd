import { dayNumber, weekdayOf } from './days.ts';
import type { SpecialDay } from './special-day.ts';

/**
 * The 기념일 of a year, by the published lists of 2025 and 2026, which are equal. Earlier years are left out, because
 * 각종 기념일 등에 관한 규정 and other laws had different days then.
 */
export function anniversaries(year: number): SpecialDay[] {
  const fixed = fixedDays.map(([date, name]) => anniversary(dayNumber(`${year}-${date}`), name));
  const moving = movingDays.map(([month, weekday, nth, name]) =>
    anniversary(nthWeekday(year, month, weekday, nth), name),
  );
  return [...fixed, ...moving].sort((left, right) => left.day - right.day);
}

export const anniversaryYears = { first: 2025, last: 2027 } as const;

function anniversary(day: number, name: string): SpecialDay {
  return { day, name, kind: '02', isHoliday: false, kst: null, sunLongitude: null };
}

/** Day of the `nth` weekday of a month, counted from 1; -1 is the last one. */
function nthWeekday(year: number, month: number, weekday: number, nth: number): number {
  const first = dayNumber(`${year}-${String(month).padStart(2, '0')}-01`);
  if (nth > 0) return first + ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7;
  const next = dayNumber(
    month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`,
  );
  return next - 1 - ((weekdayOf(next - 1) - weekday + 7) % 7);
}

const monday = 1;
const tuesday = 2;
const wednesday = 3;
const friday = 5;
const saturday = 6;

const movingDays: readonly (readonly [
  month: number,
  weekday: number,
  nth: number,
  name: string,
])[] = [
  [3, wednesday, 3, '상공의 날'],
  [3, friday, 4, '서해수호의 날'],
  [4, friday, 1, '예비군의 날'],
  [4, friday, 4, '순직의무군경의 날'],
  [5, monday, 3, '성년의 날'],
  [7, wednesday, 2, '정보보호의 날'],
  [9, saturday, 3, '청년의 날'],
  [10, saturday, 3, '문화의 날'],
  [10, tuesday, -1, '금융의 날'],
];

const fixedDays: readonly (readonly [date: string, name: string])[] = `
  02-28 2·28 민주운동 기념일
  03-03 납세자의 날
  03-08 3·8민주의거 기념일
  03-15 3·15 의거 기념일
  03-19 의용소방대의 날
  04-03 4·3희생자 추념일
  04-05 식목일
  04-07 보건의 날
  04-11 대한민국임시정부 수립기념일
  04-11 도시농업의 날
  04-19 4·19혁명 기념일
  04-20 장애인의 날
  04-21 과학의 날
  04-22 정보통신의 날
  04-25 법의 날
  04-28 충무공 이순신 탄신일
  05-01 근로자의 날
  05-05 어린이 날
  05-08 어버이 날
  05-10 유권자의 날
  05-11 동학농민혁명 기념일
  05-11 입양의 날
  05-14 식품안전의 날
  05-15 스승의 날
  05-18 5·18민주화운동 기념일
  05-19 발명의 날
  05-20 세계인의 날
  05-21 부부의 날
  05-29 해외 파병용사의 날
  05-31 바다의 날
  06-01 의병의 날
  06-05 환경의 날
  06-06 현충일
  06-09 구강보건의 날
  06-10 6·10민주항쟁 기념일
  06-10 6·10만세운동 기념일
  06-24 전자정부의 날
  06-25 6·25전쟁일
  06-26 마약퇴치의 날
  06-28 철도의 날
  07-11 인구의 날
  07-14 북한이탈주민의 날
  07-27 유엔군 참전의 날
  08-08 섬의 날
  09-07 푸른 하늘의 날
  09-07 사회복지의 날
  09-07 곤충의 날
  09-10 해양경찰의 날
  09-30 조달의 날
  09-30 개인정보 보호의 날
  10-01 국군의 날
  10-02 노인의 날
  10-05 세계 한인의 날
  10-08 재향군인의 날
  10-10 임산부의 날
  10-10 정신건강의 날
  10-15 스포츠의 날
  10-16 부마민주항쟁 기념일
  10-21 경찰의 날
  10-24 국제연합일
  10-28 교정의 날
  10-29 지방자치 및 균형발전의 날
  11-03 학생독립운동 기념일
  11-09 소방의 날
  11-11 농업인의 날
  11-11 유엔참전용사 국제추모의 날
  11-17 순국선열의 날
  11-19 아동학대 예방의 날
  11-22 김치의 날
  12-03 소비자의 날
  12-05 무역의 날
  12-05 자원봉사자의 날
  12-27 원자력 안전 및 진흥의 날
`
  .trim()
  .split('\n')
  .map((line) => line.trim())
  .map((line) => [line.slice(0, 5), line.slice(6)] as const);
