import type { SchemaElement } from 'hyparquet';
import type { Field, FieldType } from '../axis.ts';
import type { ColumnValues } from '../columns/column-run.ts';
import type { PresentValue } from '../columns/typed-value.ts';
import type { ColumnGroup } from './column-chunk.ts';
import type { ParquetValue } from './plain-values.ts';
import { isExactTime, momentMs } from '../values/moment.ts';
import { readNumber, type ValueFormat } from '../values/read-value.ts';

/** Converts the values of a field to its type, group by group, and keeps the texts that the type does not preserve. */
export class ParquetColumn {
  /** Schema of the column and, unless its type is `string`, of the column with the texts. */
  readonly elements: readonly SchemaElement[];
  readonly #type: FieldType;
  readonly #format: ValueFormat;
  readonly #isShort: boolean;
  #hasTexts = false;

  constructor(field: ParquetField, textName: string) {
    const { name, type } = field;
    this.#type = type;
    this.#format = field;
    this.#isShort = type === 'integer' && hasShortIntegers(field);
    const elementType = this.#isShort ? shortInteger : elementTypes[type];
    const element = { name, ...optional, ...elementType };
    const textElement = { name: textName, ...optional, ...elementTypes.string };
    this.elements = type === 'string' ? [element] : [element, textElement];
  }

  /** True if a record had a text that the type does not preserve. */
  get hasTexts(): boolean {
    return this.#hasTexts;
  }

  /** Columns of a group of rows: the field's typed values and, unless its type is `string`, its texts. */
  columnGroups({ values: rawValues, valueNumbers }: ColumnValues): ColumnGroup[] {
    const { values, texts } = this.#convert(rawValues);
    return this.elements.map((element, at) => ({
      element,
      values: at === 0 ? values : texts,
      valueNumbers,
      // The number 1 and the text '1' become the same text.
      areDistinct: this.#type === 'string' && rawValues.every((value) => typeof value === 'string'),
      // Readers have no use for the smallest and largest text.
      hasStatistics: at === 0 && this.#type !== 'string',
    }));
  }

  /** Typed values by value number and, by the same number, the texts that the typed values do not preserve. */
  #convert(rawValues: readonly PresentValue[]): { values: ParquetValue[]; texts: ParquetValue[] } {
    const values: ParquetValue[] = [null];
    const texts: ParquetValue[] = [null];
    for (const value of rawValues) {
      const text = typeof value === 'string' ? value : String(value);
      if (this.#type === 'string') {
        values.push(text);
        continue;
      }
      const number = readNumber(this.#format, text) ?? NaN;
      const typed = this.#isShort ? shortOf(number) : typedOf(this.#type, number);
      const isPreserved = typed !== null && isExact(this.#type, text, number);
      this.#hasTexts ||= !isPreserved;
      values.push(typed);
      texts.push(isPreserved ? null : text);
    }
    return { values, texts };
  }
}

/** Description of a field to write. */
export type ParquetField = Pick<Field, 'name' | 'label' | 'type'> &
  Partial<Pick<Field, 'unit' | 'signs' | 'stats'>>;

/** True if the smallest and the largest integer of a field take four bytes. */
function hasShortIntegers({ stats }: ParquetField): boolean {
  const { min, max } = stats ?? {};
  return (
    typeof min === 'number' &&
    typeof max === 'number' &&
    shortOf(min) !== null &&
    shortOf(max) !== null
  );
}

function shortOf(number: number): number | null {
  return (number | 0) === number ? number : null;
}

const shortInteger = { type: 'INT32' } as const;
const optional = { repetition_type: 'OPTIONAL' } as const;

/** Physical and logical types. A date-time is local time, since sources write no zone. */
const elementTypes: Readonly<Record<FieldType, Omit<SchemaElement, 'name'>>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE' },
  datetime: {
    type: 'INT64',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' },
  },
};

function typedOf(type: FieldType, number: number): ParquetValue {
  if (!Number.isFinite(number)) return null;
  switch (type) {
    case 'boolean':
      return number === 1;
    case 'integer':
      return Number.isSafeInteger(number) ? BigInt(number) : null;
    case 'date':
      return momentMs(type, number) / msPerDay;
    case 'datetime':
      return BigInt(momentMs(type, number));
    default:
      return number;
  }
}

/** True if the typed value preserves the text: it has no leading zeros, excess digits, time zone, or time in a date. */
function isExact(type: FieldType, text: string, number: number): boolean {
  if (type === 'boolean') return true;
  if (type === 'date' || type === 'datetime') return isExactTime(type, text);
  if (notNumber.test(text)) return false;
  const printed = String(number);
  if (text === printed) return true;
  const digits = text.replaceAll(',', '').replace(/^\+/, '');
  if (paddedNumber.test(digits)) return false;
  const significant = digits
    .replace(/[eE].*$/, '')
    .replace(/^-?[0.]*/, '')
    .replace('.', '');
  return significant.length <= exactDigits || digits.replace(/\.?0+$/, '') === printed;
}

const paddedNumber = /^-?0\d/;
/** A character that a plain number cannot have, such as a letter of a unit or a bracket of a negative amount. */
const notNumber = /[^-+\d.,eE]/;
/** A double preserves any decimal number with this many digits. */
const exactDigits = 15;
const msPerDay = 86_400_000;
