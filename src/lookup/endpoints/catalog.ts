import type { lookupContract } from '../../contract/lookup.ts';
import type { RouteParameters } from '../../contract/route.ts';
import type { Row } from '../../data/axis.ts';
import { catalogFields, type CatalogEntry } from '../../data/catalog.ts';
import { everydayReadings } from '../../data/korean/everyday-words.ts';
import { parseQuery, type ParsedQuery, type SearchTerm } from '../../data/korean/terms.ts';
import type { QueryTerm } from '../../data/search/rank.ts';
import type { ApiRequest } from '../serve.ts';
import type { Document } from '../../kernel/http/result.ts';
import { termWarnings, jsonContent, pageLinks, snapshotMeta, warningsPart } from '../answers.ts';
import { matchesOf, type Match } from '../matches.ts';
import { rewritesWithResults, rewriteOf } from '../rewrites.ts';
import { storedAxesOf } from '../stored-axes-of.ts';
import type { IsAbandoned } from '../store/sliced-work.ts';
import type { LookupStore } from '../store/store.ts';
import { titleQuery } from '../store/title-query.ts';

/** Datasets in the portal's catalog, each with its stored axes. */
export function catalog(params: RouteParameters<typeof lookupContract.catalog>) {
  const { q = '', type, limit, offset } = params;
  return async (request: ApiRequest<LookupStore>): Promise<Document> => {
    const { data, warnings, isAbandoned } = request;
    warnings.push(...termWarnings(parseQuery(q)));
    const { query, found, near, rewritten, rewrites } = await findInCatalog(
      params,
      data,
      isAbandoned,
    );
    const { terms } = titleQuery(query).query;
    const { hits, total, totalRelation, types, held } = found;
    const page = { offset, limit, total, count: hits.length, totalRelation };
    const { next, prev, headers } = pageLinks(request, page);
    const items = hits.map(({ record, score }) => {
      const entry = JSON.parse(record.toString()) as CatalogEntry;
      return entryItem(entry, score, data, terms);
    });
    const nearItems = near.map((entry) => entryItem(entry, null, data, terms));
    return jsonContent(
      {
        q: params.q ?? null,
        rewritten,
        type: type ?? null,
        items,
        near: nearItems,
        count: items.length,
        total,
        totalRelation,
        limit,
        offset,
        next,
        prev,
        suggestions: rewrites.map(({ text: other }) => other),
        facets: { type: types, held },
        meta: {
          ...snapshotMeta(data),
          catalogDate: data.catalog.date,
          catalogOrigin: data.catalog.origin,
          catalogParts: data.catalog.parts ?? [],
        },
        ...warningsPart(warnings),
      },
      headers,
    );
  };
}

type CatalogParams = Omit<RouteParameters<typeof lookupContract.catalog>, 'select' | 'snapshot'>;

/**
 * Entries that a query finds, or the likeliest other reading of it where it finds none. Where they are few, entries
 * that have a part of it are `near`, so a reading without some of its words is only suggested.
 */
export async function findInCatalog(
  { q = '', type, rewrite, limit, offset }: CatalogParams,
  store: LookupStore,
  isAbandoned: IsAbandoned,
) {
  const parsed = parseQuery(q);
  const typeOnly = type === undefined ? {} : { type };
  const find = ({ terms, text }: ParsedQuery, range = { limit, offset }) =>
    store.catalogSearch({ terms, text, ...range, ...typeOnly }, isAbandoned);
  const count = async (query: ParsedQuery): Promise<number> =>
    (await find(query, { limit: 0, offset: 0 })).total;
  const typed = await find(parsed);
  const rewrites =
    typed.total === 0 && parsed.terms.length > 0
      ? await rewritesWithResults(q, { store, scope: 'catalog', count, isAbandoned })
      : [];
  const everydayWords = everydayReadings(parsed.terms).flatMap(({ positions }) =>
    positions.map((at) => parsed.terms[at]!.text),
  );
  const readings = rewrites.filter(({ reason, text }) => {
    // An everyday word is not a typing mistake, even if no entry has it.
    const isWordChanged = everydayWords.some((word) => !parseQuery(text).text.includes(word));
    return reason !== 'words' && !(reason === 'typo' && isWordChanged);
  });
  const rewritten = rewrite === '1' ? rewriteOf(q, readings) : null;
  const query = rewritten === null ? parsed : parseQuery(rewritten.to);
  const found = rewritten === null ? typed : await find(query);
  const isNearWanted = found.total < fewEntries && offset === 0 && query.terms.length > 0;
  const near = isNearWanted
    ? await store.catalogNear({ ...query, ...typeOnly }, Math.min(limit, nearMax), isAbandoned)
    : [];
  return {
    query,
    found,
    near: near.map((record) => JSON.parse(record.toString()) as CatalogEntry),
    rewritten,
    rewrites,
  };
}

/** Fewer entries than fit on a screen are followed by near ones. */
const fewEntries = 10;
const nearMax = 10;

function entryItem(
  entry: CatalogEntry,
  score: number | null,
  store: LookupStore,
  terms: readonly QueryTerm[],
): object {
  const { url, ...rest } = entry;
  const axes = storedAxesOf(entry, store).map(({ axis }) => axis.code);
  const texts: Row = Object.fromEntries(
    catalogFields.map((field) => [field.name, field.texts(entry).join(', ') || null]),
  );
  const matches = terms.length === 0 ? [] : entryMatches(texts, terms);
  return { ...rest, held: axes.length > 0, axes, url, score, matches };
}

/** Fields that have a term; the title also by another word for one that it lacks. */
function entryMatches(texts: Row, terms: readonly QueryTerm[]): Match[] {
  const matches = matchesOf(texts, catalogFields, terms);
  const [title] = catalogFields;
  if (title === undefined || matches.some(({ field }) => field === title.name)) return matches;
  const words = terms
    .flatMap(({ nameSynonyms = [] }) => nameSynonyms)
    .map((text): SearchTerm => ({ text, phrase: false }));
  return [...matchesOf(texts, [title], words), ...matches];
}
