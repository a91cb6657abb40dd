import type { Value } from '../axis.ts';
import type { ValueFormat } from '../values/read-value.ts';
import { SortedValues } from './sorted-values.ts';
import type { PresentValue } from './typed-value.ts';
import { ValueNumbers } from './value-numbers.ts';

/** The values of one column in a run of records: each distinct value once, and its number for each record. */
export interface ColumnValues {
  /** Distinct values in the order in which they came; the first has number 1. */
  readonly values: readonly PresentValue[];
  /** The number of the value of each record; 0 is null. */
  readonly numbers: Uint32Array;
}

/** Collects the values of one column in a run of records, as they come back from JSON. */
export class ColumnRun implements ColumnValues {
  readonly #numbers = new ValueNumbers();
  #ofRecords = new Uint32Array(64);
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
    return this.#numbers.values;
  }

  /** Valid until the next `add`. */
  get numbers(): Uint32Array {
    return this.#ofRecords.subarray(0, this.#records);
  }

  add(value: Value): void {
    if (this.#records === this.#ofRecords.length) this.#grow();
    this.#ofRecords[this.#records++] = this.#numberOf(value);
  }

  /** Begins the next run. */
  clear(): void {
    this.#numbers.clear();
    this.#records = 0;
    this.#bytes = 0;
    this.#last = null;
    this.#lastNumber = 0;
  }

  #numberOf(value: Value): number {
    // JSON has no other numbers.
    if (value === null || (typeof value === 'number' && !Number.isFinite(value))) return 0;
    if (value === this.#last) return this.#lastNumber;
    const known = this.values.length;
    const number = this.#numbers.numberOf(value);
    if (number > known) {
      this.#bytes += valueBytes + (typeof value === 'string' ? value.length * 2 : 0);
    }
    this.#last = value;
    this.#lastNumber = number;
    return number;
  }

  #grow(): void {
    const wider = new Uint32Array(this.#ofRecords.length * 2);
    wider.set(this.#ofRecords);
    this.#ofRecords = wider;
  }
}

/** The value of a record. */
export function valueAt({ values, numbers }: ColumnValues, record: number): Value {
  const number = numbers[record]!;
  return number === 0 ? null : values[number - 1]!;
}

/** Values in the order of their type, and for each record the position of its value, from 1; 0 for null. */
export interface SortedRun {
  readonly values: SortedValues;
  readonly codes: Uint32Array;
}

export function sortRun(format: ValueFormat, { values, numbers }: ColumnValues): SortedRun {
  const sorted = new SortedValues(format, values);
  const positions = sorted.positions();
  const codes = new Uint32Array(numbers.length);
  for (let record = 0; record < codes.length; record++) {
    const number = numbers[record]!;
    codes[record] = number === 0 ? 0 : positions[number - 1]! + 1;
  }
  return { values: sorted, codes };
}

/** Estimated bytes of a value: the head of its string, its hash and its places in the tables. */
const valueBytes = 40;
