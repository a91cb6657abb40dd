import type { lookupContract } from '../../contract/lookup.ts';
import type { RouteParameters } from '../../contract/route.ts';
import { invalidParameter } from '../refusals.ts';
import { readRegion } from '../requested-region.ts';
import { parseQuery, type ParsedQuery } from '../../data/korean/terms.ts';
import type { ApiRequest } from '../serve.ts';
import type { Document } from '../../kernel/http/result.ts';
import { nearestFew } from '../../kernel/nearest.ts';
import { termWarnings, pageLinks, snapshotMeta, textContent, warningsPart } from '../answers.ts';
import { namedDatasets } from '../datasets.ts';
import { rewritesWithResults, rewriteOf, type Searched } from '../rewrites.ts';
import { hitWriter } from './hit-json.ts';
import {
  nothingFound,
  type LookupStore,
  type SearchQuery,
  type SearchResult,
} from '../store/store.ts';

/** Full-text search over all stored data, or inside one axis. */
export function search(params: RouteParameters<typeof lookupContract.search>) {
  const { q, axis, sido, sigungu, match, rewrite, limit, offset } = params;
  const parsed = requireTerms(q);
  return async (request: ApiRequest<LookupStore>): Promise<Document> => {
    const { data, warnings, isAbandoned } = request;
    warnings.push(...termWarnings(parsed));
    const isKnownAxis = axis === undefined || data.axes.has(axis);
    if (!isKnownAxis) {
      const suggestions = nearestFew(axis, data.axes.keys(), 3);
      warnings.push({ code: 'unknown_axis', parameter: 'axis', value: axis, suggestions });
    }
    const region = readRegion(params, () => [...data.axes.values()]);
    warnings.push(...(region?.warnings ?? []));
    const isSearchable = isKnownAxis && region?.code !== null;
    const scope = {
      match,
      ...(axis === undefined ? {} : { axis }),
      ...(typeof region?.code === 'string' ? { region: region.code } : {}),
    };
    const find = ({ terms, text }: ParsedQuery, page: PageRange): Promise<SearchResult> =>
      isSearchable
        ? data.search({ terms, text, ...scope, ...page }, isAbandoned)
        : Promise.resolve(nothingFound);
    const typed = await find(parsed, { limit, offset });
    const countOf = async (query: ParsedQuery): Promise<number> =>
      (await find(query, { limit: 0, offset: 0 })).total;
    const searched: Searched = { store: data, scope: 'records', count: countOf, isAbandoned };
    const rewrites =
      typed.total === 0 && isSearchable ? await rewritesWithResults(q, searched) : [];
    const rewritten = rewrite === '1' ? rewriteOf(q, rewrites) : null;
    const query = rewritten === null ? parsed : parseQuery(rewritten.to);
    const result = rewritten === null ? typed : await find(query, { limit, offset });
    const datasets =
      axis === undefined && offset === 0
        ? await namedDatasets(query, result, data, isAbandoned)
        : [];
    const { total, totalRelation } = result;
    const count = result.hits.length;
    const page = { offset, limit, total, listed: result.hitsTotal, count, totalRelation };
    const { next, prev, headers } = pageLinks(request, page);
    const head = JSON.stringify({
      q,
      normalized: { text: query.text, terms: query.terms, mode: 'and' },
      rewritten,
      axis: axis ?? null,
      ...(sido === undefined ? {} : { region: { sido, sigungu: sigungu ?? null } }),
    });
    const hitJson = hitWriter(data, query.terms, match, { sido, sigungu });
    const items = result.hits.map(hitJson).join(',');
    const facets = result.axes.first(facetsMax).map(({ axis: code, count, relation }) => ({
      axis: code,
      title: titleOf(data, code),
      count,
      relation,
    }));
    const tail = JSON.stringify({
      count,
      total,
      totalRelation,
      limit,
      offset,
      next,
      prev,
      datasets,
      facets: { axis: facets, axisTotal: result.axes.size },
      suggestions: rewrites.map(({ text }) => text),
      meta: { ...snapshotMeta(data), sample: result.sample },
      ...warningsPart(warnings),
    });
    return textContent(`${head.slice(0, -1)},"items":[${items}],${tail.slice(1)}`, headers);
  };
}

/** The terms of a query; 400 if it has none. */
export function requireTerms(q: string): ParsedQuery {
  const parsed = parseQuery(q);
  if (parsed.terms.length === 0) {
    throw invalidParameter('q', {
      ko: '검색할 글자가 없습니다. 검색어를 입력하세요.',
      en: 'It contains no text to search for. Send a word.',
    });
  }
  return parsed;
}

type PageRange = Pick<SearchQuery, 'limit' | 'offset'>;

/** Datasets in the facets of an answer, at most; the rest are counted. */
const facetsMax = 1_000;

function titleOf(store: LookupStore, code: string): string {
  return store.axes.get(code)?.axis.title ?? code;
}
