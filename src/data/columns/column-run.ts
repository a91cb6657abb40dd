import type { Value } from '../axis.ts';
import type { ValueFormat } from '../values/read-value.ts';
import { ValueNumbers } from './value-numbers.ts';
import { compareTyped, typedValue, type PresentValue, type TypedValue } from './typed-value.ts';

/**
 * The values of one column in a run of records: each distinct value once, and its number for each record. Number 0
 * is null.
 */
export class ColumnRun {
  readonly #format: ValueFormat;
  readonly #numbers = new ValueNumbers();
  #ofRecords = new Uint32Array(64);
  #records = 0;
  #bytes = 0;
  #last: Value = null;
  #lastNumber = 0;

  constructor(format: ValueFormat) {
    this.#format = format;
  }

  /** Estimated bytes in memory. */
  get bytes(): number {
    return this.#bytes + this.#records * 4;
  }

  /** Distinct values in the order in which they came; the first has number 1. Valid until `take` or `clear`. */
  get values(): readonly PresentValue[] {
    return this.#numbers.values;
  }

  /** Numbers of the values of all records, valid until the next `add`. */
  get numbers(): Uint32Array {
    return this.#ofRecords.subarray(0, this.#records);
  }

  add(value: Value): void {
    if (this.#records === this.#ofRecords.length) this.#grow();
    this.#ofRecords[this.#records++] = this.#numberOf(value);
  }

  /** Distinct values in their order, and for each record the position of its value, from 1; 0 for null. */
  take(): SortedRun {
    const values = this.values.map((value) => typedValue(this.#format, value));
    const order = Uint32Array.from(values.keys()).sort((a, b) =>
      compareTyped(values[a]!, values[b]!),
    );
    const positions = new Uint32Array(values.length + 1);
    for (let at = 0; at < order.length; at++) positions[order[at]! + 1] = at + 1;
    const codes = new Uint32Array(this.#records);
    for (let at = 0; at < codes.length; at++) codes[at] = positions[this.#ofRecords[at]!]!;
    this.clear();
    return { values: Array.from(order, (at) => values[at]!), codes };
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
    if (value === null) return 0;
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

export interface SortedRun {
  readonly values: readonly TypedValue[];
  readonly codes: Uint32Array;
}

/** Estimated bytes of a value: the head of its string, its hash and its places in the tables. */
const valueBytes = 40;
