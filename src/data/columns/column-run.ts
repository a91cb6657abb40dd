import type { Value } from '../axis.ts';
import type { ValueFormat } from '../values/read-value.ts';
import { SortedValues } from './sorted-values.ts';
import type { PresentValue } from './typed-value.ts';
import { ValueNumbers } from './value-numbers.ts';

/** The values of one column in a run of records: each distinct value once, and a reference to it for each record. */
export interface ColumnValues {
  /** Distinct values in the order of their first occurrence; the first has number 1. */
  readonly values: readonly PresentValue[];
  /** The number of the value of each record; 0 is null. */
  readonly valueNumbers: Uint32Array;
}

/** Collects the values of one column in a run of records, as JSON would store them. */
export class ColumnRun implements ColumnValues {
  readonly #distinct = new ValueNumbers();
  #valueNumbers = new Uint32Array(64);
  #records = 0;
  #bytes = 0;
  #last: Value = null;
  #lastNumber = 0;

  /** Estimated bytes in memory. */
  get bytes(): number {
    return this.#bytes + this.#records * 4;
  }

  /** Valid until `clear`. */
  get values(): readonly PresentValue[] {
    return this.#distinct.values;
  }

  /** Valid until the next `add`. */
  get valueNumbers(): Uint32Array {
    return this.#valueNumbers.subarray(0, this.#records);
  }

  add(value: Value): void {
    if (this.#records === this.#valueNumbers.length) this.#grow();
    this.#valueNumbers[this.#records++] = this.#numberOf(value);
  }

  /** Begins the next run. */
  clear(): void {
    this.#distinct.clear();
    this.#records = 0;
    this.#bytes = 0;
    this.#last = null;
    this.#lastNumber = 0;
  }

  #numberOf(value: Value): number {
    // JSON has neither NaN nor infinities.
    if (value === null || (typeof value === 'number' && !Number.isFinite(value))) return 0;
    if (value === this.#last) return this.#lastNumber;
    const known = this.values.length;
    const number = this.#distinct.numberOf(value);
    if (number > known) {
      this.#bytes += valueBytes + (typeof value === 'string' ? value.length * 2 : 0);
    }
    this.#last = value;
    this.#lastNumber = number;
    return number;
  }

  #grow(): void {
    const wider = new Uint32Array(this.#valueNumbers.length * 2);
    wider.set(this.#valueNumbers);
    this.#valueNumbers = wider;
  }
}

/** The value of a record, by its position in the run. */
export function valueAt({ values, valueNumbers }: ColumnValues, record: number): Value {
  const number = valueNumbers[record]!;
  return number === 0 ? null : values[number - 1]!;
}

/** Values in the order of their type, and for each record the position of its value, from 1; 0 for null. */
export interface SortedRun {
  readonly values: SortedValues;
  readonly codes: Uint32Array;
}

export function sortRun(format: ValueFormat, { values, valueNumbers }: ColumnValues): SortedRun {
  const sorted = new SortedValues(format, values);
  const positions = sorted.positions();
  const codes = new Uint32Array(valueNumbers.length);
  for (let record = 0; record < codes.length; record++) {
    const number = valueNumbers[record]!;
    codes[record] = number === 0 ? 0 : positions[number - 1]! + 1;
  }
  return { values: sorted, codes };
}

/** Estimated bytes of a value beside its characters: string header, hash and table entries. */
const valueBytes = 40;
