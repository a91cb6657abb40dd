import type { Value } from '../axis.ts';
import { matchingText } from '../korean/normalise.ts';
import { readNumber, type ValueFormat } from '../values/read-value.ts';

/**
 * A value with its sort key. In a typed column, markers of missing data such as `-` come first, then readable values,
 * then values that cannot be read as the type.
 */
export interface TypedValue {
  readonly value: PresentValue;
  readonly reading: ReadOutcome;
  /** Number of a readable value: itself, `yyyymmdd`, `yyyymmddhhmmss`, or 0 and 1 for false and true. */
  readonly number: number;
  /**
   * Sort key of texts and of unreadable values (in matching form) and of markers of missing data (as written); empty for
   * readable values of a typed column.
   */
  readonly text: string;
}

export type PresentValue = Exclude<Value, null>;

/** Outcomes of reading a value, in their sort order. */
export const readings = { missing: 0, readable: 1, unreadable: 2 } as const;
export type ReadOutcome = (typeof readings)[keyof typeof readings];

/** Reads a value by the format of its column. */
export function typedValue(format: ValueFormat, value: PresentValue): TypedValue {
  const text = typeof value === 'string' ? value : String(value);
  if (format.type === 'string') {
    return { value, reading: readings.readable, number: 0, text: matchingText(text) };
  }
  const number = readNumber(format, text);
  if (number === null) return { value, reading: readings.missing, number: 0, text };
  if (Number.isNaN(number)) {
    return { value, reading: readings.unreadable, number: 0, text: matchingText(text) };
  }
  return { value, reading: readings.readable, number, text: '' };
}

/** Order of the values of a column: negative if `a` comes first, 0 for the same value in the same spelling. */
export function compareTyped(a: TypedValue, b: TypedValue): number {
  return (
    a.reading - b.reading ||
    a.number - b.number ||
    compareTexts(a.text, b.text) ||
    compareSpellings(a.value, b.value)
  );
}

/** Order of the spellings of a value: by their JSON. */
export function compareSpellings(a: PresentValue, b: PresentValue): number {
  return compareTexts(JSON.stringify(a), JSON.stringify(b));
}

/** True if two values are equal in a comparison, whatever their spelling. */
export function areEqualTyped(a: TypedValue, b: TypedValue): boolean {
  return a.reading === b.reading && a.number === b.number && a.text === b.text;
}

export function compareTexts(a: string, b: string): number {
  // `===` comes first because it is cheap: engines compare length and hash before characters.
  return a === b ? 0 : a < b ? -1 : 1;
}
