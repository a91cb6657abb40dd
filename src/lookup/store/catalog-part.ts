import { catalogTypes, type CatalogType, type StoredAxis } from '../../data/axis.ts';
import { servesDataset, numberTag, typeTag } from '../../data/catalog.ts';
import {
  fullSet,
  intersect,
  membersOf,
  setOfList,
  subtract,
  unite,
  type DocumentSet,
} from '../../data/search/document-set.ts';
import { listTagged } from '../../data/search/listing.ts';
import type { ParsedQuery } from '../../data/korean/terms.ts';
import { scoreOf } from '../../data/search/rank.ts';
import type { OpenedPart } from '../../data/snapshot/opened-part.ts';
import { nearEntries } from './near-entries.ts';
import { RecentSearches } from './recent-searches.ts';
import type { CatalogQuery, CatalogResult } from './store.ts';
import { mayBeInTitles, titleQuery, type TitleQuery } from './title-query.ts';

/** Searches the catalog, newest entry first, by text and type, and counts the entries stored as axes. */
export class CatalogPart {
  readonly storedTotal: number;
  readonly #part: OpenedPart;
  /** Entries that are stored as an axis, by chunk. */
  readonly #storedSets: readonly DocumentSet[];
  readonly #searches = new RecentSearches();

  static *of(
    part: OpenedPart,
    axes: ReadonlyMap<string, StoredAxis>,
  ): Generator<void, CatalogPart> {
    return new CatalogPart(part, yield* storedEntries(part, axes));
  }

  private constructor(part: OpenedPart, storedSets: readonly DocumentSet[]) {
    this.#part = part;
    this.#storedSets = storedSets;
    this.storedTotal = countDocuments(storedSets);
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
    const { query, fulfilled, firstType } = this.#titleQuery({ terms });
    const all = { scope: '', query, indexesOf: () => [{ index, fulfilled }] };
    const tag = type && typeTag(type);
    const firstTag = firstType === null ? undefined : typeTag(firstType);
    const { matches } = yield* this.#searches.run(
      { ...all, scope: type ?? '', tag, firstTag },
      (search) => search.page({ offset, limit }),
    );
    const sets = yield* this.#searches.run(all, (search) => search.sets());
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
    const { query, fulfilled } = this.#titleQuery({ terms });
    const requested = { scope: '', query, indexesOf: () => [{ index, fulfilled }] };
    const found = yield* this.#searches.run(requested, (search) => search.sets());
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
    const { query, fulfilled } = this.#titleQuery(parsed);
    const requested = { scope: '', query, indexesOf: () => [{ index, fulfilled }] };
    const matches = yield* this.#searches.run(requested, (search) => search.top(limit));
    return matches.map(({ document }) => records.record(document));
  }

  #titleQuery(parsed: Pick<ParsedQuery, 'terms'>): TitleQuery {
    return titleQuery(parsed, (text) => mayBeInTitles(this.#part.index, text));
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

/** Entries that are stored as an axis, by chunk. */
function* storedEntries(
  { index }: OpenedPart,
  axes: ReadonlyMap<string, StoredAxis>,
): Generator<void, DocumentSet[]> {
  const found: DocumentSet[] = [];
  for (const chunk of index.chunks) {
    const ofType = new Map(catalogTypes.map((type) => [type, chunk.setOf(typeTag(type))]));
    const documents: Uint16Array[] = [];
    for (const [passed, stored] of [...axes.values()].entries()) {
      const { portalId } = stored.axis;
      if (portalId === null) continue;
      const numbered = chunk.setOf(numberTag(portalId));
      if (numbered.count === 0) continue;
      for (const [type, set] of ofType) {
        if (servesDataset(stored, portalId, type))
          documents.push(membersOf(intersect(numbered, set)));
      }
      if (passed % axesPerStep === 0) yield;
    }
    const members = [...new Set(documents.flatMap((some) => [...some]))];
    found.push(setOfList(Uint16Array.from(members).sort()));
    yield;
  }
  return found;
}

const axesPerStep = 256;

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
