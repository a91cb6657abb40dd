import { isDay, isDayAndTime, isMonth, readDate } from './date-shape.ts';
import {
  zero,
  isDigit,
  isMarker,
  shapes,
  wordLengthMax,
  type ParsedValue,
  type Shape,
} from './shapes.ts';

/**
 * Determines the shape of one value in a single pass. It runs for every cell of every file, so it allocates nothing and
 * uses regular expressions only for rare forms.
 */
export function readShape(text: string, reading: ParsedValue): Shape {
  const first = text.charCodeAt(0);
  if (isDigit(first)) return readNumber(text, 0, 1, reading);
  switch (first) {
    case plus:
      return readNumber(text, 1, 1, reading);
    case minus:
      return isMarker(text) ? shapes.marker : readNumber(text, 1, -1, reading);
    case dot:
      return readNumber(text, 0, 1, reading);
    default:
      if (text.length > wordLengthMax) return shapes.text;
      if (logicalWords.has(text)) return shapes.logical;
      return isMarker(text) ? shapes.marker : shapes.text;
  }
}

const logicalWords: ReadonlySet<string> = new Set(['TRUE', 'FALSE', 'true', 'false']);
const plus = 43;
const comma = 44;
const minus = 45;
const dot = 46;
const slash = 47;

function readNumber(text: string, start: number, sign: number, reading: ParsedValue): Shape {
  const end = text.length;
  let value = 0;
  let digits = 0;
  let sinceComma = -1;
  let position = start;
  let code = 0;
  for (; position < end; position++) {
    code = text.charCodeAt(position);
    if (isDigit(code)) {
      value = value * 10 + (code - zero);
      digits++;
      if (sinceComma >= 0) sinceComma++;
    } else if (code === comma) {
      if (digits === 0 || (sinceComma < 0 ? digits > 3 : sinceComma !== 3)) return shapes.text;
      sinceComma = 0;
    } else break;
  }
  const isPadded = digits > 1 && text.charCodeAt(start) === zero;
  if (sinceComma >= 0 && (sinceComma !== 3 || isPadded)) return shapes.text;
  if (position === end) return integerShape(text, value * sign, digits, isPadded, reading);
  const isPlain = start === 0 && sinceComma < 0;
  if (isPlain && digits === 4 && (code === minus || code === slash)) return readDate(text, reading);
  if (code !== dot) return shapes.text;
  const fraction = readFraction(text, position + 1, value, sign, reading);
  if (fraction !== shapes.text) return isPadded ? shapes.padded : fraction;
  return isPlain && digits === 4 ? readDate(text, reading) : shapes.text;
}

function integerShape(
  text: string,
  value: number,
  digits: number,
  isPadded: boolean,
  reading: ParsedValue,
): Shape {
  if (digits === 0) return shapes.text;
  reading.value = value;
  if (isPadded) return value === 0 && digits === 8 ? shapes.dateZero : shapes.padded;
  if (value === 0) return shapes.zero;
  if (!Number.isSafeInteger(value)) return shapes.beyond;
  if (digits === 6 && text.length === 6 && isMonth(value)) return shapes.compactMonth;
  if (digits !== text.length || digits < 8) return shapes.integer;
  if (digits === 8) return isDay(value) ? shapes.compactDate : shapes.compactImpossible;
  if (digits !== 12 && digits !== 14) return shapes.integer;
  const isReal = isDayAndTime(digits === 14 ? value : value * 100);
  return isReal ? shapes.compactDateTime : shapes.compactImpossible;
}

/** Reads a fraction: one division by a power of ten, which is as exact as `Number()` for up to 15 digits. */
function readFraction(
  text: string,
  start: number,
  whole: number,
  sign: number,
  reading: ParsedValue,
): Shape {
  const end = text.length;
  let value = whole;
  for (let position = start; position < end; position++) {
    const code = text.charCodeAt(position);
    if (!isDigit(code))
      return position > start ? readExponent(text, position, reading) : shapes.text;
    value = value * 10 + (code - zero);
  }
  const scale = end - start;
  if (scale === 0) return shapes.text;
  const isExact = value <= Number.MAX_SAFE_INTEGER && scale < powersOfTen.length;
  const magnitude = isExact
    ? value / (powersOfTen[scale] ?? 1)
    : Math.abs(Number(text.replaceAll(',', '')));
  reading.value = magnitude * sign;
  if (magnitude === 0) return shapes.zero;
  if (sign < 0) return shapes.decimal;
  if (scale === 2 && end === 7 && isMonth(value)) return shapes.dottedMonth;
  if (magnitude >= 33 && magnitude <= 38.7) return shapes.latitude;
  return magnitude >= 124 && magnitude <= 132 ? shapes.longitude : shapes.decimal;
}

/** Reads an exponent as in `1.0E-4`, which Java writes. A text without a fraction, `12E3`, may be a code. */
function readExponent(text: string, position: number, reading: ParsedValue): Shape {
  if (!exponent.test(text.slice(position))) return shapes.text;
  reading.value = Number(text.replaceAll(',', ''));
  if (reading.value === 0) return shapes.zero;
  return Number.isFinite(reading.value) ? shapes.decimal : shapes.beyond;
}

const exponent = /^[eE][-+]?\d{1,3}$/;
const powersOfTen: readonly number[] = Array.from({ length: 23 }, (_, power) => 10 ** power);
