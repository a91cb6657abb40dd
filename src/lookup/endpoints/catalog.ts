import type { lookupContract } from '../../contract/lookup.ts';
import type { RouteParameters } from '../../contract/route.ts';
import type { Row } from '../../data/axis.ts';
import { catalogFields, type CatalogEntry } from '../../data/catalog.ts';
import { parseQuery, type SearchTerm } from '../../data/korean/terms.ts';
import type { ApiRequest } from '../serve.ts';
import type { Document } from '../../kernel/http/result.ts';
import { termWarnings, jsonContent, pageLinks, snapshotMeta, warningsPart } from '../answers.ts';
import { matchesOf } from '../matches.ts';
import { storedAxesOf } from '../stored-axes-of.ts';
import type { LookupStore } from '../store/store.ts';

/** Datasets in the portal's catalog, each with its stored axes. */
export function catalog({
  q,
  type,
  limit,
  offset,
}: RouteParameters<typeof lookupContract.catalog>) {
  const parsed = parseQuery(q ?? '');
  const { terms, text } = parsed;
  return async (request: ApiRequest<LookupStore>): Promise<Document> => {
    const { data, warnings } = request;
    warnings.push(...termWarnings(parsed));
    const query = { terms, text, limit, offset, ...(type === undefined ? {} : { type }) };
    const { hits, total, totalRelation, types, held } = await data.catalogSearch(
      query,
      request.isAbandoned,
    );
    const page = { offset, limit, total, count: hits.length, totalRelation };
    const { next, prev, headers } = pageLinks(request, page);
    const items = hits.map(({ record, score }) => {
      const entry = JSON.parse(record.toString()) as CatalogEntry;
      return entryItem(entry, score, data, terms);
    });
    return jsonContent(
      {
        q: q ?? null,
        type: type ?? null,
        items,
        count: items.length,
        total,
        totalRelation,
        limit,
        offset,
        next,
        prev,
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

function entryItem(
  entry: CatalogEntry,
  score: number | null,
  store: LookupStore,
  terms: readonly SearchTerm[],
): object {
  const { url, ...rest } = entry;
  const axes = storedAxesOf(entry, store).map(({ axis }) => axis.code);
  const texts: Row = Object.fromEntries(
    catalogFields.map((field) => [field.name, field.texts(entry).join(', ') || null]),
  );
  const matches = terms.length === 0 ? [] : matchesOf(texts, catalogFields, terms);
  return { ...rest, held: axes.length > 0, axes, url, score, matches };
}
