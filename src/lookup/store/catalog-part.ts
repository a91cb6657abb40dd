import { catalogTypes, type CatalogType, type StoredAxis } from '../../data/axis.ts';
import { servesDataset, numberTag, typeTag } from '../../data/catalog.ts';
import {
  fullSet,
  intersect,
  subtract,
  unite,
  type DocumentSet,
} from '../../data/search/document-set.ts';
import { listTagged, taggedSet } from '../../data/search/listing.ts';
import type { ParsedQuery } from '../../data/korean/terms.ts';
import { scoreOf } from '../../data/search/rank.ts';
import type { OpenedPart } from '../../data/snapshot/opened.ts';
import { nearEntries } from './near-entries.ts';
import { RecentSearches } from './recent-searches.ts';
import type { CatalogQuery, CatalogResult } from './store.ts';
import { titleQuery } from './title-query.ts';

/** Searches the catalog, newest entry first, by text and type, and counts the entries stored as axes. */
export class CatalogPart {
  readonly storedTotal: number;
  readonly #part: OpenedPart;
  /** Entries that are stored as an axis, by chunk. */
  readonly #storedSets: readonly DocumentSet[];
  readonly #searches = new RecentSearches();

  constructor(part: OpenedPart, axes: ReadonlyMap<string, StoredAxis>) {
    this.#part = part;
    const portalAxes = [...axes.values()].filter(({ axis }) => axis.portalId !== null);
    this.#storedSets = part.index.chunks.map((chunk) => {
      const sets = portalAxes.flatMap((stored) =>
        catalogTypes
          .filter((type) => servesDataset(stored, stored.axis.portalId!, type))
          .map((type) =>
            intersect(chunk.setOf(numberTag(stored.axis.portalId!)), chunk.setOf(typeTag(type))),
          ),
      );
      return sets.reduce(unite, taggedSet(chunk, []));
    });
    this.storedTotal = countDocuments(this.#storedSets);
  }

  *search({ terms, type, offset, limit }: CatalogQuery): Generator<void, CatalogResult> {
    const { index, records } = this.#part;
    if (terms.length === 0) {
      const tags = (type === undefined ? catalogTypes : [type]).map(typeTag);
      const { documents, total } = listTagged(index, tags, offset, limit);
      const types = countByType((one) => listTagged(index, [typeTag(one)], 0, 0).total);
      return {
        hits: documents.map((document) => ({ record: records.record(document), score: null })),
        total,
        totalRelation: 'eq',
        types,
        held: this.#storedFacet(total, this.#countOfType(this.#storedSets, type)),
      };
    }
    const { query, fulfilled, firstType } = titleQuery({ terms });
    const indexes = () => [{ index, fulfilled }];
    const tag = type && typeTag(type);
    const firstTag = firstType === null ? undefined : typeTag(firstType);
    const search = this.#searches.searchFor(type ?? '', query, indexes, { tag, firstTag });
    const { matches } = yield* search.page({ offset, limit });
    const sets = yield* this.#searches.searchFor('', query, indexes).sets();
    const types = countByType((one) => this.#countOfType(sets, one));
    const total = type === undefined ? countDocuments(sets) : types[type];
    return {
      hits: matches.map(({ document, rank }) => ({
        record: records.record(document),
        score: scoreOf(rank),
      })),
      total,
      totalRelation: 'eq',
      types,
      held: this.#storedFacet(
        total,
        this.#countOfType(
          sets.map((set, at) => intersect(set, this.#storedSets[at]!)),
          type,
        ),
      ),
    };
  }

  /** The JSON of entries of a type that have a part of a query, and are not found by it. */
  *near(
    { terms, type }: Pick<CatalogQuery, 'terms' | 'type'>,
    limit: number,
  ): Generator<void, Buffer[]> {
    const { index, records } = this.#part;
    const { query, fulfilled } = titleQuery({ terms });
    const found = yield* this.#searches.searchFor('', query, () => [{ index, fulfilled }]).sets();
    const excluded = found.map((set, at) => {
      const chunk = index.chunks[at]!;
      if (type === undefined) return set;
      return unite(set, subtract(fullSet(chunk.documents), chunk.setOf(typeTag(type))));
    });
    const documents = yield* nearEntries(index, { terms }, excluded, limit);
    return documents.map((document) => records.record(document));
  }

  /** The JSON of the first entries that a query finds. */
  *top(parsed: Pick<ParsedQuery, 'terms'>, limit: number): Generator<void, Buffer[]> {
    const { index, records } = this.#part;
    const { query, fulfilled } = titleQuery(parsed);
    const search = this.#searches.searchFor('', query, () => [{ index, fulfilled }]);
    const matches = yield* search.top(limit);
    return matches.map(({ document }) => records.record(document));
  }

  /** Number of documents of a type in the sets, one set a chunk. */
  #countOfType(sets: readonly DocumentSet[], type: CatalogType | undefined): number {
    if (type === undefined) return countDocuments(sets);
    const { chunks } = this.#part.index;
    return countDocuments(sets.map((set, at) => intersect(set, chunks[at]!.setOf(typeTag(type)))));
  }

  #storedFacet(total: number, stored: number): CatalogResult['held'] {
    return { true: stored, false: total - stored };
  }
}

function countDocuments(sets: readonly DocumentSet[]): number {
  return sets.reduce((sum, set) => sum + set.count, 0);
}

export function countByType(count: (type: CatalogType) => number): Record<CatalogType, number> {
  return {
    API: count('API'),
    FILE: count('FILE'),
    LINKED: count('LINKED'),
    STD: count('STD'),
  };
}

export const noCatalogResult: CatalogResult = {
  hits: [],
  total: 0,
  totalRelation: 'eq',
  types: countByType(() => 0),
  held: { true: 0, false: 0 },
};
