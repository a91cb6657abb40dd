import type { Field } from '../axis.ts';
import { readDegrees } from './degrees.ts';
import { readShape } from './shape.ts';
import { isMissing, shapes, type ParsedValue } from './shapes.ts';
import { readWrittenDate } from './written-date.ts';
import { readSeparated } from './separated-number.ts';
import { isSignValid, readWrittenNumber, unitFactor } from './written-number.ts';

/** Properties of a field by which its values are read. */
export type ValueFormat = Pick<Field, 'type'> & Partial<Pick<Field, 'unit' | 'signs'>>;

/** Reads a text as a number by a format other than `string`; null for a marker of missing data, NaN if it is unreadable. */
export function readNumber(format: ValueFormat, text: string): number | null {
  const { type, signs } = format;
  // Elsewhere 14,375 is read with a comma between thousands, which is another number.
  if (signs === 'commas' && text.includes(',')) return readSeparated(text)?.value ?? NaN;
  const shape = readShape(text, parsed);
  if (isMissing(shape)) return null;
  if (type === 'boolean') {
    return shape === shapes.logical ? Number(text.toLowerCase() === 'true') : NaN;
  }
  const isMoment = type === 'datetime';
  switch (shape) {
    case shapes.text:
      return readWritten(format, text);
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
    case shapes.compactMonth:
      if (isMoment || type === 'date') return firstDay(type, parsed.value);
      break;
    case shapes.dottedMonth:
      if (isMoment || type === 'date') return firstDay(type, Math.round(parsed.value * 100));
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

/** Factor between `yyyymmdd` and `yyyymmddhhmmss`. */
export const dayUnits = 1_000_000;

function readWritten({ type, unit = null, signs }: ValueFormat, text: string): number {
  if (type === 'date' || type === 'datetime') {
    const date = readWrittenDate(text);
    return date === null ? NaN : dayOrMoment(type, date.value * (date.hasTime ? 1 : dayUnits));
  }
  if (signs === 'degrees') return readDegrees(text) ?? NaN;
  const written = readWrittenNumber(text);
  if (written === null || !isSignValid(written.sign, signs)) return NaN;
  return written.value * (unitFactor(written.unit, unit) ?? NaN);
}

/** The first day of a month `yyyymm`. */
function firstDay(type: Field['type'], month: number): number {
  return dayOrMoment(type, (month * 100 + 1) * dayUnits);
}

function dayOrMoment(type: Field['type'], moment: number): number {
  if (type === 'datetime') return moment;
  return type === 'date' ? Math.floor(moment / dayUnits) : NaN;
}

const parsed: ParsedValue = { value: 0 };
