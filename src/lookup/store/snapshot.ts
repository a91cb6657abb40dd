import { catalogTypes, type CatalogType, type StoredAxis } from '../../data/axis.ts';
import { isDataOf, numberTag, typeTag } from '../../data/catalog.ts';
import type { Demand } from '../../data/demand.ts';
import { intersect, unite, type DocumentSet } from '../../data/search/document-set.ts';
import { tagKey } from '../../data/search/gram.ts';
import type { GramKey } from '../../data/search/gram.ts';
import type { SearchIndex } from '../../data/search/index-file.ts';
import { listTagged, taggedSet } from '../../data/search/listing.ts';
import { scoreOf, type Query } from '../../data/search/rank.ts';
import { Search } from '../../data/search/search.ts';
import { ByteCache } from '../../kernel/byte-cache.ts';
import { Turns } from './turns.ts';
import { OpenedSnapshot, type OpenedPart } from '../../data/snapshot/opened.ts';
import type {
  CatalogQuery,
  CatalogResult,
  CatalogSummary,
  LookupStore,
  Page,
  PageQuery,
  SearchQuery,
  SearchResult,
  SnapshotInfo,
} from './store.ts';

/** The store over a snapshot's folder: pages are slices of a file, answers are counts of sets. */
export class SnapshotStore implements LookupStore {
  readonly snapshot: SnapshotInfo;
  readonly axes: ReadonlyMap<string, StoredAxis>;
  readonly demand: Demand | null;
  readonly catalog: CatalogSummary;
  readonly #opened: OpenedSnapshot;
  readonly #codes: readonly string[];
  readonly #indexes: readonly SearchIndex[];
  readonly #catalog: CatalogPart | null;
  readonly #searches = new RecentSearches();
  readonly #turns = new Turns();

  /** Throws when the snapshot is absent or of another format. */
  constructor(data: string, id: string) {
    const opened = OpenedSnapshot.open(data, id);
    this.#opened = opened;
    this.axes = opened.axes;
    this.demand = opened.demand;
    this.#codes = [...opened.axes.keys()];
    this.#indexes = this.#codes.map((code) => opened.part(code).index);
    this.#catalog =
      opened.catalog === null ? null : new CatalogPart(opened.catalog.part, opened.axes);
    this.catalog = {
      ...(opened.catalog?.summary ?? noCatalog),
      held: this.#catalog?.held ?? 0,
    };
    const { manifest } = opened;
    this.snapshot = {
      id: manifest.id,
      builtAt: manifest.builtAt,
      previous: manifest.previous,
      schemaVersion: manifest.formatVersion,
      indexBytes: this.#indexes.reduce((sum, index) => sum + index.bytes, 0),
      collectors: manifest.collectors ?? null,
    };
  }

  async page(code: string, { offset, limit, regions }: PageQuery): Promise<Page> {
    const { records, index } = this.#opened.part(code);
    if (regions === undefined) return { ...records.page(offset, limit), total: records.count };
    const tags = regions.map((region) => tagKey(Number(region)));
    const { documents, total } = listTagged(index, tags, offset, limit);
    return { items: joined(records, documents), count: documents.length, total };
  }

  async search({ axis, offset, limit, ...query }: SearchQuery): Promise<SearchResult> {
    const codes = axis === undefined ? this.#codes : this.axes.has(axis) ? [axis] : [];
    const indexes =
      axis === undefined ? this.#indexes : codes.map((code) => this.#opened.part(code).index);
    const search = this.#searches.of(indexes, query, axis ?? '');
    const found = await this.#turns.run(search.page({ offset, limit }));
    return {
      hits: found.matches.map(({ index, document, rank }) => ({
        axis: codes[index]!,
        row: document,
        score: scoreOf(rank),
        record: this.#opened.part(codes[index]!).records.record(document),
      })),
      total: found.total,
      totalRelation: found.totalRelation,
      axes: codes
        .flatMap((code, at) =>
          found.counts[at]!.count > 0 ? [{ axis: code, ...found.counts[at]! }] : [],
        )
        .sort((a, b) => b.count - a.count || (a.axis < b.axis ? -1 : 1)),
    };
  }

  async catalogSearch(query: CatalogQuery): Promise<CatalogResult> {
    return this.#catalog === null ? noCatalogResult : this.#turns.run(this.#catalog.search(query));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#opened[Symbol.dispose]();
  }
}

/**
 * The catalog: entries newest first, found by texts, by type and by whether they are stored as axes.
 */
class CatalogPart {
  readonly held: number;
  readonly #part: OpenedPart;
  /** Entries that are stored as an axis, by chunk. */
  readonly #heldSets: readonly DocumentSet[];
  readonly #searches = new RecentSearches();

  constructor(part: OpenedPart, axes: ReadonlyMap<string, StoredAxis>) {
    this.#part = part;
    const numbered = [...axes.values()].filter((held) => held.axis.portalId !== null);
    this.#heldSets = part.index.chunks.map((chunk) => {
      const sets = numbered.flatMap((held) =>
        catalogTypes
          .filter((type) => isDataOf(held, held.axis.portalId!, type))
          .map((type) =>
            intersect(chunk.set(numberTag(held.axis.portalId!)), chunk.set(typeTag(type))),
          ),
      );
      return sets.reduce(unite, taggedSet(chunk, []));
    });
    this.held = countOfSets(this.#heldSets);
  }

  *search({ terms, text, type, offset, limit }: CatalogQuery): Generator<void, CatalogResult> {
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
        held: this.#heldAmong(total, this.#countOf(this.#heldSets, type)),
      };
    }
    const query = { terms, text };
    const tagged = this.#searches.of([index], query, type ?? '', type && typeTag(type));
    const { matches } = yield* tagged.page({ offset, limit });
    const sets = yield* this.#searches.of([index], query, '').sets();
    const types = countByType((one) => this.#countOf(sets, one));
    const total = type === undefined ? countOfSets(sets) : types[type];
    return {
      hits: matches.map(({ document, rank }) => ({
        record: records.record(document),
        score: scoreOf(rank),
      })),
      total,
      totalRelation: 'eq',
      types,
      held: this.#heldAmong(
        total,
        this.#countOf(
          sets.map((set, at) => intersect(set, this.#heldSets[at]!)),
          type,
        ),
      ),
    };
  }

  /** Number of documents of a type in the sets, one set a chunk. */
  #countOf(sets: readonly DocumentSet[], type: CatalogType | undefined): number {
    if (type === undefined) return countOfSets(sets);
    const { chunks } = this.#part.index;
    return countOfSets(sets.map((set, at) => intersect(set, chunks[at]!.set(typeTag(type)))));
  }

  #heldAmong(total: number, held: number): CatalogResult['held'] {
    return { true: held, false: total - held };
  }
}

/** The searches of late: the next page of one reads on where the last one stopped. */
class RecentSearches {
  readonly #kept = new ByteCache<Search>(searchesBytesMax);

  of(indexes: readonly SearchIndex[], query: Query, part: string, tag?: GramKey): Search {
    const key = JSON.stringify([part, query]);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const search = new Search(indexes, query, tag);
    const documents = indexes.reduce((sum, index) => sum + index.documents, 0);
    this.#kept.set(key, search, documents * documentBytes);
    return search;
  }
}

const searchesBytesMax = 1 << 26;
/**
 * Memory of a search for each document: a bit in some sets, and its number if its text was read.
 */
const documentBytes = 2;

function countOfSets(sets: readonly DocumentSet[]): number {
  return sets.reduce((sum, set) => sum + set.count, 0);
}

function countByType(count: (type: CatalogType) => number): Record<CatalogType, number> {
  return {
    API: count('API'),
    FILE: count('FILE'),
    LINKED: count('LINKED'),
    STD: count('STD'),
  };
}

const noCatalog = { total: 0, byType: countByType(() => 0), date: null, origin: null };
const noCatalogResult: CatalogResult = {
  hits: [],
  total: 0,
  totalRelation: 'eq',
  types: countByType(() => 0),
  held: { true: 0, false: 0 },
};

/** Records from here and there in the file, in the form of a page. */
function joined(records: OpenedPart['records'], documents: readonly number[]): Buffer {
  const parts: Buffer[] = [];
  for (const [i, document] of documents.entries()) {
    if (i > 0) parts.push(separator);
    parts.push(records.record(document));
  }
  return Buffer.concat(parts);
}

const separator = Buffer.from(',\n');
