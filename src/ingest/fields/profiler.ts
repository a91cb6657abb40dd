import type { Field, FieldRole, FieldStats, FieldType, LabelSource } from '../../data/axis.ts';
import type { Cell } from '../files/table.ts';
import { ColumnProfile, tableCharactersMax, tableValuesMax, type OddDate } from './column.ts';
import type { LocatedValue, Place } from './located-value.ts';
import { examplesOf } from './examples.ts';
import { labelOf, type Label } from './label.ts';
import {
  isIdentifierWord,
  isLatitudeWord,
  isLongitudeWord,
  isPersonWord,
  isSequenceWord,
} from './meaning.ts';
import { rolesOf } from './role.ts';
import { shapes, type Shape } from '../../data/values/shapes.ts';
import { stationWord } from './station-word.ts';
import type { WrittenForm } from './written-forms.ts';
import { factorOf, notationOf, type Notation } from './notation.ts';
import { datesOf, oddTextsOf, readableAs, typeOf } from './type.ts';
import { isoOf } from '../../data/values/iso.ts';

/**
 * Profiles the columns of a table row by row, in bounded memory. It describes values and never changes them.
 */
export function createFieldProfiler(
  columns: readonly string[],
  options: FieldProfilerOptions = {},
): FieldProfiler {
  const station = stationWord(columns);
  const labels = distinctLabels(
    columns.map((name, index) => labelFor(name, index, options, station)),
  );
  const words = labels.map(({ label }) => label.replaceAll(/\s/g, ''));
  const budget = { values: tableValuesMax, characters: tableCharactersMax };
  const place = options.place ?? unknownPlace;
  const profiles = words.map(
    (each) =>
      new ColumnProfile(
        isIdentifierWord(each) || isSequenceWord(each),
        budget,
        place,
        labelledCoordinate(each),
      ),
  );
  const publishedRoles = new Map(
    options.publishedFields?.flatMap(({ name, role }) =>
      role === undefined ? [] : [[name, role] as const],
    ),
  );
  const takenRoles = new Set(publishedRoles.values());
  const columnsWithUnit = new Set(
    options.publishedFields?.flatMap(({ name, unit }) => (unit === undefined ? [] : [name])),
  );
  let rows = 0;
  const document = [options.title ?? '', ...words].join(' ');
  const notations = (): Notation[] =>
    profiles.map((profile, at) => notationOf(profile, words[at]!, labels[at]!.unit, document));
  const typeOfColumn = (index: number, notation: Notation): FieldType =>
    typeOf(profiles[index]!, words[index]!, notation);

  function typesAndRoles(): { types: FieldType[]; roles: (FieldRole | null)[] } {
    const types = notations().map((notation, index) => typeOfColumn(index, notation));
    const profiled = profiles.map((profile, index) => ({
      words: words[index] ?? '',
      type: types[index] ?? 'string',
      profile,
    }));
    const roles = rolesOf(profiled, rows).map((role, index) => {
      const published = publishedRoles.get(columns[index] ?? '');
      if (published !== undefined) return published;
      return role !== null && singleRoles.has(role) && takenRoles.has(role) ? null : role;
    });
    return { types, roles };
  }

  return {
    valuesOf: (index) => profiles[index]!.sample().map(({ text }) => text),
    add(cells) {
      rows++;
      for (let index = 0; index < profiles.length; index++)
        profiles[index]!.add(cells[index] ?? null);
    },
    fields() {
      const { types, roles } = typesAndRoles();
      const columnNotations = notations();
      return columns.map((name, index): Field => {
        const notation = columnNotations[index]!;
        const type = types[index] ?? 'string';
        const role = roles[index] ?? null;
        const label = labels[index]!;
        // `구분(명)` over years is not a count: 명 is the unit of the numbers beside it.
        const isNumeric = type === 'integer' || type === 'number' || profiles[index]!.nonNull === 0;
        return {
          name,
          ...label,
          unit: isNumeric || columnsWithUnit.has(name) ? notation.unit : null,
          ...(isNumeric && notation.signs !== undefined ? { signs: notation.signs } : {}),
          type,
          role,
          searchable: isSearchable(type, role) && name !== geometryColumn,
          stats: statsOf(profiles[index]!, type, words[index] ?? '', notation),
        };
      });
    },
    impossibleDates() {
      const columnNotations = notations();
      return columns.flatMap((field, index): LocatedValues[] => {
        const dates = datesOf(profiles[index]!, words[index] ?? '', columnNotations[index]!);
        const count = dates === null ? 0 : dates.impossible + dates.zero;
        return count === 0 ? [] : [{ field, count, examples: profiles[index]!.impossibleDates }];
      });
    },
    oddTexts() {
      const columnNotations = notations();
      return columns.flatMap((field, index): OddTexts[] => {
        const notation = columnNotations[index]!;
        const type = typeOfColumn(index, notation);
        const values = type === 'date' || type === 'datetime' ? 'dates' : 'numbers';
        const profile = profiles[index]!;
        const odd = oddTextsOf(profile, readableAs(values, profile, words[index]!, notation));
        if (type === 'string' || odd.rows === 0) return [];
        return [{ field, type, count: odd.rows, examples: odd.examples ?? [] }];
      });
    },
    oddDates() {
      const columnNotations = notations();
      return columns.flatMap((field, index): LocatedValues<OddDate>[] => {
        const profile = profiles[index]!;
        const dates = datesOf(profile, words[index] ?? '', columnNotations[index]!);
        const { oddDates: examples } = profile;
        if (dates === null || examples.length === 0) return [];
        return [{ field, count: profile.rowsOf(examples), examples }];
      });
    },
    lostDigits() {
      return columns.flatMap((field, index): LocatedValues[] => {
        const profile = profiles[index]!;
        const examples = profile.lostDigits.values();
        return examples.length === 0 ? [] : [{ field, count: profile.rowsOf(examples), examples }];
      });
    },
    codesAsDates() {
      return columns.flatMap((field, index): LocatedValues[] => {
        const profile = profiles[index]!;
        const examples = profile.codesAsDates.values();
        return examples.length === 0 ? [] : [{ field, count: profile.rowsOf(examples), examples }];
      });
    },
    strayCoordinates() {
      const { roles } = typesAndRoles();
      return columns.flatMap((field, index): StrayCoordinates[] => {
        const labelled = labelledCoordinate(words[index] ?? '');
        if (labelled === null) return [];
        const profile = profiles[index]!;
        const rows = profile.shapeRows();
        const other = labelled === shapes.latitude ? shapes.longitude : shapes.latitude;
        const isWhole = ({ shape }: { shape: Shape }): boolean =>
          shape !== other && shape !== shapes.decimal;
        const wholeRows = profile.rowsOf(profile.oddCoordinates.filter(isWhole));
        const count = rows[other]! + rows[shapes.decimal]! + wholeRows;
        // In a column of minutes or seconds, `경도(초)`, only few values look like coordinates of Korea, by chance.
        const coordinateRows = rows[labelled]! + rows[other]! + wholeRows;
        if (count === 0 || coordinateRows < rows[shapes.decimal]!) return [];
        const examples = profile.oddCoordinates.map(({ shape, ...value }) => ({
          ...value,
          isSwapped: shape === other,
        }));
        const role = roles[index] ?? null;
        const isOwn = role === (labelled === shapes.latitude ? 'lat' : 'lon');
        return [{ field, count, examples, readAs: role, isReadAsLabelled: isOwn }];
      });
    },
    keyFields() {
      const { roles } = typesAndRoles();
      const keys = columns.flatMap((name, index) =>
        roles[index] === 'id' && profiles[index]!.nonNull === rows && profiles[index]!.isUnique
          ? [{ name, sequence: isSequenceWord(words[index] ?? '') }]
          : [],
      );
      const best = keys.find(({ sequence }) => !sequence) ?? keys[0];
      return best === undefined ? [] : [best.name];
    },
  };
}

export interface FieldProfiler {
  /** Adds one row; missing cells at its end are null. */
  add(cells: readonly Cell[]): void;
  /** Fields by the rows so far, in the order of the columns. */
  fields(): Field[];
  /** A sample of the first distinct values of a column. */
  valuesOf(column: number): string[];
  /** Impossible dates, by column. */
  impossibleDates(): LocatedValues[];
  /** Texts in columns of numbers, dates or booleans, by column. */
  oddTexts(): OddTexts[];
  /** Dates of a spreadsheet's zero or of a far future, by column. */
  oddDates(): LocatedValues<OddDate>[];
  /** Numbers whose last digits a spreadsheet lost, by column. */
  lostDigits(): LocatedValues[];
  /** Codes such as `2-58` that a spreadsheet made a date of, by column. */
  codesAsDates(): LocatedValues[];
  /** Columns labelled latitude or longitude with values outside Korea's range. */
  strayCoordinates(): StrayCoordinates[];
  /** The column that identifies a record: its values are unique and never missing. Empty if no column is known to. */
  keyFields(): string[];
}

/** Odd values of a column. */
interface LocatedValues<Located = LocatedValue> {
  readonly field: string;
  /** Number of rows with an odd value. */
  readonly count: number;
  /** The first distinct odd values. */
  readonly examples: readonly Located[];
}

interface OddTexts extends LocatedValues {
  /** Type of all other values of the column. */
  readonly type: FieldType;
}

interface StrayCoordinates {
  readonly field: string;
  /** Number of rows with a stray value. */
  readonly count: number;
  /** The first distinct stray values; `isSwapped` marks a longitude in place of a latitude, or the reverse. */
  readonly examples: readonly (LocatedValue & { readonly isSwapped: boolean })[];
  /** Role of the column by its values alone; null if too many values are out of range. */
  readonly readAs: FieldRole | null;
  /** True if `readAs` is the role that the column's label names. */
  readonly isReadAsLabelled: boolean;
}

export interface FieldProfilerOptions {
  /** Source of the next row; if absent, findings have no file and row. */
  readonly place?: Place;
  /** Title of the table's dataset, which helps to read signs. */
  readonly title?: string;
  /** Unit by column; null if the table gives none. */
  readonly units?: readonly (string | null)[];
  /** Facts that a source publishes about its own fields; they take precedence. */
  readonly publishedFields?: readonly PublishedField[];
}

export interface PublishedField {
  readonly name: string;
  /** Empty if the source gives none. */
  readonly label: string;
  readonly labelEn?: string | null;
  /** `portal` when not given. */
  readonly labelSource?: LabelSource;
  readonly unit?: string | null;
  /** Overrides the role by name and values; null means none. */
  readonly role?: FieldRole | null;
}

const unknownPlace: Place = { file: '', row: null };

/** Roles that at most one field of an axis has. */
const singleRoles: ReadonlySet<FieldRole> = new Set(['name', 'lat', 'lon', 'sido', 'sigungu']);

function labelFor(
  name: string,
  index: number,
  options: FieldProfilerOptions,
  station: string | null,
): Label {
  const published = options.publishedFields?.find((each) => each.name === name);
  const inferred = labelOf(name, station);
  const unit = published?.unit ?? options.units?.[index] ?? inferred.unit;
  if (published === undefined || published.label.trim() === '') {
    return { ...inferred, labelEn: published?.labelEn ?? inferred.labelEn, unit };
  }
  return {
    label: published.label.trim(),
    labelEn: published.labelEn ?? inferred.labelEn,
    labelSource: published.labelSource ?? 'portal',
    unit,
  };
}

/** Shape of the coordinate that a column's label names; null if it names none. */
function labelledCoordinate(words: string): Shape | null {
  if (isLatitudeWord(words)) return shapes.latitude;
  return isLongitudeWord(words) ? shapes.longitude : null;
}

/** Distinguishes columns with equal labels by unit or, if these are equal too, by a number. */
function distinctLabels(labels: readonly Label[]): Label[] {
  const seen = new Set<string>();
  const repeated = new Set(
    labels.map(({ label }) => label).filter((label) => seen.size === seen.add(label).size),
  );
  const used = new Set<string>();
  return labels.map((each) => {
    const withUnit =
      repeated.has(each.label) && each.unit !== null ? `${each.label}(${each.unit})` : each.label;
    let label = withUnit;
    for (let number = 2; used.has(label); number++) label = `${withUnit} ${number}`;
    used.add(label);
    return label === each.label ? each : { ...each, label };
  });
}

/** Name of a column of geometries in GeoJSON, which are not searched for. */
const geometryColumn = 'geometry';

/** Measures and coordinates are not searched for; integers are, because they may be years or floors. */
function isSearchable(type: FieldType, role: FieldRole | null): boolean {
  return type !== 'number' && type !== 'boolean' && role !== 'lat' && role !== 'lon';
}

function statsOf(
  profile: ColumnProfile,
  type: FieldType,
  words: string,
  notation: Notation,
): FieldStats {
  const hasValues = profile.nonNull > 0;
  return {
    nonNull: profile.nonNull,
    distinct: profile.distinct,
    minLength: hasValues ? profile.minLength : null,
    maxLength: hasValues ? profile.maxLength : null,
    ...extentOf(profile, type, notation),
    examples: isPersonWord(words) ? [] : examplesOf(profile.sample()),
  };
}

function extentOf(
  profile: ColumnProfile,
  type: FieldType,
  notation: Notation,
): Pick<FieldStats, 'min' | 'max'> {
  const { numbers, days, moments, months } = extentsOf(profile, notation);
  switch (type) {
    case 'integer':
    case 'number':
      return { min: numbers.min, max: numbers.max };
    case 'date': {
      // A column of months has no days.
      if (days.min === Infinity) return { min: monthOf(months.min), max: monthOf(months.max) };
      const [min, max] = [Math.min(days.min, months.min), Math.max(days.max, months.max)];
      return { min: isoOf(min), max: isoOf(max) };
    }
    case 'datetime': {
      const [first, last] = [Math.min(days.min, months.min), Math.max(days.max, months.max)];
      const midnights = { min: first * 1_000_000, max: last * 1_000_000 };
      return {
        min: isoOf(Math.min(moments.min, midnights.min)),
        max: isoOf(Math.max(moments.max, midnights.max)),
      };
    }
    default:
      return { min: null, max: null };
  }
}

/** `2024-06` of the first day of a month. */
function monthOf(day: number): string {
  return isoOf(day).slice(0, 7);
}

/** Smallest and largest plain and written values. */
function extentsOf(
  profile: ColumnProfile,
  notation: Notation,
): Pick<ColumnProfile, 'numbers' | 'days' | 'moments' | 'months'> {
  const forms = profile.forms();
  const extent = (kind: WrittenForm['kind'] | 'month', plain: { min: number; max: number }) => {
    const written = forms.flatMap((form) => {
      const isDate = form.kind === 'date' || form.kind === 'shortDate';
      if ((isDate ? (form.isMonth ? 'month' : 'date') : form.kind) !== kind) return [];
      const factor = kind === 'number' ? factorOf(form, notation) : 1;
      return factor === null ? [] : [form.min * factor, form.max * factor];
    });
    return { min: Math.min(plain.min, ...written), max: Math.max(plain.max, ...written) };
  };
  return {
    numbers: extent('number', profile.numbers),
    days: extent('date', profile.days),
    moments: extent('datetime', profile.moments),
    months: extent('month', profile.months),
  };
}
