import type { Static } from 'typebox';
import { lookupContract } from '../../contract/lookup.ts';
import { pageContract } from '../../contract/pages.ts';
import type { Warning } from '../../contract/route.ts';
import { toolLimitMax, type tools } from '../../contract/tools.ts';
import type { CatalogType, Origin, StoredAxis } from '../../data/axis.ts';
import { counted } from '../../kernel/counted.ts';
import { catalog } from '../../lookup/endpoints/catalog.ts';
import { search } from '../../lookup/endpoints/search.ts';
import { dateOf, freshnessOf } from '../../data/freshness.ts';
import { boundedAnswer, readPage, type ToolAnswer } from '../answer.ts';
import { callEndpoint, type ToolContext } from '../call-endpoint.ts';
import { snapshotCitation } from '../citation.ts';
import { cutText } from '../markdown.ts';
import { noticesOf, quotable } from '../notices.ts';
import { datasetPage, searchPage } from '../page-links.ts';
import { requireRegion } from '../region-of.ts';
import { originOfAll } from '../origin-of-all.ts';
import { regionValues } from './axis-query.ts';
import { keywordLine, unmetDemand, type Keyword } from './unmet-demand.ts';

type Arguments = Static<typeof tools.find_datasets.input>;

/** Finds datasets by topic: stored ones first, then entries of the portal's catalog that are not stored. */
export async function findDatasets(given: Arguments, context: ToolContext): Promise<ToolAnswer> {
  const page = readPage('find_datasets', given, context, { default: 10, maximum: toolLimitMax });
  const { q = '', region, held } = given;
  const found =
    q.trim() === '' ? storedDatasets(given, context) : await datasetsAbout(q, given, context);
  const { datasets, rewritten } = found;
  const keywords = held === false ? unmetDemand(q, context) : [];
  const { offset, limit } = page;
  const all = [...keywords, ...datasets];
  const items = all.slice(offset, offset + limit);
  const origin = originOfAll(items.map((item) => item.origin));
  const isSampleRanking = splitItems(items).keywords.some((item) => item.origin === 'sample');
  const draft = {
    origin,
    citation: snapshotCitation(searchPage([region, rewritten ?? given.q], context), context),
    items,
    offset,
    total: limit === 0 ? 0 : all.length,
    notices: [
      ...(isSampleRanking && origin !== 'sample' ? [sampleRankingNotice] : []),
      ...(all.length === 0 ? [emptyNotice(given)] : []),
      ...(rewritten === null
        ? []
        : [`No dataset has “${quotable(q)}”; these are for “${quotable(rewritten)}”.`]),
      ...noticesOf(found.warnings, { requested: given.limit, maximum: toolLimitMax }),
    ],
    summary: (shown: number) => {
      const { keywords: first, datasets: others } = splitItems(items.slice(0, shown));
      const before = Math.max(0, offset - keywords.length);
      const ofKeywords = shownRange('keyword', offset, first.length, keywords.length);
      const ofDatasets = shownRange('dataset', before, others.length, datasets.length);
      return [
        ...(keywords.length === 0
          ? []
          : [`${ofKeywords} that people search for and that are not stored here.`]),
        ...(keywords.length > 0 && q.trim() === '' ? [] : [`${ofDatasets}.`]),
        ...(others.some(({ axis }) => axis !== null)
          ? [
              `Those with an axis code can be queried here${region === undefined ? '' : '; counts of matches are those in the region'}.`,
            ]
          : []),
      ].join(' ');
    },
    show: (shown: readonly (Dataset | Keyword)[], lengthMax: number) => {
      const { keywords: demand, datasets: others } = splitItems(shown);
      const list = others.map((dataset) => ({
        ...dataset,
        title: cutText(dataset.title, lengthMax),
      }));
      return {
        lines: [...demand.map(keywordLine), ...list.map(datasetLine)],
        members: {
          items: list,
          total: datasets.length,
          ...(held === false ? { demand, demandTotal: keywords.length } : {}),
        },
      };
    },
    remarks: remarksOf(items, given, context),
  };
  return boundedAnswer(draft, page, context);
}

const sampleRankingNotice =
  'The ranking of keywords is a SAMPLE (예시): its ranks and indexes are invented. Do not report them as fact.';

function splitItems(items: readonly (Dataset | Keyword)[]) {
  return {
    keywords: items.filter((item): item is Keyword => 'keyword' in item),
    datasets: items.filter((item): item is Dataset => !('keyword' in item)),
  };
}

/** The part of a list that is shown, such as `Datasets 11–20 of 34`; if none is shown, the total, such as `34 datasets`. */
function shownRange(noun: string, offset: number, shown: number, total: number): string {
  if (shown === 0) return counted(total, noun);
  const plural = `${noun[0]!.toUpperCase()}${noun.slice(1)}s`;
  return `${plural} ${offset + 1}–${offset + shown} of ${total}`;
}

function remarksOf(
  items: readonly (Dataset | Keyword)[],
  { q = '', region }: Arguments,
  { baseUrl }: ToolContext,
): string[] {
  const { keywords, datasets } = splitItems(items);
  return [
    ...(datasets.some(({ axis }) => axis !== null)
      ? [`Page of a stored dataset: ${baseUrl}${pageContract.dataset.path}`]
      : []),
    ...(keywords.length === 0
      ? []
      : ['Index: search demand relative to an anchor keyword (100), never a volume.']),
    ...(region === undefined || q === ''
      ? []
      : ['Catalog entries have no region. Call without region to list them, too.']),
    ...(datasets.some(({ axis }) => axis === null)
      ? ['Entries without an axis are listed by the portal and not stored here.']
      : []),
  ];
}

interface Dataset {
  readonly axis: string | null;
  readonly catalogId: string | null;
  readonly title: string;
  readonly provider: string | null;
  readonly type: CatalogType | null;
  readonly rows: number | null;
  /** Part of the dataset in which the query was found, such as `title`; null without a query. */
  readonly matched: string | null;
  /** Number of records that match the query and lie in the region. */
  readonly count?: number;
  readonly origin: Origin | null;
  readonly freshness: ReturnType<typeof freshnessOf> | null;
  /** ISO 8601 date of the data, or of the catalog entry; null if unknown. */
  readonly date: string | null;
  readonly license: string | null;
  /** Address of the page of a stored dataset, or of the entry on the portal. */
  readonly url: string | null;
}

interface Found {
  readonly datasets: readonly Dataset[];
  /** The query that replaced one without results; null if the caller's query was used. */
  readonly rewritten: string | null;
  readonly warnings: readonly Warning[];
}

function storedDatasets({ held, region }: Arguments, context: ToolContext): Found {
  if (held === false) return { datasets: [], rewritten: null, warnings: [] };
  const all = [...context.store.axes.values()].map((stored) => storedDataset(stored, context));
  const datasets = region === undefined ? all : inRegion(all, region, context);
  const sorted = datasets.toSorted((a, b) => sampleLast(a) - sampleLast(b));
  return { datasets: sorted, rewritten: null, warnings: [] };
}

function sampleLast({ origin }: Dataset): number {
  return origin === 'sample' ? 1 : 0;
}

/** Datasets about a topic. If nothing is found, the first suggestion is searched for instead. */
async function datasetsAbout(q: string, given: Arguments, context: ToolContext): Promise<Found> {
  const found = await datasetsMatching(q, given, context);
  const [rewritten] = found.suggestions;
  if (found.datasets.length > 0 || rewritten === undefined)
    return { ...found, datasets: [...found.datasets, ...found.near], rewritten: null };
  const read = await datasetsMatching(rewritten, given, context);
  const listed = new Set(read.datasets.map(({ axis, catalogId }) => axis ?? catalogId));
  const near = found.near.filter(({ axis, catalogId }) => !listed.has(axis ?? catalogId));
  return { ...read, datasets: [...read.datasets, ...near], rewritten };
}

async function datasetsMatching(
  q: string,
  { held, region }: Arguments,
  context: ToolContext,
): Promise<Omit<Found, 'rewritten'> & Readonly<{ near: Dataset[]; suggestions: string[] }>> {
  const { store } = context;
  const place = region === undefined ? {} : regionValues(region, store);
  const values = { q, ...place, limit: 0 };
  const hits = await callEndpoint(lookupContract.search, search, values, context);
  const counts = new Map(hits.facets.axis.map(({ axis, count }) => [axis, count]));
  const kinds = new Map(hits.datasets.map(({ axis, matched }) => [axis, matched]));
  const codes = [
    ...hits.datasets.flatMap(({ axis }) => axis ?? []),
    ...hits.facets.axis.map(({ axis }) => axis),
  ].filter((code) => region === undefined || counts.has(code));
  const stored = [...new Set(codes)].flatMap((code) => {
    const axis = store.axes.get(code);
    const count = counts.get(code);
    if (axis === undefined) return [];
    const dataset = storedDataset(axis, context, kinds.get(code) ?? 'records');
    return [count === undefined ? dataset : { ...dataset, count }];
  });
  const { suggestions, warnings = [] } = hits;
  // Catalog entries have no region.
  if (held === true || region !== undefined) {
    return { datasets: held === false ? [] : stored, near: [], suggestions, warnings };
  }
  const listed = await callEndpoint(
    lookupContract.catalog,
    catalog,
    { q, limit: catalogMax },
    context,
  );
  const listedDataset = (entry: (typeof listed.items)[number]): Dataset => ({
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
  });
  const others = listed.items.filter((entry) => !entry.held).map(listedDataset);
  const near = listed.near.flatMap((entry): Dataset[] => {
    if (!entry.held) return [{ ...listedDataset(entry), matched: partly }];
    const axis = entry.axes.find((code) => !codes.includes(code));
    const found = axis === undefined ? undefined : store.axes.get(axis);
    return found === undefined || held === false ? [] : [storedDataset(found, context, partly)];
  });
  return {
    datasets: held === false ? others : [...stored, ...others],
    near,
    suggestions: [...suggestions, ...listed.suggestions],
    warnings,
  };
}

/** `matched` of a dataset that lacks some words of the query. */
const partly = 'part of the query';
/** Catalog entries read for a query, at most. */
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
    date: axis.sourceModified === null ? null : dateOf(axis),
    license: axis.license?.name ?? null,
    url: datasetPage(axis.code, context),
  };
}

/** Stored datasets with records in a region, each with the number of these records. */
function inRegion(datasets: readonly Dataset[], name: string, { store }: ToolContext): Dataset[] {
  const { match } = requireRegion(name, store);
  return datasets.flatMap((dataset) => {
    const regions = dataset.axis === null ? [] : (store.axes.get(dataset.axis)?.regions ?? []);
    const rows = regions.find(({ code }) => code === match.countedCode)?.rows ?? 0;
    return rows === 0 ? [] : [{ ...dataset, count: rows }];
  });
}

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
    count === undefined ? null : matched === null ? `${count} in the region` : `${count} match`,
    origin === 'sample' ? 'origin sample 예시' : origin === null ? null : `origin ${origin}`,
    freshness,
    date ?? (axis === null ? null : 'undated'),
    provider,
    license,
    axis === null ? url : null,
  ];
  return `- ${title}: ${parts.filter((part) => part !== null).join(' · ')}`;
}

function emptyNotice({ q = '', held }: Arguments): string {
  if (q === '' && held === false) return 'No search demand is stored. Try a topic as q.';
  const isKorean = q === '' || /[가-힣]/.test(q);
  const word = isKorean
    ? 'one Korean word for the topic'
    : 'the Korean word, since titles are Korean';
  return `No dataset found. Try ${word}, no region, or search_records for names and addresses.`;
}
