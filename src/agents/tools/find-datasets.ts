import type { Static } from 'typebox';
import { lookupContract } from '../../contract/lookup.ts';
import { pageContract } from '../../contract/pages.ts';
import { toolLimitMax, type tools } from '../../contract/tools.ts';
import type { CatalogType, Origin, StoredAxis } from '../../data/axis.ts';
import { counted } from '../../kernel/counted.ts';
import { catalog } from '../../lookup/endpoints/catalog.ts';
import { search } from '../../lookup/endpoints/search.ts';
import { dateOf, freshnessOf } from '../../lookup/freshness.ts';
import { boundedAnswer, readPage, type ToolAnswer } from '../answer.ts';
import { callEndpoint, type ToolContext } from '../call-endpoint.ts';
import { snapshotCitation } from '../citation.ts';
import { cutText } from '../markdown.ts';
import { noticesOf } from '../notices.ts';
import { datasetPage, searchPage } from '../page-links.ts';
import { requireRegion } from '../region-of.ts';
import { originOfAll } from '../origin-of-all.ts';

type Arguments = Static<typeof tools.find_datasets.input>;

/** Datasets by topic: stored ones first, then entries of the portal's catalog that are not stored. */
export async function findDatasets(given: Arguments, context: ToolContext): Promise<ToolAnswer> {
  const page = readPage('find_datasets', given, context, { default: 10, maximum: toolLimitMax });
  const { q = '', region, held } = given;
  const found =
    q.trim() === '' ? storedDatasets(held, context) : await datasetsAbout(q, held, context);
  const datasets =
    region === undefined ? found.datasets : inRegion(found.datasets, region, context);
  const demand = held === false ? unmetDemand(q, context) : null;
  const { offset, limit } = page;
  const total = datasets.length;
  const items = datasets.slice(offset, offset + limit);
  const draft = {
    origin: originOfAll(items.map(({ origin }) => origin)),
    citation: snapshotCitation(searchPage(given.q, context), context),
    items,
    offset,
    total: limit === 0 ? 0 : total,
    notices: [
      ...(total === 0 && demand === null ? [emptyNotice(found.suggestions)] : []),
      ...noticesOf([], { requested: given.limit, maximum: toolLimitMax }),
    ],
    summary: (shown: number) =>
      `Datasets ${shown === 0 ? 0 : offset + 1}–${offset + shown} of ${total}. Those with an axis code can be queried here.`,
    show: (shown: readonly Dataset[], lengthMax: number) => {
      const list = shown.map((dataset) => ({
        ...dataset,
        title: cutText(dataset.title, lengthMax),
      }));
      return {
        lines: [
          ...list.map(datasetLine),
          ...(demand ?? []).map(
            ({ rank, keyword, index }) =>
              `- no dataset for “${keyword}”: rank ${rank}, index ${index ?? 'below resolution'}`,
          ),
        ],
        members: { items: list, total, ...(demand === null ? {} : { demand }) },
      };
    },
    remarks: [
      ...(items.some(({ axis }) => axis !== null)
        ? [`Page of a stored dataset: ${context.baseUrl}${pageContract.dataset.path}`]
        : []),
      ...(demand === null
        ? []
        : ['Index: search demand relative to an anchor keyword (100), never a volume.']),
      ...(items.some(({ axis }) => axis === null)
        ? ['Entries without an axis are listed by the portal and not stored here.']
        : []),
    ],
  };
  return boundedAnswer(draft, page, context);
}

interface Dataset {
  readonly axis: string | null;
  readonly catalogId: string | null;
  readonly title: string;
  readonly provider: string | null;
  readonly type: CatalogType | null;
  readonly rows: number | null;
  /** Part of the dataset that has the query; null if none was given. */
  readonly matched: string | null;
  /** Records that contain the query, or that are in the region. */
  readonly count?: number;
  readonly origin: Origin | null;
  readonly freshness: ReturnType<typeof freshnessOf> | null;
  /** ISO 8601 date of the data, or of the entry. */
  readonly date: string | null;
  readonly license: string | null;
  /** Page of a stored dataset, or of the portal's entry. */
  readonly url: string | null;
}

interface Found {
  readonly datasets: readonly Dataset[];
  readonly suggestions: readonly string[];
}

function storedDatasets(held: boolean | undefined, context: ToolContext): Found {
  if (held === false) return { datasets: [], suggestions: [] };
  const datasets = [...context.store.axes.values()].map((stored) => storedDataset(stored, context));
  return { datasets: datasets.toSorted((a, b) => sampleLast(a) - sampleLast(b)), suggestions: [] };
}

function sampleLast({ origin }: Dataset): number {
  return origin === 'sample' ? 1 : 0;
}

async function datasetsAbout(
  q: string,
  held: boolean | undefined,
  context: ToolContext,
): Promise<Found> {
  const { store } = context;
  const named = await callEndpoint(lookupContract.search, search, { q, limit: 0 }, context);
  const counts = new Map(named.facets.axis.map(({ axis, count }) => [axis, count]));
  const kinds = new Map(named.datasets.map(({ axis, matched }) => [axis, matched]));
  const codes = [
    ...named.datasets.flatMap(({ axis }) => axis ?? []),
    ...named.facets.axis.map(({ axis }) => axis),
  ];
  const stored = [...new Set(codes)].flatMap((code) => {
    const axis = store.axes.get(code);
    const count = counts.get(code);
    return axis === undefined
      ? []
      : [
          {
            ...storedDataset(axis, context, kinds.get(code) ?? 'records'),
            ...(count === undefined ? {} : { count }),
          },
        ];
  });
  const { suggestions } = named;
  if (held === true) return { datasets: stored, suggestions };
  const values = { q, limit: catalogMax };
  const listed = await callEndpoint(lookupContract.catalog, catalog, values, context);
  const others = listed.items
    .filter((entry) => !entry.held)
    .map((entry) => ({
      axis: null,
      catalogId: entry.id,
      title: entry.title,
      provider: entry.provider,
      type: entry.type,
      matched: null,
      rows: null,
      origin: listed.meta.catalogOrigin,
      freshness: null,
      date: entry.modified ?? entry.created,
      license: entry.license?.name ?? null,
      url: entry.url,
    }));
  return {
    datasets: held === false ? others : [...stored, ...others],
    suggestions: [...suggestions, ...listed.suggestions],
  };
}

/** Entries of the catalog that are read for one query. */
const catalogMax = 50;

function storedDataset(
  stored: StoredAxis,
  context: ToolContext,
  matched: string | null = null,
): Dataset {
  const { axis, rows } = stored;
  return {
    axis: axis.code,
    catalogId: null,
    title: axis.title,
    provider: axis.provider?.name ?? null,
    type: axis.type,
    matched,
    rows,
    origin: axis.origin,
    freshness: freshnessOf(axis, context.today),
    date: dateOf(axis),
    license: axis.license?.name ?? null,
    url: datasetPage(axis.code, context),
  };
}

/** Stored datasets with records in a region, with their number. */
function inRegion(datasets: readonly Dataset[], name: string, { store }: ToolContext): Dataset[] {
  const { match } = requireRegion(name);
  return datasets.flatMap((dataset) => {
    const regions = dataset.axis === null ? [] : (store.axes.get(dataset.axis)?.regions ?? []);
    const rows = regions.find(({ code }) => code === match.countedCode)?.rows ?? 0;
    return rows === 0 ? [] : [{ ...dataset, count: rows }];
  });
}

/** Keywords that people search for and no stored dataset covers, in rank order. */
function unmetDemand(q: string, { store }: ToolContext) {
  return (store.demand?.items ?? [])
    .filter(({ axes, keyword }) => axes.length === 0 && keyword.includes(q.trim()))
    .slice(0, demandMax)
    .map(({ rank, keyword, index }) => ({ rank, keyword, index }));
}

const demandMax = 20;

function datasetLine({
  axis,
  matched,
  url,
  catalogId,
  title,
  provider,
  rows,
  count,
  origin,
  freshness,
  date,
  license,
}: Dataset): string {
  const parts = [
    axis === null ? `not stored, catalog ${catalogId ?? ''}` : `axis ${axis}`,
    rows === null ? null : counted(rows, 'record'),
    matched === null ? null : `found by ${matched}`,
    count === undefined ? null : `${count} of them match`,
    origin === 'sample' ? 'origin sample 예시' : origin === null ? null : `origin ${origin}`,
    freshness,
    date,
    provider,
    license,
    axis === null ? url : null,
  ];
  return `- ${title}: ${parts.filter((part) => part !== null).join(' · ')}`;
}

function emptyNotice(suggestions: readonly string[]): string {
  const other = [...new Set(suggestions)].slice(0, 3).map((text) => `“${text}”`);
  const hint = other.length === 0 ? '' : ` Try ${other.join(', ')}.`;
  return `No dataset found.${hint} Try one Korean word for the topic, no region, or search_records for names and addresses.`;
}
