/**
 * What one value looks like, read in a single pass over its characters.
 * This runs for every cell of every file: no regular expression, no allocation.
 */
export function readShape(text: string, reading: Reading): Shape {
  const first = text.charCodeAt(0);
  if (isDigit(first)) return readNumber(text, 0, 1, reading);
  switch (first) {
    case PLUS:
      return readNumber(text, 1, 1, reading);
    case MINUS:
      return text.length === 1 ? shapes.marker : readNumber(text, 1, -1, reading);
    case DOT:
      return readNumber(text, 0, 1, reading);
    default:
      if (text.length > MARKER_LENGTH_MAX) return shapes.text;
      if (logicalWords.has(text)) return shapes.logical;
      return missingMarkers.has(text) ? shapes.marker : shapes.text;
  }
}

/** Where the number goes: the value, or for dates `yyyymmdd` and for date-times `yyyymmddhhmmss`. */
export interface Reading {
  value: number;
}

export const shapes = {
  text: 0,
  /** Digits with an optional sign and thousands commas, at most 2^53 - 1. */
  integer: 1,
  decimal: 2,
  /** A decimal that lies in Korea's latitudes, 33 to 38.7. */
  latitude: 3,
  /** A decimal that lies in Korea's longitudes, 124 to 132. */
  longitude: 4,
  zero: 5,
  /** Digits with a leading zero: a code, whatever its column is called. */
  padded: 6,
  /** Digits past 2^53: no number of JavaScript holds them. */
  beyond: 7,
  /** Eight digits that are a day, `20240131`: a date only when the column's name says so. */
  compactDate: 8,
  /** Twelve or fourteen digits that are a day and a time. */
  compactDateTime: 9,
  date: 10,
  dateTime: 11,
  /** Written as a date, but no such day exists: 2015-09-31. */
  dateImpossible: 12,
  /** TRUE, FALSE, true, false. Y and N are codes of the source and stay text. */
  logical: 13,
  /** A way to write "no value". */
  marker: 14,
} as const;
export type Shape = (typeof shapes)[keyof typeof shapes];
export const shapeCount = 15;

/** What the portal's files write for a missing value; `없음` is not here, it is an answer of its own. */
export const missingMarkers: ReadonlySet<string> = new Set([
  '-',
  '–',
  '—',
  '－',
  '--',
  'N/A',
  'n/a',
  '#N/A',
  '해당없음',
  '해당 없음',
]);

const MARKER_LENGTH_MAX = 5;
const logicalWords: ReadonlySet<string> = new Set(['TRUE', 'FALSE', 'true', 'false']);
const PLUS = 43;
const COMMA = 44;
const MINUS = 45;
const DOT = 46;
const SLASH = 47;
const ZERO = 48;
const COLON = 58;
const BLANK = 32;

function isDigit(code: number): boolean {
  return code >= ZERO && code <= 57;
}

function readNumber(text: string, start: number, sign: number, reading: Reading): Shape {
  const end = text.length;
  let value = 0;
  let digits = 0;
  let sinceComma = -1;
  let at = start;
  let code = 0;
  for (; at < end; at++) {
    code = text.charCodeAt(at);
    if (isDigit(code)) {
      value = value * 10 + (code - ZERO);
      digits++;
      if (sinceComma >= 0) sinceComma++;
    } else if (code === COMMA) {
      if (digits === 0 || (sinceComma < 0 ? digits > 3 : sinceComma !== 3)) return shapes.text;
      sinceComma = 0;
    } else break;
  }
  if (sinceComma >= 0 && sinceComma !== 3) return shapes.text;
  const padded = digits > 1 && text.charCodeAt(start) === ZERO;
  if (at === end) return integerShape(text, value * sign, digits, padded, reading);
  const plain = start === 0 && sinceComma < 0;
  if (plain && digits === 4 && (code === MINUS || code === SLASH)) return readDate(text, reading);
  if (code !== DOT) return shapes.text;
  const fraction = readFraction(text, at + 1, value, sign, reading);
  if (fraction !== shapes.text) return padded ? shapes.padded : fraction;
  return plain && digits === 4 ? readDate(text, reading) : shapes.text;
}

function integerShape(
  text: string,
  value: number,
  digits: number,
  padded: boolean,
  reading: Reading,
): Shape {
  if (digits === 0) return missingMarkers.has(text) ? shapes.marker : shapes.text;
  reading.value = value;
  if (padded) return value === 0 && digits === 8 ? shapes.marker : shapes.padded;
  if (value === 0) return shapes.zero;
  if (!Number.isSafeInteger(value)) return shapes.beyond;
  if (digits !== text.length || digits < 8) return shapes.integer;
  if (digits === 8 && isDay(value)) return shapes.compactDate;
  if (digits === 14 && isDayAndTime(value)) return shapes.compactDateTime;
  if (digits === 12 && isDayAndTime(value * 100)) return shapes.compactDateTime;
  return shapes.integer;
}

/** Divides the digits once by a power of ten: exact for up to 15 digits, as `Number()` would be. */
function readFraction(
  text: string,
  start: number,
  whole: number,
  sign: number,
  reading: Reading,
): Shape {
  const end = text.length;
  let value = whole;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (!isDigit(code)) return shapes.text;
    value = value * 10 + (code - ZERO);
  }
  const scale = end - start;
  if (scale === 0) return shapes.text;
  const exact = value <= Number.MAX_SAFE_INTEGER && scale < powersOfTen.length;
  const size = exact
    ? value / (powersOfTen[scale] ?? 1)
    : Math.abs(Number(text.replaceAll(',', '')));
  reading.value = size * sign;
  if (size === 0) return shapes.zero;
  if (sign < 0) return shapes.decimal;
  if (size >= 33 && size <= 38.7) return shapes.latitude;
  return size >= 124 && size <= 132 ? shapes.longitude : shapes.decimal;
}

const powersOfTen: readonly number[] = Array.from({ length: 23 }, (_, power) => 10 ** power);

/** `2024-01-31`, `2024/1/31`, `2024.1.31.`, `2024. 1. 31`, each with a time after it or not. */
function readDate(text: string, reading: Reading): Shape {
  const separator = text.charCodeAt(4);
  const month = readPair(text, skipBlank(text, 5));
  if (month === null || text.charCodeAt(month.end) !== separator) return shapes.text;
  const day = readPair(text, skipBlank(text, month.end + 1));
  if (day === null) return shapes.text;
  const year = Number(text.slice(0, 4));
  const value = year * 10_000 + month.value * 100 + day.value;
  let end = day.end;
  if (separator === DOT && text.charCodeAt(end) === DOT) end++;
  reading.value = value;
  if (value === 0) return shapes.marker;
  if (end === text.length) return isDay(value) ? shapes.date : shapes.dateImpossible;
  const time = readTime(text, end);
  if (time === null) return shapes.text;
  reading.value = value * 1_000_000 + time;
  return isDay(value) ? shapes.dateTime : shapes.dateImpossible;
}

/** ` 10:00`, `T10:00:05.123Z`, `T24:00`: `hhmmss`; a zone is accepted and not applied. */
function readTime(text: string, start: number): number | null {
  const code = text.charCodeAt(start);
  if (code !== BLANK && code !== 84) return null;
  const hour = readPair(text, start + 1);
  if (hour === null || hour.value > 24 || text.charCodeAt(hour.end) !== COLON) return null;
  const minute = readPair(text, hour.end + 1);
  if (minute === null || minute.value > 59) return null;
  if (minute.end === text.length) return hour.value * 10_000 + minute.value * 100;
  if (text.charCodeAt(minute.end) !== COLON) {
    return zonePattern.test(text.slice(minute.end))
      ? hour.value * 10_000 + minute.value * 100
      : null;
  }
  const second = readPair(text, minute.end + 1);
  if (second === null || second.value > 60) return null;
  const tail = text.slice(second.end);
  if (tail !== '' && !zonePattern.test(tail)) return null;
  return hour.value * 10_000 + minute.value * 100 + second.value;
}

const zonePattern = /^(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?$/;

function readPair(text: string, start: number): { value: number; end: number } | null {
  const first = text.charCodeAt(start);
  if (!isDigit(first)) return null;
  const second = text.charCodeAt(start + 1);
  if (!isDigit(second)) return { value: first - ZERO, end: start + 1 };
  return { value: (first - ZERO) * 10 + (second - ZERO), end: start + 2 };
}

function skipBlank(text: string, at: number): number {
  return text.charCodeAt(at) === BLANK ? at + 1 : at;
}

/** Whether `yyyymmdd` is a day of the calendar; from 1000, where a year has its four digits. */
function isDay(value: number): boolean {
  const year = Math.floor(value / 10_000);
  const month = Math.floor(value / 100) % 100;
  const day = value % 100;
  if (year < 1000 || year > 2999 || month < 1 || month > 12 || day < 1) return false;
  if (month === 2) return day <= (isLeapYear(year) ? 29 : 28);
  return day <= (month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function isDayAndTime(value: number): boolean {
  const time = value % 1_000_000;
  const hour = Math.floor(time / 10_000);
  const minute = Math.floor(time / 100) % 100;
  return isDay(Math.floor(value / 1_000_000)) && hour <= 24 && minute <= 59 && time % 100 <= 59;
}
