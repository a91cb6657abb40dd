import type { Value } from '../axis.ts';
import { intersect, type DocumentSet } from '../search/document-set.ts';
import { Aggregates, type Aggregate } from './aggregates.ts';
import type { SortTerm } from './select-records.ts';
import { codeRange } from './code-set.ts';
import type { Condition } from './condition.ts';
import { divideIntoGroups } from './divide-into-groups.ts';
import { partsOf, type GroupKey } from './group-keys.ts';
import { GroupedRecords } from './grouped-records.ts';
import { havingTest } from './having.ts';
import type { AxisReading, Selection } from './selection.ts';
import { compareTexts } from './typed-value.ts';
import { unreadOf } from './unread.ts';
import { testOfCodes } from './where.ts';

export interface GroupsQuery extends Selection {
  /** At most three; without any, all records are one group. */
  readonly by: readonly GroupKey[];
  readonly aggregates: readonly Aggregate[];
  /** Condition on aggregates, by their names. */
  readonly having?: Condition;
  /** Names of keys or aggregates; ties, and all without `sort`, are in the order of the keys. */
  readonly sort?: readonly SortTerm[];
  readonly offset: number;
  readonly limit: number;
}

export interface GroupsResult {
  /** A group as an object of its keys, then its aggregates, by their names. */
  readonly items: readonly Readonly<Record<string, Value>>[];
  /** Number of groups that fulfil `having`. */
  readonly total: number;
  /** True if there are more groups than can be sorted: those with the most records are used. */
  readonly isTruncated: boolean;
  readonly unread: Readonly<Record<string, number>>;
  /** Number of totals and subtotals among the grouped records. */
  readonly totalRows: number;
}

/** Groups the selected records and computes aggregates of each group. */
export function* groupRecords(
  reading: AxisReading,
  query: GroupsQuery,
): Generator<void, GroupsResult> {
  const { by, aggregates, having, sort = [], offset, limit } = query;
  const sets = yield* reading.select(query);
  const parts = by.map((key) => partsOf(reading.scans.of(key.column), key));
  const computed = new Aggregates(aggregates, (name) => reading.scans.of(name));
  const groups = yield* divideIntoGroups(sets, parts, (slots) => computed.start(slots));
  const valueOf = yield* computed.finish(new GroupedRecords(groups, sets));
  let selected = [...groups.counts.keys()];
  if (having !== undefined) {
    const isSelected = havingTest(having);
    selected = selected.filter((group) => isSelected((name) => valueOf.get(name)!(group)));
  }
  const orders = sort.map((term) => {
    const key = by.findIndex(({ name }) => name === term.column);
    const last = key < 0 ? null : parts[key]!.count - 1;
    const ofGroup = (group: number): Value => {
      if (last === null) return valueOf.get(term.column)!(group);
      const part = groups.parts[group]![key]!;
      return part === last ? null : part;
    };
    return orderBy(selected, ofGroup, term.isDescending);
  });
  selected.sort((a, b) => {
    for (const order of orders) {
      const difference = order(a, b);
      if (difference !== 0) return difference;
    }
    return a - b;
  });
  const columns = [...by, ...aggregates].flatMap(({ column }) => column ?? []);
  return {
    items: selected
      .slice(offset, offset + limit)
      .map((group) =>
        Object.fromEntries([
          ...by.map(({ name }, at) => [name, parts[at]!.valueOf(groups.parts[group]![at]!)]),
          ...aggregates.map(({ name }) => [name, valueOf.get(name)!(group)]),
        ]),
      ),
    total: selected.length,
    isTruncated: groups.isTruncated,
    unread: unreadOf(reading, query.condition, columns),
    totalRows: countTotals(reading, sets),
  };
}

/** Order of groups by one value each; null is last in both directions. */
function orderBy(
  groups: readonly number[],
  valueOf: (group: number) => Value,
  isDescending: boolean,
): (a: number, b: number) => number {
  const values = new Map(groups.map((group) => [group, valueOf(group)]));
  return (a, b) => {
    const [one, two] = [values.get(a)!, values.get(b)!];
    if (one === null || two === null) return Number(one === null) - Number(two === null);
    const difference = compareValues(one, two);
    return isDescending ? -difference : difference;
  };
}

function compareValues(a: NonNullable<Value>, b: NonNullable<Value>): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  return Number(a) - Number(b);
}

function countTotals(reading: AxisReading, sets: readonly DocumentSet[]): number {
  const scan = reading.scans.of('_total');
  const { column } = scan;
  const code = column.codes - 1;
  if (code === 0 || column.valueOf(code) !== true) return 0;
  const isTotal = testOfCodes(scan, codeRange(code, code + 1));
  return sets.reduce(
    (sum, set, chunk) => sum + intersect(set, isTotal(chunk, column.recordsOf(chunk))).count,
    0,
  );
}
