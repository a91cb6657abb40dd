import type { Query } from '../../data/search/rank.ts';
import { Search, type SearchOptions } from '../../data/search/search.ts';
import type { SearchedIndex, SearchedIndexes } from '../../data/search/searched-indexes.ts';
import { ByteCache } from '../../kernel/byte-cache.ts';

/** Cache of recent searches: the next page of one continues where its last page stopped. */
export class RecentSearches {
  readonly #cache = new ByteCache<Search>(searchesBytesMax, searchBytesMax);

  /** Runs steps of a search, and stores it with the bytes that it has by then. */
  *run<Result>(
    { scope, query, indexesOf, ...options }: RequestedSearch,
    steps: (search: Search) => Generator<void, Result>,
  ): Generator<void, Result> {
    const key = JSON.stringify([scope, query]);
    const search = this.#cache.get(key) ?? new Search(indexesOf(), query, options);
    const result = yield* steps(search);
    this.#cache.set(key, search, search.bytes);
    return result;
  }
}

interface RequestedSearch extends SearchOptions {
  /** All that distinguishes searches of one query. */
  readonly scope: string;
  readonly query: Query;
  readonly indexesOf: () => SearchedIndexes | readonly SearchedIndex[];
}

const searchesBytesMax = 1 << 26;
/** A common word over a hundred thousand datasets takes some ten megabytes. */
const searchBytesMax = 1 << 25;
