import type { Value } from '../axis.ts';
import type { ColumnScan } from './column-scan.ts';
import { ExactSums } from './exact-sums.ts';
import type { GroupedRecords } from './grouped-records.ts';
import { distinctCounts } from './distinct-counts.ts';
import { medianCodes } from './median-codes.ts';
import { shownValue } from './shown-value.ts';

/** A number computed for each group. */
export interface Aggregate {
  /** Name in the answer. */
  readonly name: string;
  readonly function: 'count' | 'sum' | 'avg' | 'min' | 'max' | 'median' | 'distinct';
  /** Null for `count`. `sum`, `avg` and `median` need numbers. */
  readonly column: string | null;
}

/** Values of aggregates by group. A value that no record of a group has is null. */
export function* computeAggregates(
  records: GroupedRecords,
  aggregates: readonly Aggregate[],
  scanOf: (column: string) => ColumnScan,
): Generator<void, ((group: number) => Value)[]> {
  const results: ((group: number) => Value)[] = [];
  for (const { function: kind, column } of aggregates) {
    if (kind === 'count' || column === null) {
      results.push((group) => records.groups.counts[group]!);
    } else {
      results.push(yield* compute(records, kind, scanOf(column)));
    }
  }
  return results;
}

function* compute(
  records: GroupedRecords,
  kind: Exclude<Aggregate['function'], 'count'>,
  scan: ColumnScan,
): Generator<void, (group: number) => Value> {
  switch (kind) {
    case 'sum':
    case 'avg': {
      const sums = yield* sumsOf(records, scan);
      return (group) => (kind === 'sum' ? sums.sum(group) : sums.average(group));
    }
    case 'min':
    case 'max': {
      const codes = yield* extremeCodes(records, scan, kind === 'min');
      return (group) => (codes[group] === 0 ? null : shownValue(scan.column, codes[group]!));
    }
    case 'median': {
      const middles = yield* medianCodes(records, scan);
      return (group) => middles(group);
    }
    default: {
      const counts = yield* distinctCounts(records, scan);
      return (group) => counts[group]!;
    }
  }
}

function* sumsOf(records: GroupedRecords, scan: ColumnScan): Generator<void, ExactSums> {
  const sums = new ExactSums(records.count, scan.column);
  for (const { chunk, members, groups } of records.chunks()) {
    sums.add(scan.codes(chunk), members, groups);
    yield;
  }
  return sums;
}

/** Smallest or largest readable code by group; 0 if there is none. */
function* extremeCodes(
  records: GroupedRecords,
  scan: ColumnScan,
  isMin: boolean,
): Generator<void, Uint32Array> {
  const extremes = new Uint32Array(records.count);
  const { firstReadable, firstUnread } = scan.column;
  for (const { chunk, members, groups } of records.chunks()) {
    const codes = scan.codes(chunk);
    for (let at = 0; at < members.length; at++) {
      const group = groups[at]!;
      const code = codes[members[at]!]!;
      if (group < 0 || code < firstReadable || code >= firstUnread) continue;
      const extreme = extremes[group]!;
      if (extreme === 0 || (isMin ? code < extreme : code > extreme)) extremes[group] = code;
    }
    yield;
  }
  return extremes;
}
