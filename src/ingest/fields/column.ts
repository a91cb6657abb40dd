import type { FieldType } from '../../data/axis.ts';
import type { Cell } from '../files/table.ts';
import { readDegrees } from '../../data/values/degrees.ts';
import { readShape } from '../../data/values/shape.ts';
import { shapeCount, shapes, type ParsedValue, type Shape } from '../../data/values/shapes.ts';
import type { LocatedValue, Place } from './located-value.ts';
import { CodesAsDates } from './codes-as-dates.ts';
import { LostDigits } from './lost-digits.ts';
import { UniqueWatch } from './unique.ts';
import { WrittenForms, type WrittenForm } from './written-forms.ts';

/** Statistics of the values of one column, gathered cell by cell in bounded memory. */
export class ColumnProfile {
  nonNull = 0;
  minLength = Infinity;
  maxLength = 0;
  readonly numbers: Extent = { min: Infinity, max: -Infinity };
  /** As `yyyymmdd`, the first days of months. */
  readonly months: Extent = { min: Infinity, max: -Infinity };
  /** As `yyyymmdd`. */
  readonly days: Extent = { min: Infinity, max: -Infinity };
  /** As `yyyymmddhhmmss`. */
  readonly moments: Extent = { min: Infinity, max: -Infinity };

  /** The first distinct values that are impossible dates, in case the column has dates. */
  readonly impossibleDates: LocatedValue[] = [];
  /** The first distinct values that are dates of a spreadsheet's zero or of a far future. */
  readonly oddDates: OddDate[] = [];
  readonly lostDigits = new LostDigits();
  readonly codesAsDates = new CodesAsDates();
  /** In a column of latitudes or longitudes: the first distinct values that are not such a coordinate. */
  readonly oddCoordinates: (LocatedValue & { readonly shape: Shape })[] = [];
  /** All distinct texts that are neither numbers, dates nor markers; null if there are more than `oddTextsMax`. */
  oddTexts: LocatedValue[] | null = [];

  /** True if a value has degrees, minutes and seconds, which only a column of coordinates may have. */
  hasDegrees = false;
  readonly #forms = new WrittenForms();
  readonly #isUniqueWatched: boolean;
  #values: Map<string, ValueCount> | null = new Map();
  #characters = 0;
  #last: Cell = null;
  #lastCount: ValueCount = { shape: shapes.text, form: null, count: 0 };
  /** Number of rows by shape, for values that are no longer in `#values`. */
  readonly #shapeRows = new Float64Array(shapeCount);
  #sample: readonly SampledValue[] = [];
  #watch: UniqueWatch | null = null;
  /** Form of the value that was read last; null if it is plain. */
  #form: WrittenForm | null = null;

  readonly #budget: ValueBudget;
  readonly #place: Place;
  readonly #coordinate: Shape | null;

  /**
   * `isUniqueWatched` keeps checking uniqueness after the exact count of values has ended. `place` is the source of
   * the next cell; the caller updates it. `coordinate` is the shape of the coordinate that the column's label names.
   */
  constructor(
    isUniqueWatched: boolean,
    budget: ValueBudget,
    place: Place,
    coordinate: Shape | null = null,
  ) {
    this.#isUniqueWatched = isUniqueWatched;
    this.#budget = budget;
    this.#place = place;
    this.#coordinate = coordinate;
  }

  add(cell: Cell): void {
    if (cell === null) return;
    this.nonNull++;
    if (cell === this.#last) {
      this.#lastCount.count++;
      this.#watch = null;
      return;
    }
    this.#last = cell;
    const text = typeof cell === 'string' ? cell : String(cell);
    if (this.#values === null) {
      this.#release(this.#lastCount);
      this.#lastCount.shape = this.#read(text);
      this.#lastCount.form = this.#form;
      this.#lastCount.count = 1;
      this.#watch?.add(text);
      return;
    }
    let seen = this.#values.get(text);
    if (seen === undefined) {
      seen = { shape: this.#read(text), form: this.#form, count: 0 };
      this.#store(this.#values, text, seen);
    }
    seen.count++;
    this.#lastCount = seen;
  }

  /** Number of distinct values; null if there are too many, or too long ones, to count exactly. */
  get distinct(): number | null {
    return this.#values?.size ?? null;
  }

  /** True if all values are known to differ; false also if that is unknown. */
  get isUnique(): boolean {
    return this.#values === null
      ? this.#watch?.isUnique === true
      : this.#values.size === this.nonNull;
  }

  /** Number of rows with a value of each shape. */
  shapeRows(): Float64Array {
    const rows = this.#shapeRows.slice();
    if (this.#values === null) rows[this.#lastCount.shape]! += this.#lastCount.count;
    else for (const seen of this.#values.values()) rows[seen.shape]! += seen.count;
    return rows;
  }

  /** Ways of writing numbers and dates beside plain ones, with their rows. */
  forms(): readonly WrittenForm[] {
    const forms = this.#forms.all();
    if (forms.length === 0) return forms;
    const seen = this.#values === null ? [this.#lastCount] : [...this.#values.values()];
    return forms.map((form) => {
      const stored = seen.reduce((sum, each) => sum + (each.form === form ? each.count : 0), 0);
      return { ...form, rows: form.rows + stored };
    });
  }

  /** Number of rows with one of these values; a lower bound if the column has too many values to count. */
  rowsOf(values: readonly LocatedValue[]): number {
    return values.reduce((sum, { text }) => sum + (this.#values?.get(text)?.count ?? 1), 0);
  }

  /** A sample of the first distinct values, in their order. */
  sample(): readonly SampledValue[] {
    return this.#values === null ? this.#sample : sampleOf(this.#values);
  }

  #read(text: string): Shape {
    const shape = this.#coordinate === null ? readShape(text, reading) : this.#readCoordinate(text);
    this.#form = null;
    const { length } = text;
    if (length < this.minLength) this.minLength = length;
    if (length > this.maxLength) this.maxLength = length;
    if (shape === shapes.text) {
      const form = this.#forms.read(text);
      if (form === null) {
        this.codesAsDates.add(text, this.#place);
        this.oddTexts = this.#withText(this.oddTexts, text);
        return shape;
      }
      this.#form = form;
      form.examples = this.#withText(form.examples, text);
      return shapes.written;
    }
    if (this.#coordinate !== null) this.#checkCoordinate(text, shape);
    else if (shape === shapes.integer || shape === shapes.decimal || shape === shapes.beyond)
      this.lostDigits.add(text, this.#place);
    switch (shape) {
      case shapes.integer:
      case shapes.decimal:
      case shapes.latitude:
      case shapes.longitude:
        extend(this.numbers, reading.value);
        break;
      case shapes.compactMonth:
        extend(this.numbers, reading.value);
        extend(this.months, reading.value * 100 + 1);
        break;
      case shapes.dottedMonth:
        extend(this.numbers, reading.value);
        extend(this.months, Math.round(reading.value * 100) * 100 + 1);
        break;
      case shapes.zero:
        extend(this.numbers, 0);
        break;
      case shapes.compactDate:
        extend(this.numbers, reading.value);
        extend(this.days, reading.value);
        this.#checkDate(text, reading.value);
        break;
      case shapes.compactDateTime:
        extend(this.numbers, reading.value);
        extend(this.moments, length === 12 ? reading.value * 100 : reading.value);
        break;
      case shapes.date:
        extend(this.days, reading.value);
        this.#checkDate(text, reading.value);
        break;
      case shapes.dateTime:
        extend(this.moments, reading.value);
        this.#checkDate(text, Math.floor(reading.value / 1_000_000));
        break;
      case shapes.compactImpossible:
        extend(this.numbers, reading.value);
        this.#addImpossibleDate(text);
        break;
      case shapes.dateImpossible:
      case shapes.dateZero:
        this.#addImpossibleDate(text);
        break;
      default:
    }
    return shape;
  }

  /** Shape of a coordinate, also in degrees, minutes and seconds. */
  #readCoordinate(text: string): Shape {
    const shape = readShape(text, reading);
    const degrees = shape === shapes.text ? readDegrees(text) : null;
    if (shape === shapes.compactMonth) return shapes.integer;
    if (shape === shapes.dottedMonth) return shapes.decimal;
    if (degrees === null) return shape;
    this.hasDegrees = true;
    return readShape(degrees.toFixed(7), reading);
  }

  /** Adds the rows of a value that is no longer stored. */
  #release({ shape, form, count }: ValueCount): void {
    this.#shapeRows[shape]! += count;
    if (form !== null) form.rows += count;
  }

  /** Adds a text to distinct ones; null if they become too many. */
  #withText(values: LocatedValue[] | null, text: string): LocatedValue[] | null {
    if (values === null || values.some((value) => value.text === text)) return values;
    if (values.length === oddTextsMax) return null;
    values.push({ ...this.#place, text: copyOfText(text) });
    return values;
  }

  #addImpossibleDate(text: string): void {
    if (this.impossibleDates.length >= locatedMax) return;
    this.impossibleDates.push({ ...this.#place, text: copyOfText(text) });
  }

  #checkDate(text: string, day: number): void {
    const isZero = excelZeros.has(day);
    const isOdd = isZero || (day >= farFuture && day < withoutEnd);
    if (!isOdd || this.oddDates.length >= locatedMax) return;
    this.oddDates.push({ ...this.#place, text: copyOfText(text), isZero });
  }

  #checkCoordinate(text: string, shape: Shape): void {
    const isOther =
      shape !== this.#coordinate && (shape === shapes.latitude || shape === shapes.longitude);
    const isOutside =
      shape === shapes.decimal || (isWholeNumber(shape) && Math.abs(reading.value) >= degreesMax);
    if ((!isOther && !isOutside) || this.oddCoordinates.length >= locatedMax) return;
    this.oddCoordinates.push({ ...this.#place, text: copyOfText(text), shape });
  }

  #store(values: Map<string, ValueCount>, text: string, seen: ValueCount): void {
    const budget = this.#budget;
    const isWithinBudget =
      values.size < distinctMax &&
      this.#characters + text.length <= distinctCharactersMax &&
      budget.values > 0 &&
      budget.characters >= text.length;
    if (isWithinBudget) {
      this.#characters += text.length;
      budget.values--;
      budget.characters -= text.length;
      values.set(copyOfText(text), seen);
      return;
    }
    budget.values += values.size;
    budget.characters += this.#characters;
    this.#sample = sampleOf(values);
    for (const each of values.values()) this.#release(each);
    if (this.#isUniqueWatched && values.size === this.nonNull - 1) {
      this.#watch = new UniqueWatch();
      for (const value of values.keys()) this.#watch.add(value);
      this.#watch.add(text);
    }
    this.#values = null;
  }
}

/** A column with the facts that determine its role. */
export interface ProfiledColumn {
  /** Korean label without blanks. */
  readonly words: string;
  readonly type: FieldType;
  readonly profile: ColumnProfile;
}

/** A date that is probably an error. */
export interface OddDate extends LocatedValue {
  /** True for a spreadsheet's zero, false for a far future. */
  readonly isZero: boolean;
}

/** Values that all columns of a table may still store together; it bounds tables with thousands of columns. */
interface ValueBudget {
  values: number;
  characters: number;
}

/** Either bound is about 40 MB: the first of short values, the second of long ones. */
export const tableValuesMax = 300_000;
export const tableCharactersMax = 15_000_000;

export interface SampledValue {
  readonly text: string;
  readonly shape: Shape;
  /** Number of rows with the value, until the column had more than `distinctMax` values. */
  readonly count: number;
}

interface Extent {
  min: number;
  max: number;
}

interface ValueCount {
  shape: Shape;
  form: WrittenForm | null;
  count: number;
}

/** Distinct values counted exactly in one column. */
export const distinctMax = 10_000;
/** Characters of distinct values kept for one column: 2 MB for a column of long descriptions. */
const distinctCharactersMax = 1_000_000;
const sampleMax = 200;
/** A column with more distinct texts is a column of texts, however many numbers it has. */
export const oddTextsMax = 20;
/** Most odd values of a column that are stored with their rows. */
const locatedMax = 1000;
/** Day 0 of spreadsheets: an empty cell or a zero that was written as a date. */
const excelZeros: ReadonlySet<number> = new Set([1899_12_30, 1899_12_31]);
/** Dates from here on are odd, except those of the year 9999, by which registers mean "without end". */
const farFuture = 2101_00_00;
const withoutEnd = 9999_00_00;
/** A whole number of this size is not a number of degrees, minutes or seconds: `129226015`. */
const degreesMax = 1000;

function isWholeNumber(shape: Shape): boolean {
  return (
    shape === shapes.integer || shape === shapes.compactDate || shape === shapes.compactImpossible
  );
}
/** V8 copies shorter substrings; a longer one is a view that keeps the whole read buffer in memory. */
const viewLengthMin = 13;

const reading: ParsedValue = { value: 0 };

function extend(extent: Extent, value: number): void {
  if (value < extent.min) extent.min = value;
  if (value > extent.max) extent.max = value;
}

/** A copy of a text that does not keep the read buffer in memory. */
function copyOfText(text: string): string {
  return text.length < viewLengthMin ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}

function sampleOf(values: ReadonlyMap<string, ValueCount>): SampledValue[] {
  const step = Math.max(1, values.size / sampleMax);
  const sample: SampledValue[] = [];
  let index = 0;
  for (const [text, { shape, count }] of values) {
    if (index++ >= sample.length * step) sample.push({ text, shape, count });
  }
  return sample;
}
