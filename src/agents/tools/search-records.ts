import type { Static } from 'typebox';
import { lookupContract } from '../../contract/lookup.ts';
import { toolLimitMax, type tools } from '../../contract/tools.ts';
import type { Field, Origin } from '../../data/axis.ts';
import { parseQuery } from '../../data/korean/terms.ts';
import { counted } from '../../kernel/counted.ts';
import { recordLink } from '../../lookup/endpoints/record.ts';
import { rows } from '../../lookup/endpoints/rows.ts';
import { search } from '../../lookup/endpoints/search.ts';
import { matchesOf } from '../../lookup/matches.ts';
import { requireAxis } from '../../lookup/refusals.ts';
import { boundedAnswer, readPage, type Page, type ToolAnswer } from '../answer.ts';
import { callEndpoint, type ToolContext } from '../call-endpoint.ts';
import { datasetCitation, snapshotCitation } from '../citation.ts';
import { cutText, oneLine } from '../markdown.ts';
import { noticesOf } from '../notices.ts';
import { originOfAll } from '../origin-of-all.ts';
import { requireRegion } from '../region-of.ts';

type Arguments = Static<typeof tools.search_records.input>;

/** Full-text search over the records of all datasets, or of one. */
export async function searchRecords(given: Arguments, context: ToolContext): Promise<ToolAnswer> {
  const page = readPage('search_records', given, context, { default: 10, maximum: toolLimitMax });
  const { q, axis, region } = given;
  const stored = axis === undefined ? null : requireAxis(axis, context.store);
  const found =
    region === undefined
      ? await searchAll(given, page, context)
      : await searchRegion(given, region, page, context);
  const { datasets, hits, total, totalRelation, suggestions, notices } = found;
  const draft = {
    origin: originOfAll(datasets.map(({ origin }) => origin)),
    citation:
      stored === null ? snapshotCitation(context.store) : datasetCitation(stored, context.store),
    items: hits,
    offset: page.offset,
    total: found.listed,
    notices: [
      ...(total === 0 ? [emptyNotice(suggestions)] : []),
      ...noticesOf([], { requested: given.limit, maximum: toolLimitMax }),
      ...notices,
    ],
    summary: (shown: number) =>
      `${totalRelation === 'gte' ? 'At least ' : ''}${counted(total, 'record')} with “${oneLine(q).replaceAll('`', "'")}”, in ${counted(datasets.length, 'dataset')}; ${shown} shown.`,
    show: (shown: readonly Hit[], lengthMax: number) => {
      const counts = datasets.slice(0, datasetsMax);
      const items = shown.map((hit) => ({
        ...hit,
        title: hit.title === null ? null : cutText(hit.title, lengthMax),
        matches: hit.matches.map((match) => cutText(oneLine(match), lengthMax)),
      }));
      return {
        lines: [
          ...counts.map(
            ({ axis: code, title, count, origin }) =>
              `- ${count} in ${title} (${code}, ${origin === 'sample' ? 'sample 예시' : origin})`,
          ),
          ...items.map(hitLine),
        ],
        members: { q, datasets: counts, items, total, totalRelation },
      };
    },
    remarks: [
      ...(hits.length === 0
        ? []
        : [`Records: ${context.baseUrl}${lookupContract.record.path}?axis={axis}&id={id}`]),
      ...(region === undefined || axis !== undefined || hits.length === 0
        ? []
        : ['For more records of a dataset, name its axis too.']),
    ],
  };
  return boundedAnswer(draft, page, context);
}

interface Hit {
  readonly axis: string;
  readonly title: string | null;
  readonly origin: Origin;
  /** Texts that were found, each after the label of its field. */
  readonly matches: readonly string[];
  /** Address of the record. */
  readonly record: string;
}

interface Found {
  readonly datasets: readonly {
    readonly axis: string;
    readonly title: string;
    readonly count: number;
    readonly origin: Origin;
  }[];
  readonly hits: readonly Hit[];
  readonly total: number;
  /** Length of the list that pages are cut from. */
  readonly listed: number;
  readonly totalRelation: 'eq' | 'gte';
  readonly suggestions: readonly string[];
  readonly notices: readonly string[];
}

const datasetsMax = 10;
const matchesMax = 3;

async function searchAll(
  { q, axis }: Arguments,
  { limit, offset }: Page,
  context: ToolContext,
): Promise<Found> {
  const values = { q, axis, limit, offset };
  const found = await callEndpoint(lookupContract.search, search, values, context);
  const hits = found.items.map((item) => ({
    axis: item.axis,
    title: item.title,
    origin: item.origin,
    matches: matchTexts(item.matches),
    record: context.baseUrl + item.links.record,
  }));
  const datasets = found.facets.axis.map(({ axis: code, title, count }) => ({
    axis: code,
    title,
    count,
    origin: originOf(code, context),
  }));
  const { total, totalRelation, suggestions, next } = found;
  const end = offset + hits.length;
  const listed = next === null ? end : Math.max(total, end + 1);
  return {
    datasets,
    hits,
    total,
    listed,
    totalRelation,
    suggestions,
    notices: noticesOf(found.warnings),
  };
}

/** Searches one region, dataset by dataset: those with most hits first. */
async function searchRegion(
  { q, axis }: Arguments,
  region: string,
  { limit, offset }: Page,
  context: ToolContext,
): Promise<Found> {
  const { sido, sigungu } = requireRegion(region);
  const { facets, suggestions } = await callEndpoint(
    lookupContract.search,
    search,
    { q, axis, limit: 0 },
    context,
  );
  const candidates = axis === undefined ? facets.axis.slice(0, searchedMax) : [{ axis }];
  const datasets: Found['datasets'][number][] = [];
  const hits: Hit[] = [];
  let notices: readonly string[] = [];
  for (const { axis: code } of candidates) {
    const page =
      axis === undefined ? { limit: Math.min(limit, perDataset), offset: 0 } : { limit, offset };
    const values = { axis: code, q, sido, sigungu, with: 'id', ...page };
    const found = await callEndpoint(lookupContract.rows, rows, values, context);
    notices = noticesOf(found.warnings?.filter(({ code: kind }) => kind === 'former_region'));
    if (found.total === 0) continue;
    const { title, total: count } = found;
    const origin = originOf(code, context);
    datasets.push({ axis: code, title, count, origin });
    const { fields = [] } = context.store.axes.get(code) ?? {};
    const name = fields.find(({ role }) => role === 'name')?.name;
    for (const { _id: id, ...record } of found.items) {
      const matches = matchesOf(record, fields.filter(isSearchable), parseQuery(q).terms);
      hits.push({
        axis: code,
        title: name === undefined ? null : String(record[name] ?? ''),
        origin,
        matches: matchTexts(matches),
        record: context.baseUrl + recordLink(code, String(id)),
      });
    }
  }
  const total = datasets.reduce((sum, { count }) => sum + count, 0);
  const isPartial = axis === undefined && facets.axis.length > searchedMax;
  const listed = axis === undefined ? hits.length : total;
  return {
    datasets: datasets.toSorted((a, b) => b.count - a.count),
    hits: axis === undefined ? hits.slice(0, limit) : hits,
    total,
    listed,
    totalRelation: isPartial ? 'gte' : 'eq',
    suggestions,
    notices,
  };
}

/** Datasets that a search of a region reads, and records that it shows of each. */
const searchedMax = 12;
const perDataset = 3;

function isSearchable({ searchable }: Field): boolean {
  return searchable;
}

function matchTexts(matches: readonly { readonly label: string; readonly snippet: string }[]) {
  return matches.slice(0, matchesMax).map(({ label, snippet }) => `${label}: ${snippet}`);
}

function originOf(code: string, { store }: ToolContext): Origin {
  return store.axes.get(code)?.axis.origin ?? 'file';
}

function hitLine({ axis, title, origin, matches, record }: Hit): string {
  const id = new URL(record).searchParams.get('id') ?? '';
  const mark = origin === 'sample' ? ' (sample 예시)' : '';
  return `- ${title ?? 'record'} [${axis} ${id}]${mark}: ${matches.join('; ')}`;
}

function emptyNotice(suggestions: readonly string[]): string {
  const other = suggestions.slice(0, 3).map((text) => `“${text}”`);
  const hint = other.length === 0 ? '' : ` Try ${other.join(', ')}.`;
  return `Nothing found.${hint} Try fewer or shorter words, no region, or find_datasets for the topic.`;
}
