import type { Value } from '../axis.ts';
import type { Accumulator } from './accumulator.ts';
import type { ColumnScan } from './column-scan.ts';
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
    const { firstReadable, firstUnread } = column;
    const codes = this.#scan.codesOf(chunk, members);
    const { min } = column.chunk(chunk);
    const [extremes, isMin] = [this.#codes, this.#isMin];
    for (let at = 0; at < members.length; at++) {
      const code = codes[at]! + min;
      if (code < firstReadable || code >= firstUnread) continue;
      const extreme = extremes[slots[at]!]!;
      if (extreme === 0 || (isMin ? code < extreme : code > extreme)) extremes[slots[at]!] = code;
    }
  }

  valueOf(slot: number): Value {
    const code = this.#codes[slot]!;
    return code === 0 ? null : shownValue(this.#scan.column, code);
  }
}
