import type { Value } from '../axis.ts';
import type { ValueFormat } from '../values/read-value.ts';
import { intersect, type DocumentSet } from '../search/document-set.ts';
import { Aggregates, type Aggregate } from './aggregates.ts';
import type { SortTerm } from './select-records.ts';
import { codeRange } from './code-set.ts';
import type { Condition } from './condition.ts';
import { divideIntoGroups, type FoundGroups } from './divide-into-groups.ts';
import { partsOf, type GroupKey } from './group-keys.ts';
import { GroupedRecords } from './grouped-records.ts';
import { havingTest } from './having.ts';
import type { AxisReader, Selection } from './selection.ts';
import { compareTexts } from './typed-value.ts';
import { unreadOf } from './unread.ts';
import { testOfCodes } from './where.ts';

export interface GroupsQuery extends Selection {
  /** At most three; without any, all records are one group. */
  readonly by: readonly GroupKey[];
  readonly aggregates: readonly Aggregate[];
  /** Condition on aggregates, by their names. */
  readonly having?: Condition;
  /** Names of keys or aggregates. Ties, and all groups without `sort`, are in the order of the keys. */
  readonly sort?: readonly SortTerm[];
  readonly offset: number;
  readonly limit: number;
}

export interface GroupsResult {
  /** A group as an object of its keys, then its aggregates, by their names. */
  readonly items: readonly Readonly<Record<string, Value>>[];
  /** Number of groups that fulfil `having`. */
  readonly total: number;
  /** Number of groups before `having` and before the limit on groups. */
  readonly found: FoundGroups;
  /** True if there were too many groups, so that only those with the most records were used. */
  readonly isTruncated: boolean;
  readonly unread: Readonly<Record<string, number>>;
  /** Number of totals and subtotals among the grouped records. */
  readonly totalRows: number;
}

/** Groups the selected records and computes aggregates of each group. */
export function* groupRecords(
  reader: AxisReader,
  query: GroupsQuery,
): Generator<void, GroupsResult> {
  const { by, aggregates, having, sort = [], offset, limit } = query;
  const sets = yield* reader.select(query);
  const parts = by.map((key) => partsOf(reader.scans.scanOf(key.column), key));
  const computed = new Aggregates(aggregates, (name) => reader.scans.scanOf(name));
  const groups = yield* divideIntoGroups(sets, parts, (slots) => computed.start(slots));
  const valueOf = yield* computed.finish(new GroupedRecords(groups, sets));
  let selected = [...groups.counts.keys()];
  if (having !== undefined) {
    const isSelected = havingTest(having, (name) => formatOf(reader, aggregates, name));
    const tests = yield* mapInSteps(selected, (group) =>
      isSelected((name) => valueOf.get(name)!(group)),
    );
    selected = selected.filter((_, at) => tests[at]);
  }
  const orders: ((a: number, b: number) => number)[] = [];
  for (const { column, isDescending } of sort) {
    const key = by.findIndex(({ name }) => name === column);
    const last = key < 0 ? null : parts[key]!.count - 1;
    const values = yield* mapInSteps(selected, (group) => {
      if (last === null) return valueOf.get(column)!(group);
      const part = groups.partsOf(group)[key]!;
      return part === last ? null : part;
    });
    orders.push(orderBy(values, isDescending));
  }
  const positions = [...selected.keys()].sort((a, b) => {
    for (const order of orders) {
      const difference = order(a, b);
      if (difference !== 0) return difference;
    }
    return a - b;
  });
  yield;
  const columns = [...by, ...aggregates].flatMap(({ column }) => column ?? []);
  const page = positions.slice(offset, offset + limit).map((at) => selected[at]!);
  const items = yield* mapInSteps(page, (group): Record<string, Value> => {
    const keyParts = groups.partsOf(group);
    return Object.fromEntries([
      ...by.map(({ name }, at) => [name, parts[at]!.valueOf(keyParts[at]!)]),
      ...aggregates.map(({ name }) => [name, valueOf.get(name)!(group)]),
    ]);
  });
  return {
    items,
    total: selected.length,
    found: groups.found,
    isTruncated: !groups.found.isExact || groups.found.number > groups.counts.length,
    unread: unreadOf(reader, query.condition, columns),
    totalRows: countTotals(reader, sets),
  };
}

/** Format of an aggregate: that of its column, except for numbers of records and of distinct values. */
function formatOf(reader: AxisReader, aggregates: readonly Aggregate[], name: string): ValueFormat {
  const { function: called, column } = aggregates.find((one) => one.name === name)!;
  const isNumber = column === null || called === 'count' || called === 'distinct';
  return isNumber ? { type: 'number' } : reader.scans.scanOf(column).column.format;
}

/** Values of groups, computed in steps because each value may read the file. */
function* mapInSteps<Result>(
  groups: readonly number[],
  valueOf: (group: number) => Result,
): Generator<void, Result[]> {
  const values: Result[] = [];
  for (const [at, group] of groups.entries()) {
    if (at % groupsPerStep === groupsPerStep - 1) yield;
    values.push(valueOf(group));
  }
  return values;
}

const groupsPerStep = 128;

/** Order of positions by the values there; null is last in both directions. */
function orderBy(
  values: readonly Value[],
  isDescending: boolean,
): (a: number, b: number) => number {
  return (a, b) => {
    const [one, two] = [values[a]!, values[b]!];
    if (one === null || two === null) return Number(one === null) - Number(two === null);
    const difference = compareValues(one, two);
    return isDescending ? -difference : difference;
  };
}

function compareValues(a: NonNullable<Value>, b: NonNullable<Value>): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  return Number(a) - Number(b);
}

function countTotals(reader: AxisReader, sets: readonly DocumentSet[]): number {
  const scan = reader.scans.scanOf('_total');
  const { column } = scan;
  const code = column.codeCount - 1;
  if (code === 0 || column.valueOf(code) !== true) return 0;
  const isTotal = testOfCodes(scan, codeRange(code, code + 1));
  return sets.reduce(
    (sum, set, chunk) => sum + intersect(set, isTotal(chunk, column.recordCount(chunk))).count,
    0,
  );
}
