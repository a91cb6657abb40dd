import type { FieldType, Value } from '../axis.ts';
import { compareTyped, typedValue, type PresentValue, type TypedValue } from './typed-value.ts';

/**
 * The values of one column in a run of records: each distinct value once, and its number for each record. Number 0
 * is null.
 */
export class ColumnRun {
  readonly #type: FieldType;
  readonly #numbers = new Map<PresentValue, number>();
  #ofRecords = new Uint32Array(64);
  #records = 0;
  #bytes = 0;
  #last: Value = null;
  #lastNumber = 0;

  constructor(type: FieldType) {
    this.#type = type;
  }

  /** Estimated bytes in memory. */
  get bytes(): number {
    return this.#bytes + this.#records * 4;
  }

  add(value: Value): void {
    if (this.#records === this.#ofRecords.length) this.#grow();
    this.#ofRecords[this.#records++] = this.#numberOf(value);
  }

  /** Distinct values in their order, and for each record the position of its value, from 1; 0 for null. */
  take(): SortedRun {
    const values = Array.from(this.#numbers.keys(), (value) => typedValue(this.#type, value));
    const order = Uint32Array.from(values.keys()).sort((a, b) =>
      compareTyped(values[a]!, values[b]!),
    );
    const positions = new Uint32Array(values.length + 1);
    for (let at = 0; at < order.length; at++) positions[order[at]! + 1] = at + 1;
    const codes = new Uint32Array(this.#records);
    for (let at = 0; at < codes.length; at++) codes[at] = positions[this.#ofRecords[at]!]!;
    this.#clear();
    return { values: Array.from(order, (at) => values[at]!), codes };
  }

  #numberOf(value: Value): number {
    if (value === null) return 0;
    if (value === this.#last) return this.#lastNumber;
    let number = this.#numbers.get(value);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      this.#numbers.set(value, number);
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

  #clear(): void {
    this.#numbers.clear();
    this.#records = 0;
    this.#bytes = 0;
    this.#last = null;
    this.#lastNumber = 0;
  }
}

export interface SortedRun {
  readonly values: readonly TypedValue[];
  readonly codes: Uint32Array;
}

/** Estimated bytes of an entry of a map and of the head of its string. */
const valueBytes = 64;
