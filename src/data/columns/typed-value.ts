import type { FieldType, Value } from '../axis.ts';
import { matchingText } from '../korean/normalise.ts';
import { readShape } from '../values/shape.ts';
import { isMissing, shapes, type ParsedValue } from '../values/shapes.ts';

/**
 * A value as its column orders it: missing markers of a typed column first, then readable values, then those that
 * are no value of the type.
 */
export interface TypedValue {
  readonly value: PresentValue;
  readonly reading: ReadOutcome;
  /** Number of a readable value: itself, `yyyymmdd`, `yyyymmddhhmmss`, or 0 and 1 for false and true. */
  readonly number: number;
  /** Text in matching form by which texts are ordered; empty for readable values of other types. */
  readonly text: string;
  /** JSON of the value, which orders equal ones. */
  readonly json: string;
}

export type PresentValue = Exclude<Value, null>;

export const readings = { missing: 0, readable: 1, unread: 2 } as const;
type ReadOutcome = (typeof readings)[keyof typeof readings];

/** Reads a value by the type of its column. */
export function typedValue(type: FieldType, value: PresentValue): TypedValue {
  const json = JSON.stringify(value);
  const text = typeof value === 'string' ? value : String(value);
  if (type === 'string') {
    return { value, reading: readings.readable, number: 0, text: matchingText(text), json };
  }
  const number = readNumber(type, text);
  if (number === null) return { value, reading: readings.missing, number: 0, text, json };
  if (Number.isNaN(number)) {
    return { value, reading: readings.unread, number: 0, text: matchingText(text), json };
  }
  return { value, reading: readings.readable, number, text: '', json };
}

/** Order of the codes of a column: negative if `a` comes first, 0 for the same value. */
export function compareTyped(a: TypedValue, b: TypedValue): number {
  return (
    a.reading - b.reading ||
    a.number - b.number ||
    compareTexts(a.text, b.text) ||
    compareTexts(a.json, b.json)
  );
}

/** True if two values are equal in a comparison, whatever their spelling. */
export function areEqualTyped(a: TypedValue, b: TypedValue): boolean {
  return a.reading === b.reading && a.number === b.number && a.text === b.text;
}

export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Number of a text by a type other than `string`; null for a missing marker, NaN if it is no value of the type. */
export function readNumber(type: FieldType, text: string): number | null {
  const shape = readShape(text, parsed);
  if (isMissing(shape)) return null;
  if (type === 'boolean') {
    return shape === shapes.logical ? Number(text.toLowerCase() === 'true') : NaN;
  }
  const isMoment = type === 'datetime';
  switch (shape) {
    case shapes.text:
    case shapes.logical:
    case shapes.dateImpossible:
      return NaN;
    case shapes.date:
      return dayOrMoment(type, parsed.value * dayUnits);
    case shapes.dateTime:
      return dayOrMoment(type, parsed.value);
    case shapes.compactDate:
      if (isMoment) return parsed.value * dayUnits;
      break;
    case shapes.compactDateTime:
      if (isMoment || type === 'date') {
        return dayOrMoment(type, text.length === 12 ? parsed.value * 100 : parsed.value);
      }
      break;
    default:
      if (isMoment || type === 'date') return NaN;
  }
  return parsed.value;
}

function dayOrMoment(type: FieldType, moment: number): number {
  if (type === 'datetime') return moment;
  return type === 'date' ? Math.floor(moment / dayUnits) : NaN;
}

/** Factor between `yyyymmdd` and `yyyymmddhhmmss`. */
export const dayUnits = 1_000_000;

const parsed: ParsedValue = { value: 0 };
