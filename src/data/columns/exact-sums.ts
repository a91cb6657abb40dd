import type { Column } from './column.ts';

/**
 * Sums and averages of a column by group. Numbers with a bounded number of decimal places are summed as whole numbers,
 * so that 0.1 and 0.2 are 0.3. Others are summed in the order of the records with a compensation of rounding errors;
 * equal queries have equal answers in both cases.
 */
export class ExactSums {
  readonly #column: Column;
  readonly #numbers: Float64Array;
  /** The multiple of 2^24 in a sum of whole numbers; the sum of others. */
  readonly #high: Float64Array;
  /** The rest of a sum of whole numbers; the compensation of others. */
  readonly #low: Float64Array;
  readonly #counts: Float64Array;

  constructor(groups: number, column: Column) {
    this.#column = column;
    this.#numbers = column.numbers();
    if (column.scale !== null && column.scale > 0) {
      const power = 10 ** column.scale;
      for (let at = 0; at < this.#numbers.length; at++) {
        this.#numbers[at] = Math.round(this.#numbers[at]! * power);
      }
    }
    this.#high = new Float64Array(groups);
    this.#low = new Float64Array(groups);
    this.#counts = new Float64Array(groups);
  }

  /** Adds the members of a chunk to their groups; codes that are no numbers are left out. */
  add(codes: Uint32Array, members: Uint16Array, groups: Int32Array): void {
    const { firstReadable } = this.#column;
    const numbers = this.#numbers;
    const isWhole = this.#column.scale !== null;
    for (let at = 0; at < members.length; at++) {
      const group = groups[at]!;
      const index = codes[members[at]!]! - firstReadable;
      if (group < 0 || index < 0 || index >= numbers.length) continue;
      this.#counts[group]!++;
      if (isWhole) this.#addWhole(group, numbers[index]!);
      else this.#addCompensated(group, numbers[index]!);
    }
  }

  /** Null if no number was added. */
  sum(group: number): number | null {
    return this.#counts[group] === 0 ? null : this.#quotient(group, 1);
  }

  average(group: number): number | null {
    const count = this.#counts[group]!;
    return count === 0 ? null : this.#quotient(group, count);
  }

  #addWhole(group: number, number: number): void {
    const high = Math.floor(number / lowUnits);
    this.#high[group]! += high;
    this.#low[group]! += number - high * lowUnits;
  }

  /** Neumaier's sum. */
  #addCompensated(group: number, number: number): void {
    const sum = this.#high[group]!;
    const next = sum + number;
    this.#low[group]! +=
      Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum;
    this.#high[group] = next;
  }

  #quotient(group: number, count: number): number {
    const [high, low] = [this.#high[group]!, this.#low[group]!];
    if (this.#column.scale === null) return (high + low) / count;
    const whole = high * lowUnits + low;
    const divisor = 10 ** this.#column.scale * count;
    // Both are exact, so one division rounds once.
    if (Number.isSafeInteger(whole) && Number.isSafeInteger(divisor)) return whole / divisor;
    const exact = BigInt(high) * BigInt(lowUnits) + BigInt(low);
    return Number(`${exact}e-${this.#column.scale}`) / count;
  }
}

const lowUnits = 2 ** 24;
