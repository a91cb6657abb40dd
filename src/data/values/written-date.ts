import { isDay, isMonth } from './date-shape.ts';

/**
 * Reads a date as people write it: `2024년 3월 5일`, `'24.3.5`, `2024-03-05 오후 2:30`, `05-MAR-24` of Oracle. A month,
 * a quarter or half a year (`2024-03`, `2024년 3분기`, `2024.3/4`) gives its first day. Null for any other text.
 */
export function readWrittenDate(text: string): WrittenDate | null {
  if (text.length > lengthMax || !mayBeDate.test(text)) return null;
  if (shortPattern.test(text)) {
    const date = readWrittenDate(`'${text}`);
    return date === null ? null : { ...date, isShort: true };
  }
  const month = monthPattern.exec(text);
  if (month !== null) return readMonth(Number(month[1]), Number(month[2]));
  const namedMonth = namedMonthPattern.exec(text)?.groups;
  if (namedMonth !== undefined) return readNamedMonth(namedMonth);
  const period = periodPattern.exec(text);
  if (period !== null) return readPeriod(period.groups!);
  const match = dayPattern.exec(text)?.groups;
  if (match === undefined) return null;
  const year = match['year'] ?? String(fullYear(Number(match['short'])));
  const day = Number(year) * 10_000 + Number(match['month']) * 100 + Number(match['day']);
  if (!isDay(day)) return null;
  if (match['hour'] === undefined) return { value: day, hasTime: false };
  const clockHour = Number(match['hour']);
  const afternoon = match['half'] === '오후' ? 12 : 0;
  const hour = match['half'] === undefined ? clockHour : (clockHour % 12) + afternoon;
  const minute = Number(match['minute']);
  const second = Number(match['second'] ?? match['secondInWords'] ?? 0);
  if (hour > 23 || minute > 59 || second > 59) return null;
  return { value: day * 1_000_000 + hour * 10_000 + minute * 100 + second, hasTime: true };
}

/** A date that was read from its written form. */
interface WrittenDate {
  /** `yyyymmdd`, or `yyyymmddhhmmss` with a time. */
  readonly value: number;
  readonly hasTime: boolean;
  /**
   * True for a year of two digits without an apostrophe, `24.3.5`, and for a month in figures, `2024-03`, since these
   * texts may be something else.
   */
  readonly isShort?: boolean;
  /** True for a month, whose value is its first day. */
  readonly isMonth?: boolean;
}

/** True if the text of a date is a month, a quarter or half a year, not a day. */
export function isPeriod(text: string): boolean {
  return periodEndPattern.test(text) || monthPattern.test(text) || /^\d{6}$/.test(text);
}

const lengthMax = 40;
const shortPattern = /^\d\d(?:\. ?|[-/])\d{1,2}(?:\. ?|[-/])\d{1,2}\.?$/;
const mayBeDate = /^(?:\d{4}|['’‘`]?\d\d)[-./ 년Qq]/;
const periodEndPattern = /(?:분기|반기|월|[Qq][1-4]|(?<![/\d])[1-4]\/4)$/;

/** A month in figures: `2024-06`, `2024/6`, `2024. 6.`. */
const monthPattern = /^(\d{4})(?:[-/.] ?)(\d{1,2})\.?$/;
const yearPart = String.raw`(?:(?<year>\d{4})|['’‘\x60](?<short>\d\d))(?:년 ?| ?[-./] ?| )?`;
const periodPattern = new RegExp(
  `^${yearPart}(?:(?:제 ?)?(?<quarter>[1-4])(?:/4)? ?분기|(?<!/)(?<fourth>[1-4])/4|[Qq](?<q>[1-4])|(?<half>[상하])반기|(?<month>\\d{1,2})월)$`,
);
const dayPattern =
  /^(?:(?<year>\d{4})|['’‘`](?<short>\d\d))(?:년 ?|[-./] ?)(?<month>\d{1,2})(?:월 ?|[-./] ?)(?<day>\d{1,2})(?:일|\.)? ?(?:\([월화수목금토일](?:요일)?\))?(?: ?(?:(?<half>오전|오후) ?)?(?<hour>\d{1,2})(?::|시 ?)(?<minute>\d{1,2})(?:분)?(?::(?<second>\d\d)| (?<secondInWords>\d{1,2})초)?)?$/;

const monthNames = [
  'jan',
  'feb',
  'mar',
  'apr',
  'may',
  'jun',
  'jul',
  'aug',
  'sep',
  'oct',
  'nov',
  'dec',
];
/** The usual date of Oracle, in English or Korean: `05-MAR-24`, `05-3월 -24`. */
const namedMonthPattern = new RegExp(
  `^(?<day>\\d\\d)-(?:(?<name>${monthNames.join('|')})|(?<month>\\d{1,2})월 ?)-(?<year>\\d{4}|\\d\\d)$`,
  'i',
);

function readNamedMonth(match: Readonly<Record<string, string | undefined>>): WrittenDate | null {
  const { name, day, year = '' } = match;
  const month =
    name === undefined ? Number(match['month']) : monthNames.indexOf(name.toLowerCase()) + 1;
  const fourDigits = year.length === 4 ? Number(year) : fullYear(Number(year));
  const value = fourDigits * 10_000 + month * 100 + Number(day);
  return isDay(value) ? { value, hasTime: false } : null;
}

function readMonth(year: number, month: number): WrittenDate | null {
  const value = year * 100 + month;
  return isMonth(value)
    ? { value: value * 100 + 1, hasTime: false, isShort: true, isMonth: true }
    : null;
}

function readPeriod(match: Readonly<Record<string, string | undefined>>): WrittenDate | null {
  const year = match['year'] === undefined ? fullYear(Number(match['short'])) : match['year'];
  const quarter = match['quarter'] ?? match['fourth'] ?? match['q'];
  const half = match['half'] === '하' ? 7 : 1;
  const month = quarter !== undefined ? Number(quarter) * 3 - 2 : Number(match['month'] ?? half);
  const value = Number(year) * 10_000 + month * 100 + 1;
  if (!isDay(value)) return null;
  return match['month'] === undefined
    ? { value, hasTime: false }
    : { value, hasTime: false, isMonth: true };
}

/** Year of two digits: from 1950 to 2049. */
function fullYear(short: number): number {
  return short < 50 ? 2000 + short : 1900 + short;
}
