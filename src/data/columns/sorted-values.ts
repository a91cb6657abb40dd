import type { ValueFormat } from '../values/read-value.ts';
import { matchingTextsOf } from './matching-texts.ts';
import { sortByText } from './sort-by-text.ts';
import {
  compareSpellings,
  compareTexts,
  readings,
  typedValue,
  type PresentValue,
  type ReadOutcome,
  type TypedValue,
} from './typed-value.ts';

/**
 * Distinct values of a column in the order of `compareTyped`. One array for each property, instead of an object for each
 * value, leaves the garbage collector less to trace.
 */
export class SortedValues {
  readonly count: number;
  readonly #values: readonly PresentValue[];
  readonly #texts: readonly string[];
  readonly #numbers: Float64Array;
  readonly #readings: Uint8Array;
  readonly #order: Uint32Array;

  constructor(format: ValueFormat, values: readonly PresentValue[]) {
    this.count = values.length;
    this.#values = values;
    this.#numbers = new Float64Array(values.length);
    this.#readings = new Uint8Array(values.length);
    const isText = format.type === 'string';
    this.#texts = isText ? this.#readTexts(values) : this.#readTyped(format, values);
    this.#order = new Uint32Array(values.length);
    for (let at = 0; at < values.length; at++) this.#order[at] = at;
    this.#sort(isText);
  }

  /** The value at a position, from 0. */
  at(position: number): TypedValue {
    const at = this.#order[position]!;
    return {
      value: this.#values[at]!,
      // The array contains only values of `readings`.
      reading: this.#readings[at]! as ReadOutcome,
      number: this.#numbers[at]!,
      text: this.#texts[at]!,
    };
  }

  *inOrder(): Generator<PresentValue> {
    for (const at of this.#order) yield this.#values[at]!;
  }

  /** Sorted position of each value, by its index in the constructor's `values`. */
  positions(): Uint32Array {
    const positions = new Uint32Array(this.count);
    for (let at = 0; at < this.count; at++) positions[this.#order[at]!] = at;
    return positions;
  }

  #readTexts(values: readonly PresentValue[]): readonly string[] {
    this.#readings.fill(readings.readable);
    return matchingTextsOf(values);
  }

  #readTyped(format: ValueFormat, values: readonly PresentValue[]): readonly string[] {
    return values.map((value, at) => {
      const { reading, number, text } = typedValue(format, value);
      this.#readings[at] = reading;
      this.#numbers[at] = number;
      return text;
    });
  }

  #sort(isText: boolean): void {
    const compare = (a: number, b: number): number => this.#compare(a, b);
    if (this.#isSorted()) return;
    if (isText) sortByText(this.#order, this.#texts, compare);
    else this.#order.sort(compare);
  }

  #isSorted(): boolean {
    for (let at = 1; at < this.count; at++) if (this.#compare(at - 1, at) > 0) return false;
    return true;
  }

  #compare(a: number, b: number): number {
    return (
      this.#readings[a]! - this.#readings[b]! ||
      this.#numbers[a]! - this.#numbers[b]! ||
      compareTexts(this.#texts[a]!, this.#texts[b]!) ||
      compareSpellings(this.#values[a]!, this.#values[b]!)
    );
  }
}
