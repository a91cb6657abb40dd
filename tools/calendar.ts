import { anniversaries, anniversaryYears } from './calendar/anniversaries.ts';
import { isoDay } from './calendar/days.ts';
import { nationalDays } from './calendar/holidays.ts';
import { solarTerms } from './calendar/solar-terms.ts';
import { calendarYears, yearsOf, type SpecialDay } from './calendar/special-day.ts';
import { sundryDays } from './calendar/sundry-days.ts';

/**
 * Text of `src/data/calendar.json`: the five special-day axes of KASI, with records in the form of its responses.
 * Holidays are from the gazette's list, anniversaries from their rules; the others are computed.
 */
export function calendarFile(): string {
  const years = yearsOf(calendarYears);
  const national = years.flatMap(nationalDays);
  const anniversaryDays = yearsOf(anniversaryYears).flatMap(anniversaries);
  const terms = years.flatMap(solarTerms);
  const sundry = years.flatMap(sundryDays);
  const sequence = sequenceOf([...national, ...anniversaryDays, ...terms, ...sundry]);
  const days = {
    gen_restdeinfo: national.filter(({ isHoliday }) => isHoliday),
    gen_holideinfo: national,
    gen_anniversaryinfo: anniversaryDays,
    gen_24divisionsinfo: terms,
    gen_sundrydayinfo: sundry,
  };
  const axes = axisDefinitions.map(({ code, title, titleEn, provider, columns }) => {
    const rows = days[code].map((day) => columns.map((name) => cellOf(day, name, sequence)));
    const facts = JSON.stringify({ code, title, titleEn, provider, columns }).slice(1, -1);
    return `{${facts},"rows":[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}]}`;
  });
  return `{"axes":[\n${axes.join(',\n')}]}\n`;
}

const dayColumns = ['locdate', 'seq', 'dateKind', 'isHoliday', 'dateName'];
const sunColumns = [...dayColumns, 'kst', 'sunLongitude'];

/** Providers of the axes: the source that each day was taken or computed from, because no record is from the portal. */
const providers = {
  gazette: '우주항공청 월력요항 (관보)',
  rules: '각종 기념일 등에 관한 규정',
  computation: '마루 (천문 계산)',
} as const;

const axisDefinitions = [
  {
    code: 'gen_restdeinfo',
    title: '한국천문연구원_특일 정보 - 공휴일 정보조회',
    titleEn: 'KASI special days - public holidays',
    provider: providers.gazette,
    columns: dayColumns,
  },
  {
    code: 'gen_holideinfo',
    title: '한국천문연구원_특일 정보 - 국경일 정보조회',
    titleEn: 'KASI special days - national days',
    provider: providers.gazette,
    columns: dayColumns,
  },
  {
    code: 'gen_anniversaryinfo',
    title: '한국천문연구원_특일 정보 - 기념일 정보조회',
    titleEn: 'KASI special days - anniversaries',
    provider: providers.rules,
    columns: dayColumns,
  },
  {
    code: 'gen_24divisionsinfo',
    title: '한국천문연구원_특일 정보 - 24절기 정보조회',
    titleEn: 'KASI special days - 24 solar terms',
    provider: providers.computation,
    columns: sunColumns,
  },
  {
    code: 'gen_sundrydayinfo',
    title: '한국천문연구원_특일 정보 - 잡절 정보조회',
    titleEn: 'KASI special days - miscellaneous seasonal days',
    provider: providers.computation,
    columns: sunColumns,
  },
] as const;

function cellOf(
  day: SpecialDay,
  column: string,
  sequence: ReadonlyMap<SpecialDay, number>,
): string | null {
  switch (column) {
    case 'locdate':
      return isoDay(day.day).replaceAll('-', '');
    case 'seq':
      return sequence.get(day)?.toString() ?? null;
    case 'dateKind':
      return day.kind;
    case 'isHoliday':
      return day.isHoliday ? 'Y' : 'N';
    case 'dateName':
      return day.name;
    case 'kst':
      return day.kst;
    default:
      return day.sunLongitude?.toString() ?? null;
  }
}

/** Numbers the days of the same date across all kinds, as KASI does: 식목일 is 1, 한식 on the same date is 2. */
function sequenceOf(days: readonly SpecialDay[]): ReadonlyMap<SpecialDay, number> {
  const onDate = new Map<number, number>();
  const sequence = new Map<SpecialDay, number>();
  for (const day of days) {
    const next = (onDate.get(day.day) ?? 0) + 1;
    onDate.set(day.day, next);
    sequence.set(day, next);
  }
  return sequence;
}
