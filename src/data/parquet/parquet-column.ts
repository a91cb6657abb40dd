import type { SchemaElement } from 'hyparquet';
import type { ColumnSource } from 'hyparquet-writer';
import type { Field, FieldType, Value } from '../axis.ts';
import { readNumber } from '../columns/typed-value.ts';
import { isExactTime, momentMs } from '../values/moment.ts';

/**
 * Values of a field for one group of rows, and the texts that its type cannot give back. Each distinct value is stored
 * once, so that a group of recurring values takes little memory.
 */
export class ParquetColumn {
  /** Schema of the column, and of the column with the texts unless the type is text itself. */
  readonly elements: readonly SchemaElement[];
  readonly #type: FieldType;
  readonly #isShort: boolean;
  /** Codes of the records: positions in the two lists. Code 0 is a missing value. */
  #codes = new Uint32Array(1_024);
  #rows = 0;
  #codeOfText = new Map<string, number>();
  #values: ParquetValue[] = [null];
  #texts: (string | null)[] = [null];
  #hasTexts = false;

  constructor(field: ParquetField, textName: string) {
    const { name, type } = field;
    this.#type = type;
    this.#isShort = type === 'integer' && hasShortIntegers(field);
    const elementType = this.#isShort ? shortInteger : elementTypes[type];
    const element = { name, ...optional, ...elementType };
    const textElement = { name: textName, ...optional, ...elementTypes.string };
    this.elements = type === 'string' ? [element] : [element, textElement];
  }

  /** True if some record had a text that the type cannot give back. */
  get hasTexts(): boolean {
    return this.#hasTexts;
  }

  add(value: Value): void {
    if (this.#rows === this.#codes.length) {
      const wider = new Uint32Array(this.#codes.length * 4);
      wider.set(this.#codes);
      this.#codes = wider;
    }
    this.#codes[this.#rows++] = value === null ? 0 : this.#codeOf(value);
  }

  /** Columns of a group for the writer, which reads the data of one at a time. */
  get sources(): ColumnSource[] {
    const rowsOf = (values: readonly ParquetValue[]) => this.#rowsOf(values);
    const [values, texts] = [this.#values, this.#texts];
    return this.elements.map(({ name }, at) => ({
      name,
      // Smallest and largest texts help no reader, and finding them takes a quarter of the time.
      statistics: at === 0 && this.#type !== 'string',
      get data() {
        return rowsOf(at === 0 ? values : texts);
      },
    }));
  }

  /** Begins the next group. */
  clear(): void {
    this.#rows = 0;
    this.#codeOfText = new Map();
    this.#values = [null];
    this.#texts = [null];
  }

  #rowsOf(values: readonly ParquetValue[]): ParquetValue[] {
    const data: ParquetValue[] = [];
    for (let row = 0; row < this.#rows; row++) data.push(values[this.#codes[row]!]!);
    return data;
  }

  #codeOf(value: Exclude<Value, null>): number {
    const text = typeof value === 'string' ? value : String(value);
    let code = this.#codeOfText.get(text);
    if (code !== undefined) return code;
    code = this.#values.length;
    this.#codeOfText.set(text, code);
    if (this.#type === 'string') {
      this.#values.push(text);
      return code;
    }
    const number = readNumber(this.#type, text) ?? NaN;
    const typed = this.#isShort ? shortOf(number) : typedOf(this.#type, number);
    const isWhole = typed !== null && isExact(this.#type, text, number);
    this.#hasTexts ||= !isWhole;
    this.#values.push(typed);
    this.#texts.push(isWhole ? null : text);
    return code;
  }
}

/** A column of a Parquet file before it is written. */
export type ParquetField = Pick<Field, 'name' | 'label' | 'type'> &
  Partial<Pick<Field, 'unit' | 'stats'>>;

type ParquetValue = string | number | bigint | boolean | null;

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

/** Physical and logical types. A date-time is of the clock on the wall, since sources write no zone. */
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

/** True if a text has no more than its typed value: no zeros in front, digits past a double, zone or time of a day. */
function isExact(type: FieldType, text: string, number: number): boolean {
  if (type === 'boolean') return true;
  if (type === 'date' || type === 'datetime') return isExactTime(type, text);
  const shown = String(number);
  if (text === shown) return true;
  const digits = text.replaceAll(',', '').replace(/^\+/, '');
  if (paddedNumber.test(digits)) return false;
  const significant = digits
    .replace(/[eE].*$/, '')
    .replace(/^-?[0.]*/, '')
    .replace('.', '');
  return significant.length <= exactDigits || digits.replace(/\.?0+$/, '') === shown;
}

const paddedNumber = /^-?0\d/;
/** A double gives back any decimal number of this many digits. */
const exactDigits = 15;
const msPerDay = 86_400_000;
