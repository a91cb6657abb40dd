import { repairAdvice } from '../read-fully.ts';
import { ChunkSearch, planOf, type Plan } from './chunk-search.ts';
import { slice, type DocumentSet } from './document-set.ts';
import type { GramKey } from './gram.ts';
import type { SearchIndex } from './index-file.ts';
import { compareRanks, rankOf, tiers, type Query, type Rank, type Tier } from './rank.ts';

interface Match {
  /** Position among the searched indexes. */
  readonly index: number;
  /** Number of the document within it. */
  readonly document: number;
  readonly rank: Rank;
}

export interface Matches {
  readonly matches: readonly Match[];
  readonly total: number;
  /** `gte` past `exactTotalMax` if texts must be read to count. */
  readonly totalRelation: 'eq' | 'gte';
  /** Matches by index. */
  readonly counts: readonly IndexCount[];
}

/** Number of matches in one index; a lower bound (`gte`) if not all of its texts were read. */
interface IndexCount {
  readonly count: number;
  readonly relation: 'eq' | 'gte';
}

interface PageRange {
  readonly offset: number;
  readonly limit: number;
}

/** Totals past this may be a lower bound if texts must be read to count. */
const exactTotalMax = 10_000;
/** Number of matches that are ranked by their text; later ones keep the order of the documents. */
export const rankedMax = 512;

/**
 * A query over several indexes: the documents in which every term occurs.
 *
 * A word of up to three units is one key, so its documents and their number are exact without reading a text. A
 * longer word or a phrase is the intersection of its keys, checked against the texts. Matches are in four tiers
 * (see `rank.ts`); tiers are sets of keys too, so a page costs the same however common the query is. Results of
 * one page are cached for the next; answers do not depend on the cache.
 *
 * Its generators yield every few milliseconds, so that the caller may serve other requests in between.
 */
export class Search {
  readonly #plan: Plan;
  readonly #indexes: number;
  readonly #chunks: readonly ChunkSearch[];

  /** Searches the documents of `indexes` that have `tag`. The query has at least one term. */
  constructor(indexes: readonly SearchIndex[], query: Query, tag?: GramKey) {
    const plan = planOf(query, tag);
    this.#plan = plan;
    this.#indexes = indexes.length;
    this.#chunks = indexes.flatMap((index, at) =>
      index.chunks.map((chunk) => new ChunkSearch(at, chunk, plan)),
    );
  }

  /** Matches `offset` to `offset + limit`, and how many there are. */
  *page({ offset, limit }: PageRange): Generator<void, Matches> {
    const counted = yield* this.#countAll();
    const isEmpty = limit === 0 || counted.total === 0;
    return { ...counted, matches: isEmpty ? [] : yield* this.#rankedPage(offset, limit) };
  }

  /** Every match, as a set a chunk. */
  *sets(): Generator<void, DocumentSet[]> {
    const sets: DocumentSet[] = [];
    for (const chunk of this.#chunks) sets.push(yield* chunk.allMatches());
    return sets;
  }

  *#countAll(): Generator<void, Omit<Matches, 'matches'>> {
    const counts = Array.from({ length: this.#indexes }, () => ({ count: 0, isExact: true }));
    let total = 0;
    for (const chunk of this.#chunks) {
      // Past the bound, one match shows that an index has any.
      const counted = counts[chunk.index]!;
      const enough = Math.max(counted.count === 0 ? 1 : 0, exactTotalMax - total);
      const { count, isComplete } = yield* chunk.countMatches(enough);
      counted.count += count;
      counted.isExact &&= isComplete;
      total += count;
    }
    return {
      counts: counts.map(({ count, isExact }) => ({ count, relation: relationOf(isExact) })),
      total,
      totalRelation: relationOf(counts.every(({ isExact }) => isExact)),
    };
  }

  /** One page, of matches sorted by rank up to `rankedMax` and of matches in tier order after that. */
  *#rankedPage(offset: number, limit: number): Generator<void, Match[]> {
    const cursor = new MatchCursor(this.#chunks, this.#plan.query);
    if (offset >= rankedMax) {
      yield* cursor.skip(offset);
      return yield* cursor.take(limit);
    }
    const ranked = yield* cursor.take(rankedMax);
    ranked.sort(
      (a, b) => compareRanks(a.rank, b.rank) || a.index - b.index || a.document - b.document,
    );
    const page = ranked.slice(offset, offset + limit);
    if (page.length < limit) page.push(...(yield* cursor.take(limit - page.length)));
    return page;
  }
}

function relationOf(isExact: boolean): 'eq' | 'gte' {
  return isExact ? 'eq' : 'gte';
}

/** One page of a search, computed without a pause, for callers that serve no requests. */
export function searchIndexes(
  indexes: readonly SearchIndex[],
  query: Query,
  { tag, ...range }: PageRange & { readonly tag?: GramKey },
): Matches {
  const steps = new Search(indexes, query, tag).page(range);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Reads all matches in order, tier by tier, and chunk by chunk within a tier. */
class MatchCursor {
  readonly #chunks: readonly ChunkSearch[];
  readonly #query: Query;
  #tier = 0;
  #chunk = 0;
  /** Matches of the current tier and chunk that were taken. */
  #taken = 0;

  constructor(chunks: readonly ChunkSearch[], query: Query) {
    this.#chunks = chunks;
    this.#query = query;
  }

  *take(count: number): Generator<void, Match[]> {
    const matches: Match[] = [];
    for (
      let place = this.#position();
      place !== null && matches.length < count;
      place = this.#position()
    ) {
      const { chunk, tier } = place;
      const left = count - matches.length;
      const set = yield* chunk.tierMatches(tier, this.#taken + left);
      const documents = slice(set, this.#taken, left);
      this.#taken += documents.length;
      matches.push(...this.#ranked(chunk, documents));
      if (documents.length < left) this.#advance();
    }
    return matches;
  }

  *skip(matches: number): Generator<void, void> {
    let left = matches;
    for (let place = this.#position(); place !== null; place = this.#position()) {
      const { count } = yield* place.chunk.tierMatches(place.tier, left + 1);
      if (count > left) {
        this.#taken = left;
        return;
      }
      left -= count;
      this.#advance();
    }
  }

  #ranked({ index, chunk }: ChunkSearch, documents: Uint16Array): Match[] {
    return chunk.texts(documents).map((text, at) => {
      const rank = rankOf(text, this.#query);
      if (rank === null)
        throw new Error(`The search index lists a record without the terms. ${repairAdvice}`);
      return { index, document: chunk.base + documents[at]!, rank };
    });
  }

  #position(): { tier: Tier; chunk: ChunkSearch } | null {
    const tier = tiers[this.#tier];
    const chunk = this.#chunks[this.#chunk];
    return tier === undefined || chunk === undefined ? null : { tier, chunk };
  }

  #advance(): void {
    this.#taken = 0;
    if (++this.#chunk < this.#chunks.length) return;
    this.#chunk = 0;
    this.#tier++;
  }
}
