import { binEdges, type Spread } from './bin-edges.ts';
import type { Column } from './column.ts';
import { countsByCode } from './counts-by-code.ts';
import { runLoop } from './run-loop.ts';
import type { AxisReading, Selection } from './selection.ts';

export interface HistogramQuery extends Selection {
  /** A column of numbers. */
  readonly column: string;
}

export interface Histogram {
  /** In the order of their numbers, without gaps; empty if no record has a number. */
  readonly bins: readonly Bin[];
  /** Selected records without a value. */
  readonly nulls: number;
  /** Selected records whose value is no number. */
  readonly unread: number;
}

/** Number of records with a number of at least `from` and below `below`; null stands for an open end. */
export interface Bin {
  readonly from: number | null;
  readonly below: number | null;
  readonly count: number;
}

/** Counts the numbers of a column in the selected records, in bins with round edges. */
export function* countBins(
  reading: AxisReading,
  query: HistogramQuery,
): Generator<void, Histogram> {
  const scan = reading.scans.scanOf(query.column);
  const { column } = scan;
  const counts = yield* countsByCode(scan, yield* reading.select(query));
  const { firstReadable, firstUnreadable } = column;
  const numberCounts = counts.subarray(firstReadable, firstUnreadable);
  return {
    bins: binsOf(column, numberCounts),
    nulls: runLoop(sumOf, counts.subarray(0, firstReadable)),
    unread: runLoop(sumOf, counts.subarray(firstUnreadable)),
  };
}

/** Bins of a column's numbers; `counts` has the records of each number, in the order of the numbers. */
function binsOf(column: Column, counts: Uint32Array): Bin[] {
  const total = runLoop(sumOf, counts);
  if (total === 0) return [];
  const numbers = column.numbers();
  const outside = Math.floor(total / 100);
  const [min, low, high, max] = [0, outside, total - 1 - outside, total - 1].map(
    (rank) => numbers[runLoop(positionOf, counts, rank)]!,
  );
  const spread: Spread = { min: min!, low: low!, high: high!, max: max! };
  const edges = binEdges(spread, column.type === 'integer');
  const binCounts = new Uint32Array(edges.length + 1);
  runLoop(countInBins, numbers, counts, Float64Array.from(edges), binCounts);
  return [...binCounts.keys()].flatMap((at) => {
    const [from = null, below = null] = [edges[at - 1], edges[at]];
    const count = binCounts[at]!;
    const isOpen = from === null || below === null;
    return isOpen && count === 0 ? [] : [{ from, below, count }];
  });
}

function sumOf(counts: Uint32Array): number {
  let sum = 0;
  for (let at = 0; at < counts.length; at++) sum += counts[at]!;
  return sum;
}

/** Index of the number that the record at a rank has, if records are sorted by number. */
function positionOf(counts: Uint32Array, rank: number): number {
  let at = 0;
  for (let left = rank; left >= counts[at]!; at++) left -= counts[at]!;
  return at;
}

function countInBins(
  numbers: Float64Array,
  counts: Uint32Array,
  edges: Float64Array,
  binCounts: Uint32Array,
): void {
  let bin = 0;
  for (let at = 0; at < numbers.length; at++) {
    while (bin < edges.length && numbers[at]! >= edges[bin]!) bin++;
    binCounts[bin]! += counts[at]!;
  }
}
