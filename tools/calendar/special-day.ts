/** A day with a name, as the official calendar lists it. */
export interface SpecialDay {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly name: string;
  readonly kind: DayKind;
  /** True if public offices are closed. */
  readonly isHoliday: boolean;
  /** Time `hhmm` in Korea at which the sun reaches its position; null for other days. */
  readonly kst: string | null;
  /** Ecliptic longitude in degrees; null for days that do not depend on the sun. */
  readonly sunLongitude: number | null;
}

/** The codes of KASI: 01 국경일 and holidays, 02 기념일, 03 24절기, 04 잡절. */
type DayKind = '01' | '02' | '03' | '04';

/** First and last year of holidays, solar terms and sundry days, as in the gazette's list. */
export const calendarYears = { first: 2018, last: 2027 } as const;

export function yearsOf({
  first,
  last,
}: {
  readonly first: number;
  readonly last: number;
}): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
