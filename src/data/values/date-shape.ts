import { zero, isDigit, shapes, type ParsedValue, type Shape } from './shapes.ts';

/** Reads a date such as `2024-01-31`, `2024/1/31`, `2024.1.31.` or `2024. 1. 31`, with or without a time. */
export function readDate(text: string, reading: ParsedValue): Shape {
  const separator = text.charCodeAt(4);
  const month = readPair(text, skipBlank(text, 5));
  if (month === null || text.charCodeAt(month.end) !== separator) return shapes.text;
  const day = readPair(text, skipBlank(text, month.end + 1));
  if (day === null) return shapes.text;
  const year = Number(text.slice(0, 4));
  const value = year * 10_000 + month.value * 100 + day.value;
  let end = day.end;
  if (separator === dot && text.charCodeAt(end) === dot) end++;
  reading.value = value;
  if (value === 0) return shapes.dateZero;
  if (end === text.length) return isDay(value) ? shapes.date : shapes.dateImpossible;
  const time = readTime(text, end);
  if (time === null) return shapes.text;
  reading.value = value * 1_000_000 + time;
  return isDay(value) ? shapes.dateTime : shapes.dateImpossible;
}

/** Reads a time such as ` 10:00`, `T10:00:05.123Z` or `T24:00` as `hhmmss`; a time zone is ignored. */
function readTime(text: string, start: number): number | null {
  const code = text.charCodeAt(start);
  if (code !== blank && code !== 84) return null;
  const hour = readPair(text, start + 1);
  if (hour === null || hour.value > 24 || text.charCodeAt(hour.end) !== colon) return null;
  const minute = readPair(text, hour.end + 1);
  if (minute === null || minute.value > 59) return null;
  if (minute.end === text.length) return hour.value * 10_000 + minute.value * 100;
  if (text.charCodeAt(minute.end) !== colon) {
    return zonePattern.test(text.slice(minute.end))
      ? hour.value * 10_000 + minute.value * 100
      : null;
  }
  const second = readPair(text, minute.end + 1);
  if (second === null || second.value > 60) return null;
  const fractionAndZone = text.slice(second.end);
  if (fractionAndZone !== '' && !zonePattern.test(fractionAndZone)) return null;
  return hour.value * 10_000 + minute.value * 100 + second.value;
}

const zonePattern = /^(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?$/;

function readPair(text: string, start: number): { value: number; end: number } | null {
  const first = text.charCodeAt(start);
  if (!isDigit(first)) return null;
  const second = text.charCodeAt(start + 1);
  if (!isDigit(second)) return { value: first - zero, end: start + 1 };
  return { value: (first - zero) * 10 + (second - zero), end: start + 2 };
}

function skipBlank(text: string, position: number): number {
  return text.charCodeAt(position) === blank ? position + 1 : position;
}

/** True if `yyyymm` is a month of the years 1900 to 2099. */
export function isMonth(value: number): boolean {
  const month = value % 100;
  return value > 1900_00 && value < 2100_00 && month >= 1 && month <= 12;
}

/**
 * True if `yyyymmdd` is a day of the years 1000 to 2999, or 9999-12-31, which registers use for "no end".
 */
export function isDay(value: number): boolean {
  if (value === lastDay) return true;
  const year = Math.floor(value / 10_000);
  const month = Math.floor(value / 100) % 100;
  const day = value % 100;
  if (year < 1000 || year > 2999 || month < 1 || month > 12 || day < 1) return false;
  if (month === 2) return day <= (isLeapYear(year) ? 29 : 28);
  return day <= (month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31);
}

const lastDay = 9999_12_31;

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** True if `yyyymmddhhmmss` is a valid day and time; the hour 24 is valid. */
export function isDayAndTime(value: number): boolean {
  const time = value % 1_000_000;
  const hour = Math.floor(time / 10_000);
  const minute = Math.floor(time / 100) % 100;
  return isDay(Math.floor(value / 1_000_000)) && hour <= 24 && minute <= 59 && time % 100 <= 59;
}

const dot = 46;
const colon = 58;
const blank = 32;
