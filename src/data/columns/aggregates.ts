import type { Value } from '../axis.ts';
import type { Accumulator } from './accumulator.ts';
import type { ColumnScan } from './column-scan.ts';
import { distinctCounts } from './distinct-counts.ts';
import { ExactSums } from './exact-sums.ts';
import { ExtremeCodes } from './extreme-codes.ts';
import type { GroupedRecords } from './grouped-records.ts';
import { medianCodes } from './median-codes.ts';

/** A number computed for each group. */
export interface Aggregate {
  /** Name in the answer. */
  readonly name: string;
  readonly function: 'count' | 'sum' | 'avg' | 'min' | 'max' | 'median' | 'distinct';
  /** Null for `count`. `sum`, `avg` and `median` need numbers. */
  readonly column: string | null;
}

/** Value of an aggregate by group. */
type ValueOfGroup = (group: number) => Value;

/** Computes aggregates: sums, averages and extremes with accumulators, the others when the groups are known. */
export class Aggregates {
  readonly #aggregates: readonly Aggregate[];
  readonly #scanOf: (column: string) => ColumnScan;
  readonly #accumulators = new Map<string, Accumulator>();

  constructor(aggregates: readonly Aggregate[], scanOf: (column: string) => ColumnScan) {
    this.#aggregates = aggregates;
    this.#scanOf = scanOf;
  }

  /** Creates the accumulators, with `slots` slots each. */
  start(slots: number): readonly Accumulator[] {
    for (const { name, function: kind, column } of this.#aggregates) {
      if (column === null) continue;
      const scan = this.#scanOf(column);
      if (kind === 'sum' || kind === 'avg') {
        this.#accumulators.set(name, new ExactSums(scan, slots, kind === 'avg'));
      } else if (kind === 'min' || kind === 'max') {
        this.#accumulators.set(name, new ExtremeCodes(scan, slots, kind === 'min'));
      }
    }
    return [...this.#accumulators.values()];
  }

  /** Values by the names of the aggregates; null for a group without a value in the column. */
  *finish(records: GroupedRecords): Generator<void, ReadonlyMap<string, ValueOfGroup>> {
    const values = new Map<string, ValueOfGroup>();
    for (const aggregate of this.#aggregates) {
      values.set(aggregate.name, yield* this.#finishOne(aggregate, records));
    }
    return values;
  }

  *#finishOne(
    { name, function: kind, column }: Aggregate,
    records: GroupedRecords,
  ): Generator<void, ValueOfGroup> {
    const { counts, slots } = records.groups;
    if (kind === 'count' || column === null) return (group) => counts[group]!;
    if (kind === 'median') return yield* medianCodes(records, this.#scanOf(column));
    if (kind === 'distinct') {
      const distinct = yield* distinctCounts(records, this.#scanOf(column));
      return (group) => distinct[group]!;
    }
    const accumulator = this.#accumulators.get(name);
    return (group) => accumulator!.valueOf(slots[group]!, counts[group]!);
  }
}
