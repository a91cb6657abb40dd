import { pageContract } from '../../contract/pages.ts';
import type { StoredAxis } from '../../data/axis.ts';
import type { SearchTerm } from '../../data/korean/terms.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import type { Values } from '../../kernel/http/parameters.ts';
import type { NamedDataset } from '../../lookup/datasets.ts';
import { queryOf, remainingQuery, remainingTerms } from '../../lookup/remaining-query.ts';
import { titleIn } from './dataset-view.ts';
import type { QueryRegion } from './query-region.ts';
import { groupingKey, isNearTerm } from './search-intent.ts';
import type { SearchView } from './search-view.ts';
import { formatNumber } from '../layout.ts';

/** A dataset of a result, with the address of its records that the query selects. */
export interface FoundDataset {
  readonly title: string;
  readonly href: string;
  readonly origin: StoredAxis['axis']['origin'];
  readonly facts: readonly string[];
  /** Its chart in the grouping of the query, and its map. */
  readonly links: readonly { readonly text: string; readonly href: string }[];
  /** True if the first link is that of the chart. */
  readonly hasChart: boolean;
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
    const selected = await selectedCount(stored, rest, region, count, view);
    if (region !== null && selected === 0) continue;
    found.push(foundDataset(stored, rest, region, selected, view));
  }
  return region === null ? found : sampleLast(found);
}

/** Datasets with records of a region, most of them first. */
export function datasetsOfRegion(region: QueryRegion, view: SearchView): FoundDataset[] {
  const found = [...view.store.axes.values()].flatMap((stored) => {
    const count = countIn(stored, region);
    return count === 0 ? [] : [foundDataset(stored, [], region, count, view)];
  });
  return sampleLast(found.sort((a, b) => b.count - a.count));
}

/** The address of the records of an axis that the terms of a query select. */
export function recordsTarget(
  axis: string,
  terms: readonly SearchTerm[],
  { store, lang }: SearchView,
  place: QueryRegion['place'] | null = null,
): string {
  const q = remainingQuery(terms, axis, store);
  return canonicalUrl(pageContract.dataset, { axis, q, ...place, lang });
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

/** Number of records of a dataset in a region. */
export function countIn({ regions }: StoredAxis, { code }: QueryRegion): number {
  return regions.find((one) => one.code === code)?.rows ?? 0;
}

function foundDataset(
  stored: StoredAxis,
  rest: readonly SearchTerm[],
  region: QueryRegion | null,
  count: number,
  { language, words, lang, intent }: SearchView,
): FoundDataset {
  const { axis, rows } = stored;
  const isPart = count !== rows && count > 0;
  const size =
    region !== null
      ? words.inRegion(region.name, formatNumber(count))
      : isPart
        ? words.matching(formatNumber(count), formatNumber(rows))
        : words.rowsOf(formatNumber(rows));
  const q = region !== null || isPart ? queryOf(rest) : undefined;
  const target = (values: Values = {}): string =>
    canonicalUrl(pageContract.dataset, { axis: axis.code, q, ...region?.place, ...values, lang });
  const { grouping, isNear } = intent;
  const by = grouping === null ? null : groupingKey(stored, grouping, language);
  const chart =
    grouping === null || by === null
      ? []
      : [{ text: words.chartBy(grouping.word), href: target({ view: 'chart', by }) }];
  const topic = queryOf(rest.filter((term) => !isNearTerm(term)));
  const map = isNear
    ? { text: words.mapNear, href: target({ q: topic, view: 'map' }) }
    : { text: words.map, href: target({ view: 'map' }) };
  return {
    title: titleIn(stored, language),
    href: target(),
    origin: axis.origin,
    links: stored.hasCoordinates ? [...chart, map] : chart,
    hasChart: chart.length > 0,
    facts: [axis.provider?.name, size].filter((fact) => fact !== undefined),
    count,
  };
}
