import type { FieldType } from '../../data/axis.ts';
import { oddTextsMax, type ColumnProfile } from './column.ts';
import type { LocatedValue } from './located-value.ts';
import {
  isCalendarWord,
  isClockWord,
  isIdentifierWord,
  isMonthWord,
  isSequenceWord,
  isTitleWord,
} from './meaning.ts';
import { factorOf, type Notation } from './notation.ts';
import type { WrittenForm } from './written-forms.ts';
import { shapes, type Shape } from '../../data/values/shapes.ts';

/**
 * Determines the type of a column. `words` is its Korean label without blanks. All values except missing markers must
 * have the type, apart from a few odd texts, and at least a tenth of the texts must be values.
 */
export function typeOf(profile: ShapeProfile, words: string, notation: Notation): FieldType {
  const readable = readableAs('numbers', profile, words, notation);
  const { count, present, missing } = countShapes(profile, oddTextsOf(profile, readable));
  if (present === 0 || missing > (present + missing) * markerShareMax) return 'string';
  if (count(shapes.logical) === present) return 'boolean';
  const dates = datesOf(profile, words, notation);
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
    shapes.compactMonth,
  );
  const decimal = count(shapes.decimal, shapes.latitude, shapes.longitude, shapes.dottedMonth);
  if (whole + decimal + sumOfRows(readable) !== present) return 'string';
  return decimal === 0 && readable.every(({ isWhole }) => isWhole) ? 'integer' : 'number';
}

/** Counts the rows of a date column; null for any other column, and for one with impossible dates only. */
export function datesOf(profile: ShapeProfile, words: string, notation: Notation): DateRows | null {
  const readable = readableAs('dates', profile, words, notation);
  const { count, present } = countShapes(profile, oddTextsOf(profile, readable));
  const hasCompactDates = meansDates(profile, words);
  const days =
    count(shapes.date) +
    (hasCompactDates ? count(shapes.compactDate) : 0) +
    (isMonthWord(words) ? count(shapes.compactMonth, shapes.dottedMonth) : 0) +
    sumOfRows(readable.filter(({ kind }) => kind !== 'datetime'));
  const moments =
    count(shapes.dateTime) +
    (hasCompactDates ? count(shapes.compactDateTime) : 0) +
    sumOfRows(readable.filter(({ kind }) => kind === 'datetime'));
  const impossible =
    count(shapes.dateImpossible) + (hasCompactDates ? count(shapes.compactImpossible) : 0);
  if (days + moments === 0 || days + moments + impossible !== present) return null;
  return { days, moments, impossible, zero: count(shapes.dateZero) };
}

/** The facts about a column's values that decide its type. */
type ShapeProfile = Pick<ColumnProfile, 'shapeRows' | 'oddTexts' | 'forms'>;

/** Texts of a column that are in no readable form; `examples` is null if too many of them differ. */
export function oddTextsOf(profile: ShapeProfile, readable: readonly WrittenForm[]): OddTexts {
  const keys = new Set(readable.map(({ key }) => key));
  const unreadable = profile.forms().filter(({ key }) => !keys.has(key));
  const lists = [profile.oddTexts, ...unreadable.map((form) => form.examples)];
  const rows = (profile.shapeRows()[shapes.text] ?? 0) + sumOfRows(unreadable);
  if (lists.includes(null)) return { rows, examples: null };
  const examples = lists.flatMap((each) => each ?? []);
  return { rows, examples: examples.length > oddTextsMax ? null : examples };
}

interface OddTexts {
  readonly rows: number;
  readonly examples: readonly LocatedValue[] | null;
}

/** The written forms that a column can read as numbers, or as dates. */
export function readableAs(
  values: 'numbers' | 'dates',
  profile: ShapeProfile,
  words: string,
  notation: Notation,
): WrittenForm[] {
  const forms = profile.forms();
  if (values === 'numbers') {
    return forms.filter((form) => form.kind === 'number' && factorOf(form, notation) !== null);
  }
  const hasShortDates = meansDates(profile, words);
  return forms.filter(({ kind }) => kind !== 'number' && (kind !== 'shortDate' || hasShortDates));
}

/** True if digits such as `20240305` are dates: the label means a date, or other values of the column are written dates. */
function meansDates(profile: ShapeProfile, words: string): boolean {
  if (
    (isCalendarWord(words) || isMonthWord(words)) &&
    !isIdentifierWord(words) &&
    !isSequenceWord(words)
  )
    return true;
  const rows = profile.shapeRows();
  if ((rows[shapes.date] ?? 0) + (rows[shapes.dateTime] ?? 0) > 0) return true;
  return profile.forms().some(({ kind }) => kind === 'date' || kind === 'datetime');
}

function sumOfRows(forms: readonly WrittenForm[]): number {
  return forms.reduce((sum, { rows }) => sum + rows, 0);
}

interface DateRows {
  readonly days: number;
  readonly moments: number;
  readonly impossible: number;
  /** Number of 0000-00-00 and 00000000, which mean "no day". */
  readonly zero: number;
}

/** Counts rows by shape. `present` is without markers, and without odd texts that are few enough. */
function countShapes(
  profile: ShapeProfile,
  odd: OddTexts,
): {
  readonly count: (...kinds: readonly Shape[]) => number;
  readonly present: number;
  readonly missing: number;
} {
  const rows = profile.shapeRows();
  const count = (...kinds: readonly Shape[]): number =>
    kinds.reduce<number>((sum, kind) => sum + (rows[kind] ?? 0), 0);
  const missing = count(shapes.marker, shapes.dateZero);
  const present = rows.reduce((sum, each) => sum + each, 0) - missing;
  const areFew = present >= oddPresentMin && odd.rows <= present * oddShareMax;
  const areSymbols =
    present >= symbolPresentMin &&
    odd.rows * 2 <= present &&
    odd.examples?.every(({ text }) => symbols.test(text)) === true;
  const isLeftOut = odd.examples !== null && (areFew || areSymbols);
  return { count, missing, present: isLeftOut ? present - odd.rows : present };
}

/** Symbols of statistics for a number that is not known or not published (`X`, `***`, `…`), among the numbers. */
const symbols = /^(?:[xX]|\*{1,5}|…|\.{2,3}|‥)$/u;
/** In a shorter column, an `X` may be a code beside `1` and `2`. */
const symbolPresentMin = 10;
/** Maximum share of odd texts in a column of another type: nutrients have `tr`, a trace, in up to 3 % of the rows. */
const oddShareMax = 0.05;
/** In a shorter column, one text may be as typical as the numbers. */
const oddPresentMin = 100;
/** With a larger share of markers, too few values are left for a type. */
const markerShareMax = 0.9;
/** Impossible dates for each real one: a column with one 2015-09-31 and two real days is still a date. */
const impossiblePerDateMax = 0.5;
