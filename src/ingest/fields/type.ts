import type { FieldType } from '../../data/axis.ts';
import type { ColumnProfile } from './column.ts';
import {
  isCalendarWord,
  isClockWord,
  isIdentifierWord,
  isSequenceWord,
  isTitleWord,
} from './meaning.ts';
import { shapes, type Shape } from '../../data/values/shapes.ts';

/**
 * Determines the type of a column. `words` is its Korean label without blanks. All values except missing markers must
 * have the type, apart from a few odd texts, and at least a tenth of the texts must be values.
 */
export function typeOf(profile: ShapeProfile, words: string): FieldType {
  const { count, present, missing } = countShapes(profile);
  if (present === 0 || missing > (present + missing) * markerShareMax) return 'string';
  if (count(shapes.logical) === present) return 'boolean';
  const dates = datesOf(profile, words);
  if (dates !== null && dates.impossible <= (dates.days + dates.moments) * impossiblePerDateMax) {
    return dates.moments > 0 ? 'datetime' : 'date';
  }
  if (isIdentifierWord(words) || isClockWord(words) || isTitleWord(words)) return 'string';
  const whole = count(
    shapes.integer,
    shapes.zero,
    shapes.compactDate,
    shapes.compactDateTime,
    shapes.compactImpossible,
  );
  const decimal = count(shapes.decimal, shapes.latitude, shapes.longitude);
  if (whole + decimal !== present) return 'string';
  return decimal === 0 ? 'integer' : 'number';
}

/** Counts the rows of a date column; null for any other column, and for one with impossible dates only. */
export function datesOf(profile: ShapeProfile, words: string): DateRows | null {
  const { count, present } = countShapes(profile);
  // Digits are dates if the label means a date, or if other values of the column are written as dates.
  const isDateLabel = isCalendarWord(words) && !isIdentifierWord(words) && !isSequenceWord(words);
  const hasCompactDates = isDateLabel || count(shapes.date, shapes.dateTime) > 0;
  const days = count(shapes.date) + (hasCompactDates ? count(shapes.compactDate) : 0);
  const moments = count(shapes.dateTime) + (hasCompactDates ? count(shapes.compactDateTime) : 0);
  const impossible =
    count(shapes.dateImpossible) + (hasCompactDates ? count(shapes.compactImpossible) : 0);
  if (days + moments === 0 || days + moments + impossible !== present) return null;
  return { days, moments, impossible, zero: count(shapes.dateZero) };
}

/** The facts about a column's values that decide its type. */
type ShapeProfile = Pick<ColumnProfile, 'shapeRows' | 'oddTexts'>;

interface DateRows {
  readonly days: number;
  readonly moments: number;
  readonly impossible: number;
  /** Number of 0000-00-00 and 00000000, which mean "no day". */
  readonly zero: number;
}

/** Counts rows by shape. `present` is without markers, and without odd texts that are few enough. */
function countShapes(profile: ShapeProfile): {
  readonly count: (...kinds: readonly Shape[]) => number;
  readonly present: number;
  readonly missing: number;
} {
  const rows = profile.shapeRows();
  const count = (...kinds: readonly Shape[]): number =>
    kinds.reduce<number>((sum, kind) => sum + (rows[kind] ?? 0), 0);
  const missing = count(shapes.marker, shapes.dateZero);
  const present = rows.reduce((sum, each) => sum + each, 0) - missing;
  const texts = count(shapes.text);
  const areFew =
    profile.oddTexts !== null && present >= oddPresentMin && texts <= present * oddShareMax;
  return { count, missing, present: areFew ? present - texts : present };
}

/** Maximum share of odd texts in a column of another type: nutrients have `tr`, a trace, in up to 3 % of the rows. */
const oddShareMax = 0.05;
/** In a shorter column, one text may be as typical as the numbers. */
const oddPresentMin = 100;
/** With a larger share of markers, too few values are left for a type. */
const markerShareMax = 0.9;
/** Impossible dates for each real one: a column with one 2015-09-31 and two real days is still a date. */
const impossiblePerDateMax = 0.5;
