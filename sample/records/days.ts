import type { Source } from '../doors/operations.ts';
import { lazily, type Row } from '../listing.ts';
import { Refusal } from '../refusal.ts';
import { specialDaysOf, specialYears, type SpecialDay } from './special-days.ts';

/** Holidays, anniversaries and solar terms (KASI): facts, not inventions. */
export function daySources(): Readonly<Record<string, Source>> {
  const years = lazily(
    () => new Map(specialYears.map((year) => [year, rowsOf(specialDaysOf(Number(year)))])),
  );
  const source =
    (belongs: (day: SpecialDay) => boolean): Source =>
    (query) => {
      const year = query.get('solYear') ?? '';
      const month = query.get('solMonth') ?? '';
      if (!/^\d{4}$/.test(year) || !/^(?:\d{1,2})?$/.test(month))
        throw new Refusal('10', 'INVALID_REQUEST_PARAMETER_ERROR');
      const inMonth = (day: SpecialDay): boolean =>
        month === '' || day.date.slice(5, 7) === month.padStart(2, '0');
      return (years().get(year) ?? [])
        .filter(({ day }) => belongs(day) && inMonth(day))
        .sort((a, b) => (a.day.date < b.day.date ? -1 : 1))
        .map(({ row }) => row);
    };
  return {
    gen_holideinfo: source(({ kind, national }) => kind === '01' && national),
    gen_restdeinfo: source(({ kind, holiday }) => kind === '01' && holiday),
    gen_anniversaryinfo: source(({ kind }) => kind === '02'),
    gen_24divisionsinfo: source(({ kind }) => kind === '03'),
    gen_sundrydayinfo: source(({ kind }) => kind === '04'),
  };
}

/** The number of a day counts what falls on the same date, over all kinds. */
function rowsOf(days: readonly SpecialDay[]): { day: SpecialDay; row: Row }[] {
  const onDate = new Map<string, number>();
  return days.map((day) => {
    const seq = (onDate.get(day.date) ?? 0) + 1;
    onDate.set(day.date, seq);
    return { day, row: rowOf(day, seq) };
  });
}

function rowOf(day: SpecialDay, seq: number): Row {
  const row: Row = {
    dateKind: day.kind,
    dateName: day.name,
    isHoliday: day.holiday ? 'Y' : 'N',
    ...(day.longitude === null ? {} : { kst: day.kst }),
    locdate: day.date.replaceAll('-', ''),
    seq,
  };
  return day.longitude === null ? row : { ...row, sunLongitude: day.longitude };
}
