import { isDay, isDayAndTime, readDate } from './date-shape.ts';
import { ZERO, isDigit, missingMarkers, shapes, type Reading, type Shape } from './shapes.ts';

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

const MARKER_LENGTH_MAX = 5;
const logicalWords: ReadonlySet<string> = new Set(['TRUE', 'FALSE', 'true', 'false']);
const PLUS = 43;
const COMMA = 44;
const MINUS = 45;
const DOT = 46;
const SLASH = 47;

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
