import { binEdges, type Spread } from './bin-edges.ts';
import type { Column } from './column.ts';
import { countsByCode } from './counts-by-code.ts';
import { runWithoutInlining } from './run-without-inlining.ts';
import type { AxisReader, Selection } from './selection.ts';

export interface HistogramQuery extends Selection {
  /** A column of numbers. */
  readonly column: string;
}

export interface Histogram {
  /** Ascending, without gaps; empty if no record has a number. */
  readonly bins: readonly Bin[];
  /** Number of selected records without a value. */
  readonly nulls: number;
  /** Number of selected records whose value is not a number. */
  readonly unread: number;
}

/** A range of values from `from` to below `below`, null for an open end, and the number of records in it. */
export interface Bin {
  readonly from: number | null;
  readonly below: number | null;
  readonly count: number;
}

/** Counts the numbers of a column in the selected records, in bins with round edges. */
export function* countBins(reader: AxisReader, query: HistogramQuery): Generator<void, Histogram> {
  const scan = reader.scans.scanOf(query.column);
  const { column } = scan;
  const counts = yield* countsByCode(scan, yield* reader.select(query));
  const { firstReadable, firstUnreadable } = column;
  // Codes are in the order null, numbers, other texts.
  const numberCounts = counts.subarray(firstReadable, firstUnreadable);
  return {
    bins: binsOf(column, numberCounts),
    nulls: runWithoutInlining(sumOf, counts.subarray(0, firstReadable)),
    unread: runWithoutInlining(sumOf, counts.subarray(firstUnreadable)),
  };
}

/** Bins of a column's numbers; `counts` has the number of records of each distinct one, ascending. */
function binsOf(column: Column, counts: Uint32Array): Bin[] {
  const total = runWithoutInlining(sumOf, counts);
  if (total === 0) return [];
  const numbers = column.numbers();
  const tailSize = Math.floor(total / 100);
  const [min, low, high, max] = [0, tailSize, total - 1 - tailSize, total - 1].map(
    (rank) => numbers[runWithoutInlining(positionOf, counts, rank)]!,
  );
  const spread: Spread = { min: min!, low: low!, high: high!, max: max! };
  const edges = binEdges(spread, column.type === 'integer');
  const binCounts = new Uint32Array(edges.length + 1);
  runWithoutInlining(countInBins, numbers, counts, Float64Array.from(edges), binCounts);
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

/** Index of the distinct number of the record at `rank`, with the records sorted by number. */
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
