/** Numeric value of a text; `yyyymmdd` for a date, `yyyymmddhhmmss` for a date with time. */
export interface ParsedValue {
  value: number;
}

export const shapes = {
  text: 0,
  /** Digits with an optional sign and thousands commas, at most 2^53 - 1. */
  integer: 1,
  decimal: 2,
  /** A decimal from 33 to 38.7, the latitudes of Korea. */
  latitude: 3,
  /** A decimal from 124 to 132, the longitudes of Korea. */
  longitude: 4,
  zero: 5,
  /** Digits with a leading zero: a code, whatever the column's label. */
  padded: 6,
  /** Digits of a number above 2^53, which JavaScript cannot store exactly. */
  beyond: 7,
  /** Eight digits that are a day, `20240131`: a date only if the column's label is that of a date. */
  compactDate: 8,
  /** Twelve or fourteen digits that are a day and a time. */
  compactDateTime: 9,
  date: 10,
  dateTime: 11,
  /** Written as a date, but no such day exists: 2015-09-31. */
  dateImpossible: 12,
  /** TRUE, FALSE, true, false. Y and N are codes of the source and stay text. */
  logical: 13,
  /** A marker of missing data, such as `-`. */
  marker: 14,
  /** A date of zeros, which means no day: 0000-00-00, 00000000. */
  dateZero: 15,
  /** Eight, twelve or fourteen digits that are not a day, such as 99991332. */
  compactImpossible: 16,
  /** A number or a date with a unit, an accounting sign or words: `15㎡`, `△12`, `2024년 3월`. */
  written: 17,
  /** Six digits that are a month, `202406`: a date only if the column's label is that of a month. */
  compactMonth: 18,
  /** A decimal that is a month, `2024.06`: a date only if the column's label is that of a month. */
  dottedMonth: 19,
} as const;
export type Shape = (typeof shapes)[keyof typeof shapes];
export const shapeCount = 20;

/** Texts that stand for a missing value in files of agencies, databases, R and Python. `없음` is a value. */
const missingMarkers: ReadonlySet<string> = new Set([
  '-',
  '–',
  '—',
  '－',
  '--',
  'N/A',
  'n/a',
  '#N/A',
  '#REF!',
  '#NUM!',
  '#NAME?',
  '#NULL!',
  '#VALUE!',
  '#DIV/0!',
  'NULL',
  'null',
  '(NULL)',
  '(null)',
  '[NULL]',
  '\\N',
  'NaN',
  'nan',
  'NA',
  'None',
  '해당없음',
  '해당 없음',
]);

/** True if a text stands for a missing value. */
export function isMarker(text: string): boolean {
  return text.length <= wordLengthMax && missingMarkers.has(text);
}

/** Length of the longest marker or logical word; longer texts need no lookup. */
export const wordLengthMax = 7;

/** True if a shape stands for a missing value. */
export function isMissing(shape: Shape): boolean {
  return shape === shapes.marker || shape === shapes.dateZero;
}

/** Character code of `0`. */
export const zero = 48;

export function isDigit(code: number): boolean {
  return code >= zero && code <= 57;
}
