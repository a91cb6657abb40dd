import type { BilingualText } from '../contract/language.ts';
import type { StoredAxis } from '../data/axis.ts';
import type { Aggregate } from '../data/columns/aggregates.ts';
import type { SortTerm } from '../data/columns/select-records.ts';
import type { Condition } from '../data/columns/condition.ts';
import type { GroupKey } from '../data/columns/group-keys.ts';
import type { GroupsQuery, GroupsResult } from '../data/columns/groups.ts';
import type { Problem } from '../kernel/problem.ts';
import { columnsOf } from './selection.ts';
import { addedName } from './shown-fields.ts';
import { bindWhere } from './where/bind.ts';
import type { AxisColumns, ColumnFinder, NamedColumn } from './where/columns.ts';
import { parseWhere } from './where/parse.ts';
import { printName, printWhere } from './where/print.ts';
import { whereProblem } from './where/refusal.ts';
import type { Word } from './where/syntax.ts';
import { calledFunction, parseList, type ListItem } from './where/terms.ts';

interface GroupsParams {
  readonly by?: string | undefined;
  readonly agg?: string | undefined;
  readonly having?: string | undefined;
  readonly sort?: string | undefined;
}

interface RequestedGroups {
  readonly query: Pick<GroupsQuery, 'by' | 'aggregates' | 'having' | 'sort'>;
  /** The condition on aggregates as it was understood. */
  readonly having: string | null;
}

/** The groups of an empty selection. */
export const noGroups: GroupsResult = {
  items: [],
  total: 0,
  found: { number: 0, isExact: true },
  isTruncated: false,
  unread: {},
  totalRows: 0,
};

/** Reads the keys and aggregates of a request. Throws 400 for a fault. */
export function readGroups(params: GroupsParams, stored: StoredAxis): RequestedGroups {
  const columns = columnsOf(stored);
  const by = readKeys(params.by, columns);
  const aggregates = readAggregates(params.agg ?? 'count', columns).map((each) => ({
    ...each,
    name: addedName(each.name, by),
  }));
  const having = readHaving(params.having, aggregates, columns);
  const sort = readSort(params.sort, by, aggregates, columns);
  return {
    query: {
      by,
      aggregates,
      ...(having === null ? {} : { having: having.condition }),
      ...(sort.length === 0 ? {} : { sort }),
    },
    having: having?.text ?? null,
  };
}

const keysMax = 3;
const aggregatesMax = 16;
const sortTermsMax = 3;
const parts = ['year', 'month', 'day'] as const;
const functions = ['count', 'sum', 'avg', 'min', 'max', 'median', 'distinct'] as const;

function readKeys(by: string | undefined, columns: AxisColumns): GroupKey[] {
  if (by === undefined) return [];
  const options = { parameter: 'by', itemsMax: keysMax, functions: parts };
  return parseList(by, options).map(({ name, function: called }): GroupKey => {
    const column = columns.find(name, 'by');
    const part = parts.find((one) => one === called);
    if (part === undefined) return { name: name.text, column: column.name, part: 'value' };
    if (column.type !== 'date' && column.type !== 'datetime')
      throw wrongType('by', name, kinds.date);
    return { name: `${part}(${name.text})`, column: column.name, part };
  });
}

function readAggregates(agg: string, columns: AxisColumns): Aggregate[] {
  const options = { parameter: 'agg', itemsMax: aggregatesMax, functions };
  return parseList(agg, options).map((item) => aggregateOf(item, columns, 'agg'));
}

function aggregateOf(
  { name, function: called }: Pick<ListItem, 'name' | 'function'>,
  columns: AxisColumns,
  parameter: string,
): Aggregate {
  const known = functions.find((one) => one === called);
  if (known === undefined) throw unknownAggregate(parameter, name);
  if (known === 'count' && (name.text === '' || name.text === '*')) {
    return { name: 'count', function: 'count', column: null };
  }
  const column = columns.find(name, parameter);
  if (known === 'count') throw unknownAggregate(parameter, name);
  if (['sum', 'avg', 'median'].includes(known) && !isNumeric(column)) {
    throw wrongType(parameter, name, kinds.number);
  }
  return { name: `${known}(${name.text})`, function: known, column: column.name };
}

function readHaving(
  having: string | undefined,
  aggregates: readonly Aggregate[],
  columns: AxisColumns,
): { readonly condition: Condition; readonly text: string } | null {
  if (having === undefined) return null;
  const names = aggregates.map(({ name }) => name);
  const expression = parseWhere(having, { parameter: 'having', names, functions });
  const condition = bindWhere(expression, new AggregateColumns(aggregates, columns), 'having');
  return { condition, text: printWhere(expression) };
}

/** Aggregates as the columns of `having`, however their fields are named there. */
class AggregateColumns implements ColumnFinder {
  readonly #aggregates: readonly Aggregate[];
  readonly #columns: AxisColumns;

  constructor(aggregates: readonly Aggregate[], columns: AxisColumns) {
    this.#aggregates = aggregates;
    this.#columns = columns;
  }

  find(word: Word, parameter: string): NamedColumn {
    const {
      name,
      function: called,
      column,
    } = findAggregate(word, parameter, this.#aggregates, this.#columns);
    const isNumber = column === null || called === 'count' || called === 'distinct';
    const format = isNumber ? undefined : this.#columns.lookUp(column)[0];
    return { type: 'number', ...format, name, label: name, isReadable: true };
  }
}

function findAggregate(
  word: Word,
  parameter: string,
  aggregates: readonly Aggregate[],
  columns: AxisColumns,
): Aggregate {
  const named = aggregates.find(({ name }) => name === word.text);
  if (named !== undefined) return named;
  const names = aggregates.map(({ name }) => printName(name));
  const item = calledFunction(word, functions);
  if (item.function === null) throw unknownTerm(parameter, word, names);
  const wanted = aggregateOf(item, columns, parameter);
  const found = aggregates.find(
    (one) => one.function === wanted.function && one.column === wanted.column,
  );
  if (found === undefined) throw unknownTerm(parameter, word, names);
  return found;
}

function readSort(
  sort: string | undefined,
  by: readonly GroupKey[],
  aggregates: readonly Aggregate[],
  columns: AxisColumns,
): SortTerm[] {
  if (sort === undefined) return [];
  const options = { parameter: 'sort', itemsMax: sortTermsMax, isSort: true } as const;
  return parseList(sort, options).map(({ name: word, isDescending }) => {
    const key = by.find(({ name }) => name === word.text) ?? findKey(word, by, columns);
    if (key !== undefined) return { column: key.name, isDescending };
    const names = [...by, ...aggregates].map(({ name }) => name);
    const isAggregate =
      aggregates.some(({ name }) => name === word.text) ||
      calledFunction(word, functions).function !== null;
    if (!isAggregate) throw unknownTerm('sort', word, names);
    return { column: findAggregate(word, 'sort', aggregates, columns).name, isDescending };
  });
}

/** The key of the same column and part under another of its names. */
function findKey(word: Word, by: readonly GroupKey[], columns: AxisColumns): GroupKey | undefined {
  const { name, function: part } = calledFunction(word, parts);
  const [column] = columns.lookUp(name.text);
  return by.find((key) => key.column === column?.name && key.part === (part ?? 'value'));
}

function isNumeric({ type }: NamedColumn): boolean {
  return type === 'integer' || type === 'number';
}

function unknownAggregate(parameter: string, { text, position }: Word): Problem {
  const reason = {
    ko: 'count, sum(필드), avg(필드), min(필드), max(필드), median(필드), distinct(필드)를 쓰세요.',
    en: 'Use count, sum(f), avg(f), min(f), max(f), median(f) or distinct(f).',
  };
  return whereProblem(parameter, { position, reason, expected: functions, value: text });
}

function unknownTerm(
  parameter: string,
  { text, position }: Word,
  names: readonly string[],
): Problem {
  const reason = {
    ko: `요청한 이름만 쓸 수 있습니다: ${names.join(', ')}`,
    en: `Only names of this request can be used: ${names.join(', ')}`,
  };
  const suggestions = names.slice(0, 3);
  return whereProblem(parameter, { position, reason, expected: names, suggestions, value: text });
}

function wrongType(parameter: string, { text, position }: Word, kind: BilingualText): Problem {
  const reason = {
    ko: `${text}: ${kind.ko} 필드에만 쓸 수 있습니다.`,
    en: `${text}: this needs a field of ${kind.en}.`,
  };
  return whereProblem(parameter, { position, reason, expected: ['field'], value: text });
}

const kinds = {
  date: { ko: '날짜', en: 'dates' },
  number: { ko: '숫자', en: 'numbers' },
} as const;
