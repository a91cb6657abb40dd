import { lookupContract } from '../../contract/lookup.ts';
import type { Row } from '../../data/axis.ts';
import { querySuggestions } from '../../data/korean/suggestions.ts';
import { questionOf, type SearchTerm } from '../../data/korean/terms.ts';
import type { ApiRequest } from '../../kernel/http/api.ts';
import type { Content } from '../../kernel/http/respond.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import { nearestFew } from '../../kernel/nearest.ts';
import { droppedWarnings, pageLinks, snapshotMeta, textContent, warningsPart } from '../answers.ts';
import { initialsSuggestions } from '../initials.ts';
import { matchesOf } from '../matches.ts';
import type { LookupStore, SearchHit, SearchQuery, SearchResult } from '../store/store.ts';

export interface SearchQuestion {
  readonly q: string;
  readonly axis: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Full-text search over all held data, or inside one axis. */
export async function searchAnswer(
  question: SearchQuestion,
  request: ApiRequest<LookupStore>,
): Promise<Content> {
  const { data, warnings } = request;
  const { q, axis, limit, offset } = question;
  const query = searchQuery(question);
  warnings.push(...droppedWarnings(q));
  const held = axis === undefined || data.axes.has(axis);
  if (!held) {
    const suggestions = nearestFew(axis, data.axes.keys(), 3);
    warnings.push({ code: 'unknown_axis', parameter: 'axis', value: axis, suggestions });
  }
  const result = held ? await data.search(query) : noResult;
  const suggestions = result.total === 0 && held ? await suggestionsFor(question, data) : [];
  const { total, totalRelation } = result;
  const count = result.hits.length;
  const place = { offset, limit, total, count, totalRelation };
  const { next, prev, headers } = pageLinks(request, place);
  const head = JSON.stringify({
    q,
    normalized: { text: query.text, terms: query.terms, mode: 'and' },
    axis: axis ?? null,
  });
  const items = result.hits.map((hit) => hitJson(hit, data, query.terms)).join(',');
  const tail = JSON.stringify({
    count,
    total,
    totalRelation,
    limit,
    offset,
    next,
    prev,
    facets: {
      axis: result.axes.map(({ axis: code, count, relation }) => ({
        axis: code,
        title: titleOf(data, code),
        count,
        relation,
      })),
    },
    suggestions,
    meta: snapshotMeta(data),
    ...warningsPart(warnings),
  });
  return textContent(`${head.slice(0, -1)},"items":[${items}],${tail.slice(1)}`, headers);
}

/** A question as the store takes it. */
export function searchQuery({ q, axis, limit, offset }: SearchQuestion): SearchQuery {
  return { ...questionOf(q), offset, limit, ...(axis === undefined ? {} : { axis }) };
}

/** Other ways to put a question that found nothing: only those that find something, in order of likelihood. */
export async function suggestionsFor(
  { q, axis }: Pick<SearchQuestion, 'q' | 'axis'>,
  store: LookupStore,
): Promise<string[]> {
  const found: string[] = [];
  const candidates = [...initialsSuggestions(q, store), ...querySuggestions(q)];
  for (const candidate of candidates.slice(0, candidatesMax)) {
    const query = searchQuery({ q: candidate, axis, limit: 0, offset: 0 });
    if (query.terms.length === 0) continue;
    if ((await store.search(query)).total > 0) found.push(candidate);
    if (found.length >= suggestionsMax) break;
  }
  return found;
}

const candidatesMax = 12;
const suggestionsMax = 5;
const noResult: SearchResult = { hits: [], total: 0, totalRelation: 'eq', axes: [] };

function hitJson(hit: SearchHit, store: LookupStore, terms: readonly SearchTerm[]): string {
  const held = store.axes.get(hit.axis)!;
  const text = hit.record.toString();
  const record = JSON.parse(text) as Row;
  const name = held.fields.find((field) => field.role === 'name')?.name;
  const title = name === undefined ? null : (record[name] ?? null);
  const fields = held.fields.filter((field) => field.searchable);
  const head = JSON.stringify({
    axis: hit.axis,
    axisTitle: held.axis.title,
    row: hit.row,
    score: hit.score,
    title: title === null ? null : String(title),
    matches: matchesOf(record, fields, terms),
  });
  const link = recordTarget(hit);
  return `${head.slice(0, -1)},"record":${text},"links":{"record":${JSON.stringify(link)}}}`;
}

/** The address of the page that holds one record alone. */
export function recordTarget({ axis, row }: Pick<SearchHit, 'axis' | 'row'>): string {
  return canonicalUrl(lookupContract.rows, { axis, limit: 1, offset: row });
}

function titleOf(store: LookupStore, code: string): string {
  return store.axes.get(code)?.axis.title ?? code;
}
