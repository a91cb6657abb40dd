import type { Language } from '../../contract/language.ts';
import type { Field, StoredAxis, Value } from '../../data/axis.ts';
import type { Aggregate } from '../../data/columns/aggregates.ts';
import type { GroupKey } from '../../data/columns/group-keys.ts';
import type { GroupsQuery, GroupsResult } from '../../data/columns/groups.ts';
import { fullName, regionByCode } from '../../data/regions/region-table.ts';
import { noGroups, readGroups } from '../../lookup/grouping.ts';
import { invalidParameter } from '../../lookup/refusals.ts';
import { readSelection, type SelectionParams } from '../../lookup/selection.ts';
import type { Expression } from '../../lookup/where/syntax.ts';
import type { PageRequest } from '../serve-page.ts';
import {
  firstKey,
  firstValue,
  isMonthOfYear,
  isYears,
  keyText,
  valueText,
  yearField,
} from './chart-choices.ts';
import { chartTexts } from './chart-texts.ts';
import { conditionsOf, whereOf } from './dataset-view.ts';

/** A request for a chart of the records that its parameters select. */
export interface ChartView extends Pick<PageRequest, 'store' | 'language' | 'isAbandoned'> {
  readonly stored: StoredAxis;
  readonly params: SelectionParams & {
    readonly by?: string | undefined;
    readonly agg?: string | undefined;
    readonly order: 'largest' | 'smallest' | 'key';
  };
}

/** Groups of records with a value each, ready to be drawn. */
export interface ChartData {
  readonly kind: 'time' | 'region' | 'category';
  readonly title: string;
  readonly key: GroupKey;
  readonly aggregate: Aggregate;
  readonly keyText: string;
  readonly valueText: string;
  /** True if the values of groups add up to the value of all records. */
  readonly isAdditive: boolean;
  readonly groups: readonly ChartGroup[];
  /** Groups with bars, the first ones; all are if they are few. */
  readonly bars: number;
  /** Number of all groups. */
  readonly total: number;
  /** The categories that are not drawn; null if all are. */
  readonly rest: { readonly groups: number; readonly value: number } | null;
  /** Value of all records that have a key. */
  readonly whole: number;
  /** True if there are earlier periods than the periods of the groups. */
  readonly isCut: boolean;
  /** The years whose months are one group, for a key of months from 1 to 12; else null. */
  readonly years: { readonly field: Field; readonly from: string; readonly to: string } | null;
  /** Records without a key. */
  readonly nulls: number;
  readonly unread: number;
  /** Totals of the source among the records. */
  readonly totalRows: number;
}

interface ChartGroup {
  readonly key: string;
  readonly label: string;
  readonly value: number;
}

/** Groups the selected records; null if no field suits a chart. Throws 400 for a fault. */
export async function chartData(view: ChartView): Promise<ChartData | null> {
  const { stored, params, language } = view;
  const by = params.by ?? firstKey(stored);
  if (by === null) return null;
  const agg = params.agg ?? firstValue(stored);
  const { query: read } = readGroups({ by, agg }, stored);
  const key = onlyOne('by', read.by);
  const aggregate = onlyOne('agg', read.aggregates);
  const kind = kindOf(key, stored);
  const isAdditive = aggregate.function === 'count' || aggregate.function === 'sum';
  const isOfMonths = hasMonthsOfYear(key, stored);
  const yearOfMonths = isOfMonths ? yearField(stored) : null;
  const sort =
    kind === 'time' || isOfMonths || params.order === 'key'
      ? { column: key.name, isDescending: kind === 'time' }
      : { column: aggregate.name, isDescending: params.order === 'largest' };
  const limit = groupsMax[kind] + 1;
  const [grouped, whole, all] = await Promise.all([
    groupsOf(view, { by: [key], aggregates: [aggregate], sort: [sort], limit }, key),
    groupsOf(
      view,
      { by: [], aggregates: [aggregate, records, ...extremes(yearOfMonths)], limit: 1 },
      key,
    ),
    groupsOf(view, { by: [], aggregates: [records], limit: 1 }),
  ]);
  const found = grouped.items.flatMap((item) => groupOf(item, key, aggregate, kind, language));
  const isCut = kind === 'time' && found.length > groupsMax.time;
  const isLong = kind === 'category' && found.length > groupsMax.category;
  const shown = found.slice(0, isLong ? barsMax : groupsMax[kind]);
  const drawn = kind === 'time' ? shown.reverse() : shown;
  const wholeValue = Number(whole.items[0]?.[aggregate.name] ?? 0);
  const others = kind === 'time' ? 0 : grouped.total - drawn.length;
  const texts = [keyText(key, view), valueText(aggregate, view)] as const;
  return {
    kind,
    title: chartTexts[language].title(texts[1], texts[0]),
    key,
    aggregate,
    keyText: texts[0],
    valueText: texts[1],
    isAdditive,
    groups: drawn,
    bars: drawn.length > groupsMax.category ? barsMax : drawn.length,
    total: grouped.total,
    rest:
      isAdditive && others > 0
        ? { groups: others, value: drawn.reduce((left, { value }) => left - value, wholeValue) }
        : null,
    whole: wholeValue,
    isCut,
    years: yearOfMonths === null ? null : yearsOf(whole, yearOfMonths),
    nulls: Number(all.items[0]?.['count'] ?? 0) - Number(whole.items[0]?.['count'] ?? 0),
    unread: Object.values(grouped.unread).reduce((sum, count) => sum + count, 0),
    totalRows: isAdditive || aggregate.function === 'avg' ? grouped.totalRows : 0,
  };
}

/** True if the key of a chart is a field of months of any year, which stand in their order. */
export function hasMonthsOfYear({ column, part }: GroupKey, { fields }: StoredAxis): boolean {
  const field = fields.find(({ name }) => name === column);
  return part === 'value' && field !== undefined && isMonthOfYear(field);
}

function extremes(field: Field | null): Aggregate[] {
  if (field === null) return [];
  return (['min', 'max'] as const).map((called) => ({
    name: `${called} year`,
    function: called,
    column: field.name,
  }));
}

/** The first and the last year of the records; null if all are of one year. */
function yearsOf({ items }: GroupsResult, field: Field): ChartData['years'] {
  const [from, to] = [items[0]?.['min year'], items[0]?.['max year']].map(String);
  return from === to ? null : { field, from: from!, to: to! };
}

const records: Aggregate = { name: 'count', function: 'count', column: null };
/** Groups of a chart: a point every two pixels of a phone, every region, and bars. */
const groupsMax = { time: 180, region: 300, category: 30 } as const;
/** Bars of a chart that has more than `groupsMax.category`. */
const barsMax = 20;

function onlyOne<Term>(parameter: 'by' | 'agg', terms: readonly Term[]): Term {
  const [term] = terms;
  if (term !== undefined && terms.length === 1) return term;
  throw invalidParameter(parameter, { ko: chartTexts.ko.oneTerm, en: chartTexts.en.oneTerm });
}

function kindOf({ column, part }: GroupKey, { fields }: StoredAxis): ChartData['kind'] {
  if (column === '_sido' || column === '_sigungu') return 'region';
  const field = fields.find(({ name }) => name === column);
  return part !== 'value' || (field !== undefined && isYears(field)) ? 'time' : 'category';
}

/** Groups of the selected records; with `key`, of the records that have a value there. */
async function groupsOf(
  { stored, store, params, isAbandoned }: ChartView,
  query: Omit<GroupsQuery, 'offset'>,
  key?: GroupKey,
): Promise<GroupsResult> {
  const hasKey: Expression[] =
    key === undefined
      ? []
      : [{ kind: 'null', name: { text: key.column, position: 0 }, isNegated: true }];
  const where = whereOf([...conditionsOf(params.where, stored), ...hasKey]);
  const { selection } = readSelection({ ...params, where }, stored);
  if (selection === null) return noGroups;
  return store.groups(stored.axis.code, { ...selection, ...query, offset: 0 }, isAbandoned);
}

/** A group with a value and a key that can be drawn. */
function groupOf(
  item: Readonly<Record<string, Value>>,
  { name }: GroupKey,
  aggregate: Aggregate,
  kind: ChartData['kind'],
  language: Language,
): ChartGroup[] {
  const [key, value] = [item[name] ?? null, item[aggregate.name] ?? null];
  if (key === null || typeof value !== 'number') return [];
  const text = String(key);
  if (kind === 'time' && !/^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-\d\d)?)?$/.test(text)) return [];
  return [{ key: text, label: kind === 'region' ? regionName(text, language) : text, value }];
}

/** The name of a region, with its province in short. */
function regionName(code: string, language: Language): string {
  const region = regionByCode(code);
  if (region === undefined) return code;
  const sido = region.level === 'sigungu' ? regionByCode(code.slice(0, 2)) : undefined;
  if (language === 'en' || sido === undefined) return fullName(region);
  return `${sido.short} ${region.name}`;
}
