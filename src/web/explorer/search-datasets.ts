import { exportContract } from '../../contract/export-routes.ts';
import { pageContract } from '../../contract/pages.ts';
import type { StoredAxis } from '../../data/axis.ts';
import { isCodeTable } from '../../data/code-table.ts';
import { parseQuery, type ParsedQuery, type SearchTerm } from '../../data/korean/terms.ts';
import { sheetRowsMax } from '../../data/xlsx/workbook.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import type { Values } from '../../kernel/http/parameters.ts';
import type { NamedDataset } from '../../lookup/datasets.ts';
import { queryOf, remainingQuery, remainingTerms } from '../../lookup/remaining-query.ts';
import { readSelection } from '../../lookup/selection.ts';
import type { Expression } from '../../lookup/where/syntax.ts';
import {
  amountReadings,
  isLabelWord,
  namedMeasure,
  type AmountReading,
  type FieldOrder,
} from './amount-fields.ts';
import { termOfValue } from './chart-choices.ts';
import { placeWordOf } from './named-place.ts';
import { dividedQueries } from './compound-words.ts';
import { conditionText } from './condition-text.ts';
import { datasetTexts } from './dataset-texts.ts';
import { labelIn, titleIn, whereOf } from './dataset-view.ts';
import type { QueryRegion } from './query-region.ts';
import { periodSummary, scopeSummary } from './scope-fact.ts';
import { groupingKey, isNearTerm } from './search-intent.ts';
import type { SearchView } from './search-view.ts';
import { readValueWords } from './value-words.ts';
import { formatNumber } from '../layout.ts';

/** A dataset of a result, with the address of its records that the query selects. */
export interface FoundDataset {
  readonly code: string;
  readonly title: string;
  readonly href: string;
  readonly origin: StoredAxis['axis']['origin'];
  readonly facts: readonly string[];
  /** Its chart in the grouping of the query, its map, and the files of its selected records. */
  readonly links: readonly { readonly text: string; readonly href: string }[];
  /** Files of its selected records, in the order of the query. */
  readonly files: FoundDataset['links'];
  /** True if the first link leads to the chart. */
  readonly hasChart: boolean;
  readonly hasMap: boolean;
  /** Use of the words of amounts: as conditions and an order, or as links of which the reader chooses one. */
  readonly amounts: 'read' | 'choice' | null;
  /** Selected records. */
  readonly count: number;
}

/** Stored datasets that a query names, with the records of its region; those without any are left out. */
export async function datasetsFound(
  named: readonly NamedDataset[],
  terms: readonly SearchTerm[],
  region: QueryRegion | null,
  view: SearchView,
): Promise<FoundDataset[]> {
  const found: FoundDataset[] = [];
  for (const { axis, count } of named) {
    const stored = axis === null ? undefined : view.store.axes.get(axis);
    if (stored === undefined) continue;
    const rest = remainingTerms(terms, stored.axis.code, view.store);
    const byValue = await datasetByValues(stored, rest, region, view);
    if (byValue !== null) found.push(byValue);
    if (byValue !== null) continue;
    const selected = await selectedCount(stored, rest, region, count, view);
    if (region !== null && selected === 0) continue;
    const choices = amountsFor(stored, view);
    found.push(foundDataset(stored, { rest, count: selected, choices }, region, view));
  }
  return region === null ? found : sampleLast(found);
}

/** Datasets that a word names together with one of their values (공영주차장), beside the datasets that are listed already. */
export async function datasetsOfCompounds(
  query: ParsedQuery,
  listed: readonly FoundDataset[],
  region: QueryRegion | null,
  view: SearchView,
): Promise<FoundDataset[]> {
  const known = new Set(listed.map(({ code }) => code));
  const found: FoundDataset[] = [];
  for (const { query: divided, codes, head } of dividedQueries(query, view.store)) {
    const axes = codes.flatMap((code) => view.store.axes.get(code) ?? []);
    for (const stored of axes.slice(0, compoundsMax)) {
      const { code } = stored.axis;
      if (known.has(code)) continue;
      const { conditions } = await readValueWords(
        [{ text: head, phrase: false }],
        stored,
        view.store,
      );
      if (conditions.length === 0) continue;
      const rest = remainingTerms(divided.terms, code, view.store);
      const dataset = await datasetByValues(stored, rest, region, view);
      if (dataset === null) continue;
      known.add(code);
      found.push(dataset);
    }
  }
  return sampleLast(found);
}

const compoundsMax = 12;

/** Datasets that count something in a region, those with most records first, as the page of the region lists them. */
export function datasetsOfRegion(region: QueryRegion, view: SearchView): FoundDataset[] {
  const found = [...view.store.axes.values()].flatMap((stored) => {
    const count = countIn(stored, region);
    return count === 0 || isCodeTable(stored)
      ? []
      : [foundDataset(stored, { rest: [], count }, region, view)];
  });
  return sampleLast(found.sort((a, b) => b.count - a.count));
}

/** The records of an axis that the terms of a query select: their address and their files. */
export function recordsOf(
  axis: string,
  terms: readonly SearchTerm[],
  count: number,
  { store, lang }: SearchView,
  place: QueryRegion['place'] | null = null,
): Pick<FoundDataset, 'href' | 'files'> {
  const selected = { q: remainingQuery(terms, axis, store), ...place };
  const href = canonicalUrl(pageContract.dataset, { axis, ...selected, lang });
  return { href, files: fileLinks(axis, selected, count) };
}

function sampleLast(found: FoundDataset[]): FoundDataset[] {
  const isSample = ({ origin }: FoundDataset): number => (origin === 'sample' ? 1 : 0);
  return found.sort((a, b) => isSample(a) - isSample(b));
}

async function selectedCount(
  stored: StoredAxis,
  rest: readonly SearchTerm[],
  region: QueryRegion | null,
  count: number,
  { store, isAbandoned }: SearchView,
): Promise<number> {
  if (region === null) return rest.length === 0 ? stored.rows : count;
  const inRegion = countIn(stored, region);
  if (inRegion === 0 || rest.length === 0) return inRegion;
  const search = { terms: rest, text: rest.map(({ text }) => text).join(' ') };
  const query = { regions: [region.code], search, offset: 0, limit: 0 };
  return (await store.select(stored.axis.code, query, isAbandoned)).total;
}

/** The readings of the words of amounts for a dataset. */
function amountsFor(stored: StoredAxis, { intent }: SearchView): readonly AmountReading[] {
  const { amounts } = intent.words;
  return amounts === null ? [] : amountReadings(amounts, stored, parseQuery(amounts.rest).terms);
}

/**
 * A dataset with the records that have values of the query, such as 무료, in their fields, or amounts such as 100 이상;
 * a link leads to those that have the words anywhere. Null if it has neither, or the other terms are in no such record.
 */
async function datasetByValues(
  stored: StoredAxis,
  terms: readonly SearchTerm[],
  region: QueryRegion | null,
  view: SearchView,
): Promise<FoundDataset | null> {
  const { store, isAbandoned } = view;
  if (region !== null && countIn(stored, region) === 0) return null;
  const amounts = amountsFor(stored, view);
  const fields = amounts.flatMap((one) => one.fields);
  const unnamed = terms.filter((term) => !fields.some((field) => isLabelWord(term, field)));
  const { conditions: values, rest } = await readValueWords(unnamed, stored, store);
  const only = amounts.length === 1 ? amounts[0]! : null;
  const conditions = [...values, ...(only?.conditions ?? [])];
  const where = whereOf(conditions);
  if (where === undefined && only === null) return null;
  const { selection } = readSelection({ where, q: queryOf(rest), ...region?.place }, stored);
  const query = { ...selection, offset: 0, limit: 0 };
  const { total } = await store.select(stored.axis.code, query, isAbandoned);
  if (total === 0 && rest.length > 0) return null;
  const part = {
    rest,
    count: total,
    conditions,
    order: only?.order ?? null,
    choices: only === null ? amounts : [],
    words: values.length === 0 ? [] : terms,
  };
  return foundDataset(stored, part, region, view);
}

/** Number of records of a dataset in a region. */
export function countIn({ regions }: StoredAxis, { code }: QueryRegion): number {
  return regions.find((one) => one.code === code)?.rows ?? 0;
}

/** The records of a dataset that a query selects. */
interface SelectedPart {
  readonly rest: readonly SearchTerm[];
  readonly count: number;
  /** Conditions that terms became, which are no longer in `rest`. */
  readonly conditions?: readonly Expression[];
  readonly order?: FieldOrder | null;
  /** Readings of amounts of which the reader chooses one. */
  readonly choices?: readonly AmountReading[];
  /** The terms before some became conditions. */
  readonly words?: readonly SearchTerm[];
}

function foundDataset(
  stored: StoredAxis,
  { rest, count, conditions = [], order = null, choices = [], words: typed }: SelectedPart,
  region: QueryRegion | null,
  view: SearchView,
): FoundDataset {
  const { language, words, lang, intent } = view;
  const { axis, rows } = stored;
  const isPart = count !== rows && (count > 0 || conditions.length > 0);
  const size =
    region !== null
      ? conditions.length === 0
        ? words.inRegion(region.name, formatNumber(count))
        : words.inRegionOf(region.name, formatNumber(count), formatNumber(countIn(stored, region)))
      : isPart
        ? words.matching(formatNumber(count), formatNumber(rows))
        : words.rowsOf(formatNumber(rows));
  const { place } = intent.words;
  const near = stored.hasCoordinates ? place?.record.near : undefined;
  const q = region !== null || isPart ? queryOf(rest) : undefined;
  const where = whereOf(conditions);
  const target = (values: Values = {}): string =>
    canonicalUrl(pageContract.dataset, {
      axis: axis.code,
      q,
      where,
      sort: order?.sort,
      near,
      place: near === undefined ? undefined : place?.name,
      ...region?.place,
      ...values,
      lang,
    });
  const files = fileLinks(
    axis.code,
    { q, where, sort: order?.sort, near, ...region?.place },
    count,
  );
  const { grouping, isNear } = intent;
  const by = grouping === null ? null : groupingKey(stored, grouping, language);
  const agg = measureOfGroups(stored, view);
  const chart =
    grouping === null || by === null
      ? []
      : [
          {
            text: words.chartBy(grouping.word),
            href: `${target({ view: 'chart', by, agg, order: chartOrder(intent, agg) })}#chart`,
          },
        ];
  const chosen = choices.map((one) => ({
    text: amountTexts(one, stored, view).join(' · '),
    href: target({ where: whereOf([...conditions, ...one.conditions]), sort: one.order?.sort }),
  }));
  const placeWord = placeWordOf(intent.rest)?.name;
  // The reader's position takes the place of a name that has none.
  const topic = queryOf(rest.filter((term) => !isNearTerm(term) && term.text !== placeWord));
  const map = isNear
    ? { text: words.mapNear, href: `${target({ q: topic, view: 'map' })}#map` }
    : {
        text: place === null ? words.map : words.mapNearPlace(place.name),
        href: `${target({ view: 'map' })}#map`,
      };
  // Without coordinates the name of the place is all that can be searched for.
  const inWords = place !== null && near === undefined ? place.name : queryOf(typed ?? []);
  const byWords =
    inWords === undefined
      ? []
      : [{ text: words.byWords(inWords), href: target({ q: inWords, where: undefined }) }];
  const texts = amountTexts({ conditions, order }, stored, view);
  const isNearest = place !== null && near !== undefined && order === null;
  const nearest = isNearest ? [words.nearest(place.name)] : [];
  const hasMap = stored.hasCoordinates && (count > 0 || isNear);
  // Beside the records of a region, the regions of all would mislead.
  const scope =
    region === null ? scopeSummary(stored, language) : periodSummary(stored, language, true);
  return {
    code: axis.code,
    title: titleIn(stored, language),
    href: target(),
    origin: axis.origin,
    links: [...chosen, ...chart, ...(hasMap ? [map] : []), ...byWords, ...files],
    files,
    hasChart: chart.length > 0,
    hasMap,
    amounts: chosen.length > 0 ? 'choice' : amountsFor(stored, view).length > 0 ? 'read' : null,
    facts: [axis.provider?.name, ...texts, ...nearest, size, ...scope].filter(
      (fact) => fact !== undefined,
    ),
    count,
  };
}

/** Links to the files of some records of a dataset; none without records. A sheet has no room for more than its rows. */
function fileLinks(code: string, selected: Values, count: number): FoundDataset['links'] {
  const formats = (['xlsx', 'csv'] as const).filter(
    (format) => count > 0 && (format === 'csv' || count <= sheetRowsMax),
  );
  return formats.map((format) => {
    const heading = format === 'csv' ? { header: 'label' } : {};
    const file = `${code}.${format}`;
    return {
      text: format.toUpperCase(),
      href: canonicalUrl(exportContract.export, { ...selected, file, ...heading }),
    };
  });
}

/** The sum that 가장 많은 시군구 or 달 compares, if words of the query name its field. */
function measureOfGroups(stored: StoredAxis, { intent }: SearchView): string | undefined {
  const { amounts } = intent.words;
  const order = amounts?.order ?? null;
  if (amounts === null || order === null || order.groups === null) return undefined;
  const field = namedMeasure(order, stored, parseQuery(amounts.rest).terms);
  return field === null ? undefined : termOfValue({ function: 'sum', column: field.name });
}

/** The order of the groups of a chart; undefined for the largest first, and for time, which has one order. */
function chartOrder({ words }: SearchView['intent'], agg: string | undefined) {
  const order = words.amounts?.order ?? null;
  const isByRegion = order?.groups === 'sido' || order?.groups === 'sigungu';
  if (order === null || !isByRegion) return undefined;
  if (order.isDescending === false) return 'smallest';
  return order.isDescending === null && agg === undefined ? 'key' : undefined;
}

/** Conditions and the order for readers. */
function amountTexts(
  { conditions, order }: Pick<AmountReading, 'conditions' | 'order'>,
  stored: StoredAxis,
  { language, words }: SearchView,
): string[] {
  const texts = conditions.map((part) =>
    conditionText(part, { words: datasetTexts[language], stored, language }),
  );
  if (order === null) return texts;
  const { field, isDescending } = order;
  const orders = words.fieldOrders[orderKind(field)];
  return [...texts, `${labelIn(field, language)}: ${orders[isDescending ? 1 : 0]}`];
}

function orderKind({ type }: FieldOrder['field']): 'date' | 'amount' | 'name' {
  if (type === 'date' || type === 'datetime') return 'date';
  return type === 'integer' || type === 'number' ? 'amount' : 'name';
}
