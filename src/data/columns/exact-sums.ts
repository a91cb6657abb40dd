import type { Accumulator } from './accumulator.ts';
import type { Column } from './column.ts';
import type { ColumnScan } from './column-scan.ts';
import { runWithoutInlining } from './run-without-inlining.ts';

/**
 * Sums or averages of a column by group; null for a group without numbers. If the column has a scale, its numbers are
 * summed as whole numbers, so that 0.1 and 0.2 are 0.3. Otherwise they are summed in the order of the records, with a
 * compensation of rounding errors. Equal queries have equal answers in both cases.
 */
export class ExactSums implements Accumulator {
  readonly #scan: ColumnScan;
  readonly #isAverage: boolean;
  /** Number by readable code, whole if the column has a scale. */
  readonly #numbers: Float64Array;
  /** High part of each whole number, in units of 2^24, if sums may exceed the safe integers; `#numbers` has the rest. */
  readonly #multiples: Float64Array | null;
  /** Sums of `#numbers` by slot, in two halves, which `addNumbers` explains. */
  readonly #sums: Float64Array;
  /** Sums of `#multiples`, likewise, or the compensations of rounding errors; null if neither is needed. */
  readonly #high: Float64Array | null;
  /** Number of records without a number, by slot. */
  readonly #absent: Uint32Array;

  constructor(scan: ColumnScan, slots: number, isAverage: boolean) {
    const { column } = scan;
    this.#scan = scan;
    this.#isAverage = isAverage;
    this.#numbers = wholeNumbers(column);
    const isBounded = column.scale !== null && isSumSafe(this.#numbers, column.rows);
    this.#multiples = column.scale === null || isBounded ? null : takeMultiples(this.#numbers);
    this.#sums = new Float64Array(slots * 2);
    this.#high = isBounded ? null : new Float64Array(slots * 2);
    this.#absent = new Uint32Array(slots);
  }

  add(chunk: number, members: Uint16Array, slots: Int32Array): void {
    const { column } = this.#scan;
    const { min, max } = column.chunk(chunk);
    const codes = this.#scan.codesOf(chunk, members);
    const [length, first] = [members.length, min - column.firstReadable];
    const isReadable = first >= 0 && max < column.firstUnreadable;
    if (!isReadable) {
      runWithoutInlining(
        countAbsent,
        codes,
        length,
        first,
        this.#numbers.length,
        slots,
        this.#absent,
      );
    }
    if (column.scale === null) {
      const sums = [this.#sums, this.#high!] as const;
      runWithoutInlining(addCompensated, codes, length, first, this.#numbers, slots, ...sums);
      return;
    }
    const addAll = isReadable ? addNumbers : addReadable;
    runWithoutInlining(addAll, codes, length, first, this.#numbers, slots, this.#sums);
    if (this.#multiples !== null) {
      runWithoutInlining(addAll, codes, length, first, this.#multiples, slots, this.#high!);
    }
  }

  valueOf(slot: number, records: number): number | null {
    const numbers = records - this.#absent[slot]!;
    return numbers === 0 ? null : this.#quotient(slot, this.#isAverage ? numbers : 1);
  }

  #quotient(slot: number, count: number): number {
    const { scale } = this.#scan.column;
    const sum = totalOf(this.#sums, slot);
    const high = this.#high === null ? 0 : totalOf(this.#high, slot);
    if (scale === null) return (sum + high) / count;
    const whole = high * multipleUnits + sum;
    const divisor = 10 ** scale * count;
    // Both are exact, so that only the division rounds.
    if (Number.isSafeInteger(whole) && Number.isSafeInteger(divisor)) return whole / divisor;
    const exact = BigInt(high) * BigInt(multipleUnits) + BigInt(sum);
    return Number(`${exact}e-${scale}`) / count;
  }
}

/** Numbers by readable code, without their decimal point if the column has a scale. */
function wholeNumbers(column: Column): Float64Array {
  const numbers = column.numbers();
  if (column.scale === null || column.scale === 0) return numbers;
  const power = 10 ** column.scale;
  for (let at = 0; at < numbers.length; at++) numbers[at] = Math.round(numbers[at]! * power);
  return numbers;
}

/** True if no sum of `count` of the sorted numbers can exceed the safe integers. */
function isSumSafe(numbers: Float64Array, count: number): boolean {
  const largest = Math.max(Math.abs(numbers[0] ?? 0), Math.abs(numbers.at(-1) ?? 0));
  return largest * count <= Number.MAX_SAFE_INTEGER;
}

/** Takes the high part from each number and returns it in units of 2^24. */
function takeMultiples(numbers: Float64Array): Float64Array {
  const multiples = numbers.map((number) => Math.floor(number / multipleUnits));
  for (let at = 0; at < numbers.length; at++) numbers[at]! -= multiples[at]! * multipleUnits;
  return multiples;
}

/**
 * Adds the number of each code; `first` is the index of the number of the chunk's smallest code. Every other record is
 * added to the second half of `sums`: neighbours often share a slot, and an addition to the same slot would have to wait
 * for the previous one.
 */
function addNumbers(
  codes: Uint32Array,
  length: number,
  first: number,
  numbers: Float64Array,
  slots: Int32Array,
  sums: Float64Array,
): void {
  const half = sums.length / 2;
  const even = length - (length % 2);
  for (let at = 0; at < even; at += 2) {
    sums[slots[at]!]! += numbers[codes[at]! + first]!;
    sums[half + slots[at + 1]!]! += numbers[codes[at + 1]! + first]!;
  }
  if (even < length) sums[slots[even]!]! += numbers[codes[even]! + first]!;
}

/** Adds the number of each code that has one. */
function addReadable(
  codes: Uint32Array,
  length: number,
  first: number,
  numbers: Float64Array,
  slots: Int32Array,
  sums: Float64Array,
): void {
  const end = numbers.length;
  for (let at = 0; at < length; at++) {
    const index = codes[at]! + first;
    if (index >= 0 && index < end) sums[slots[at]!]! += numbers[index]!;
  }
}

function totalOf(sums: Float64Array, slot: number): number {
  return sums[slot]! + sums[sums.length / 2 + slot]!;
}

/** Adds numbers by Neumaier's sum. */
function addCompensated(
  codes: Uint32Array,
  length: number,
  first: number,
  numbers: Float64Array,
  slots: Int32Array,
  sums: Float64Array,
  compensations: Float64Array,
): void {
  const end = numbers.length;
  for (let at = 0; at < length; at++) {
    const index = codes[at]! + first;
    if (index < 0 || index >= end) continue;
    const [slot, number] = [slots[at]!, numbers[index]!];
    const sum = sums[slot]!;
    const next = sum + number;
    compensations[slot]! +=
      Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum;
    sums[slot] = next;
  }
}

function countAbsent(
  codes: Uint32Array,
  length: number,
  first: number,
  end: number,
  slots: Int32Array,
  absent: Uint32Array,
): void {
  for (let at = 0; at < length; at++) {
    const index = codes[at]! + first;
    if (index < 0 || index >= end) absent[slots[at]!]!++;
  }
}

/** Unit of the high parts. */
const multipleUnits = 2 ** 24;
