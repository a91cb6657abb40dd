import type { ColumnScan } from './column-scan.ts';
import type { GroupedRecords } from './grouped-records.ts';
import { runWithoutInlining } from './run-without-inlining.ts';

/**
 * Computes the median of a column by group: null for a group without numbers, the mean of the two middle numbers if
 * their count is even. Codes are in the order of their numbers, so the middle code is found by counting the records in
 * ranges of codes. Ranges bound the memory; one pass is enough if each code of each group can be counted by itself.
 */
export function* medianCodes(
  records: GroupedRecords,
  scan: ColumnScan,
): Generator<void, (group: number) => number | null> {
  const { column } = scan;
  const { counts, lower, upper } = yield* middleCodes(records, scan);
  const power = 10 ** (column.scale ?? 0);
  return (group) => {
    if (counts[group] === 0) return null;
    const [a, b] = [column.numberOf(lower[group]!), column.numberOf(upper[group]!)];
    if (a === b) return a;
    return column.scale === null
      ? (a + b) / 2
      : (Math.round(a * power) + Math.round(b * power)) / (2 * power);
  };
}

/** By group: number of records with a readable code, and the two middle codes, which are equal if it is odd. */
interface MiddleCodes {
  readonly counts: Uint32Array;
  readonly lower: Uint32Array;
  readonly upper: Uint32Array;
}

function* middleCodes(records: GroupedRecords, scan: ColumnScan): Generator<void, MiddleCodes> {
  const { firstReadable, firstUnreadable } = scan.column;
  // One more, for the records of groups that were left out.
  const groups = records.count + 1;
  const counts = new Uint32Array(groups);
  /** First code of the range that contains the lower middle code, and the rank of that code in the range. */
  const lower = new Uint32Array(groups).fill(firstReadable);
  const rank = new Uint32Array(groups);
  const upper = new Uint32Array(groups);
  let isFirst = true;
  for (let size = firstUnreadable - firstReadable; size > 0; isFirst = false) {
    const shift = shiftFor(groups, size);
    const ranges = ((size - 1) >>> shift) + 1;
    const rangeCounts = yield* countRanges(records, scan, { first: lower, size, shift, ranges });
    const groupsPerStep = Math.ceil(countsPerStep / ranges);
    for (let group = 0; group < groups; group++) {
      if (group % groupsPerStep === 0) yield;
      const groupCounts = rangeCounts.subarray(group * ranges, (group + 1) * ranges);
      if (isFirst) {
        counts[group] = runWithoutInlining(sumOf, groupCounts);
        rank[group] = Math.max(0, counts[group]! - 1) >>> 1;
      }
      if (counts[group] === 0) continue;
      let range = 0;
      while (rank[group]! >= groupCounts[range]!) rank[group]! -= groupCounts[range++]!;
      if (shift === 0) {
        const isOne = counts[group]! % 2 === 1 || rank[group]! + 1 < groupCounts[range]!;
        let next = isOne ? range : range + 1;
        while (next < ranges && groupCounts[next] === 0) next++;
        if (next < ranges) upper[group] = lower[group]! + next;
      }
      lower[group]! += range * 2 ** shift;
    }
    if (shift === 0) break;
    size = 2 ** shift;
  }
  // The upper code of a group may be beyond the range that was counted last.
  if (upper.some((code, group) => code === 0 && counts[group]! > 0)) {
    yield* findNext(records, scan, lower, upper);
  }
  return { counts, lower, upper };
}

function sumOf(numbers: Uint32Array): number {
  let sum = 0;
  for (let at = 0; at < numbers.length; at++) sum += numbers[at]!;
  return sum;
}

/** Smallest `shift`, for ranges of `2 ** shift` codes, with which all counts fit into memory. */
function shiftFor(groups: number, size: number): number {
  let shift = 0;
  while (groups * (((size - 1) >>> shift) + 1) > countsMax) shift++;
  return shift;
}

/** Ranges of `2 ** shift` codes. Those of a group begin with its code of `first` and have `size` codes together. */
interface CodeRanges {
  readonly first: Uint32Array;
  readonly size: number;
  readonly shift: number;
  readonly ranges: number;
}

function* countRanges(
  records: GroupedRecords,
  scan: ColumnScan,
  { first, size, shift, ranges }: CodeRanges,
): Generator<void, Uint32Array> {
  const rangeCounts = new Uint32Array(first.length * ranges);
  for (const { chunk, members, groups } of records.chunks()) {
    const { min } = scan.column.chunk(chunk);
    const codes = scan.codesOf(chunk, members);
    const range = [min, first, size, shift, ranges] as const;
    runWithoutInlining(countCodes, codes, members.length, groups, ...range, rangeCounts);
    yield;
  }
  return rangeCounts;
}

function countCodes(
  codes: Uint32Array,
  length: number,
  groups: Int32Array,
  min: number,
  first: Uint32Array,
  size: number,
  shift: number,
  ranges: number,
  rangeCounts: Uint32Array,
): void {
  for (let at = 0; at < length; at++) {
    const group = groups[at]!;
    const offset = codes[at]! + min - first[group]!;
    if (offset >= 0 && offset < size) rangeCounts[group * ranges + (offset >> shift)]!++;
  }
}

/** Finds the smallest code of a group after its lower one, if `upper` has none for it yet. */
function* findNext(
  records: GroupedRecords,
  scan: ColumnScan,
  lower: Uint32Array,
  upper: Uint32Array,
): Generator<void, void> {
  const { firstUnreadable } = scan.column;
  const isWanted = Uint8Array.from(upper, (code) => (code === 0 ? 1 : 0));
  for (const { chunk, members, groups } of records.chunks()) {
    const { min } = scan.column.chunk(chunk);
    const codes = scan.codesOf(chunk, members);
    const bounds = [lower, firstUnreadable, isWanted] as const;
    runWithoutInlining(keepNext, codes, members.length, groups, min, ...bounds, upper);
    yield;
  }
}

function keepNext(
  codes: Uint32Array,
  length: number,
  groups: Int32Array,
  min: number,
  lower: Uint32Array,
  end: number,
  isWanted: Uint8Array,
  upper: Uint32Array,
): void {
  for (let at = 0; at < length; at++) {
    const group = groups[at]!;
    const code = codes[at]! + min;
    if (isWanted[group] === 0 || code <= lower[group]! || code >= end) continue;
    if (upper[group] === 0 || code < upper[group]!) upper[group] = code;
  }
}

/** Counts in memory: 16 MB. */
const countsMax = 2 ** 22;
/** Counts between two yields: less than a millisecond of work. */
const countsPerStep = 2 ** 18;
