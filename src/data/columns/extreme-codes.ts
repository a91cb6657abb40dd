import type { Value } from '../axis.ts';
import type { Accumulator } from './accumulator.ts';
import type { ColumnScan } from './column-scan.ts';
import { runWithoutInlining } from './run-without-inlining.ts';
import { shownValue } from './shown-value.ts';

/** The smallest or largest readable value of a column by group; null without one. */
export class ExtremeCodes implements Accumulator {
  readonly #scan: ColumnScan;
  readonly #isMin: boolean;
  /** Code of the value by slot, 0 if there is none. */
  readonly #codes: Uint32Array;

  constructor(scan: ColumnScan, slots: number, isMin: boolean) {
    this.#scan = scan;
    this.#isMin = isMin;
    this.#codes = new Uint32Array(slots);
  }

  add(chunk: number, members: Uint16Array, slots: Int32Array): void {
    const { column } = this.#scan;
    const codes = this.#scan.codesOf(chunk, members);
    const { min } = column.chunk(chunk);
    const range = [column.firstReadable, column.firstUnreadable] as const;
    const keep = this.#isMin ? keepSmallest : keepLargest;
    runWithoutInlining(keep, codes, members.length, min, ...range, slots, this.#codes);
  }

  valueOf(slot: number): Value {
    const code = this.#codes[slot]!;
    return code === 0 ? null : shownValue(this.#scan.column, code);
  }
}

function keepSmallest(
  codes: Uint32Array,
  length: number,
  min: number,
  from: number,
  to: number,
  slots: Int32Array,
  extremes: Uint32Array,
): void {
  for (let at = 0; at < length; at++) {
    const code = codes[at]! + min;
    const extreme = extremes[slots[at]!]!;
    if (code >= from && code < to && (code < extreme || extreme === 0)) extremes[slots[at]!] = code;
  }
}

function keepLargest(
  codes: Uint32Array,
  length: number,
  min: number,
  from: number,
  to: number,
  slots: Int32Array,
  extremes: Uint32Array,
): void {
  for (let at = 0; at < length; at++) {
    const code = codes[at]! + min;
    if (code >= from && code < to && code > extremes[slots[at]!]!) extremes[slots[at]!] = code;
  }
}
