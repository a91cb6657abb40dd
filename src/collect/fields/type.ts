import type { FieldType } from '../../data/axis.ts';
import { isCalendarWord, isIdentifierWord } from './meaning.ts';
import { shapes, type Shape } from './shapes.ts';

/**
 * The type that describes a column. `rows` counts its rows by shape; `words` is its name or label in Korean.
 * A type needs every value but the missing markers to be of it, and markers in at most a fifth of them.
 */
export function typeOf(rows: Float64Array, words: string): FieldType {
  const count = (...kinds: readonly Shape[]): number =>
    kinds.reduce<number>((sum, kind) => sum + (rows[kind] ?? 0), 0);
  const missing = count(shapes.marker);
  const present = rows.reduce((sum, each) => sum + each, 0) - missing;
  if (present === 0 || missing > (present + missing) * markerShareMax) return 'string';
  if (count(shapes.logical) === present) return 'boolean';

  const impossible = count(shapes.dateImpossible);
  if (impossible <= present * impossibleShareMax) {
    const calendar = isCalendarWord(words);
    const days = count(shapes.date) + (calendar ? count(shapes.compactDate) : 0);
    const moments = count(shapes.dateTime) + (calendar ? count(shapes.compactDateTime) : 0);
    if (days > 0 && days + impossible === present) return 'date';
    if (moments > 0 && days + moments + impossible === present) return 'datetime';
  }

  if (isIdentifierWord(words)) return 'string';
  const whole = count(shapes.integer, shapes.zero, shapes.compactDate, shapes.compactDateTime);
  const decimal = count(shapes.decimal, shapes.latitude, shapes.longitude);
  if (whole + decimal !== present) return 'string';
  return decimal === 0 ? 'integer' : 'number';
}

/** Above this share of markers they are an answer of the source, not a gap, and the type is string. */
export const markerShareMax = 0.2;
/** Some files hold a 2015-09-31 among thousands of good dates: the column is a date all the same. */
export const impossibleShareMax = 0.01;
