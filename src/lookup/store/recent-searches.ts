import type { Query } from '../../data/search/rank.ts';
import { Search, type SearchOptions } from '../../data/search/search.ts';
import type { SearchedIndex, SearchedIndexes } from '../../data/search/searched-indexes.ts';
import { ByteCache } from '../../kernel/byte-cache.ts';

/** Cache of recent searches: the next page of one continues where its last page stopped. */
export class RecentSearches {
  readonly #cache = new ByteCache<Search>(searchesBytesMax);

  searchFor(
    scope: string,
    query: Query,
    indexesOf: () => SearchedIndexes | readonly SearchedIndex[],
    options: SearchOptions = {},
  ): Search {
    const key = JSON.stringify([scope, query]);
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const indexes = indexesOf();
    const search = new Search(indexes, query, options);
    const documents =
      'chunks' in indexes
        ? indexes.documents
        : indexes.reduce((sum, { index }) => sum + index.documents, 0);
    this.#cache.set(key, search, documents * documentBytes);
    return search;
  }
}

const searchesBytesMax = 1 << 26;
/** Estimated bytes of a search for each document: a bit in some sets, a number if its text was read. */
const documentBytes = 2;
