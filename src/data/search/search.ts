import { runSteps } from '../../kernel/run-steps.ts';
import { planOf, type Plan } from './chunk-search.ts';
import { has, slice, type DocumentSet } from './document-set.ts';
import type { GramKey } from './gram.ts';
import type { SearchChunk } from './index-file.ts';
import { firstHits, hitsPerIndexMax, type Hit } from './first-hits.ts';
import { LikelyParts } from './likely-parts.ts';
import { MatchCursor, rankedMatches, type Match } from './match-cursor.ts';
import { compareRanks, tiers, type Query } from './rank.ts';
import { separately, type SearchedIndex, type SearchedIndexes } from './searched-indexes.ts';

export interface SearchOptions {
  /** Restricts the search to documents with this tag. */
  readonly tag?: GramKey | undefined;
  /** True if equal names of one index are one hit, and several indexes share the top of the answer. */
  readonly isGrouped?: boolean | undefined;
  /** Puts documents with this tag first among the ranked matches; not for a grouped search. */
  readonly firstTag?: GramKey | undefined;
}

export interface Matches {
  /** Matches of the page; equal names of one index are one hit. */
  readonly matches: readonly Hit[];
  /** Number of hits of all pages: the total without matches that repeat a name. */
  readonly hits: number;
  readonly total: number;
  /** `gte` past `exactTotalMax` if texts must be read to count. */
  readonly totalRelation: 'eq' | 'gte';
  /** Number of matches of each index. */
  readonly counts: Uint32Array;
  /** Number of matches of the indexes that come last. */
  readonly lastTotal: number;
  /** For each index 1 if its number is a lower bound, because not all of its texts were read. */
  readonly areLowerBounds: Uint8Array;
}

interface PageRange {
  readonly offset: number;
  readonly limit: number;
}

/** Estimated bytes of a search without results, for each index that was counted, and for each of the first hits. */
const [searchBytes, countedBytes, hitBytes] = [4_096, 13, 300];
/** Limit on exact totals: if texts must be read to count, a larger total is a lower bound. */
const exactTotalMax = 10_000;
/** Number of matches that are sorted by rank; later ones keep the order of tiers and documents. */
export const rankedMax = 512;
/** Number of matches from which `top` takes the best. */
const topRankedMax = 64;
/** Parts that are counted or passed between two yields. */
const partsPerStep = 1_024;

/**
 * A query over several indexes. A document matches if every term occurs in it or is a topic of its dataset.
 *
 * A word of up to three units is one key, so its documents and their number are exact without reading a text. A
 * longer word or a phrase is the intersection of its keys, checked against the texts. Matches are in seven tiers
 * (see `rank.ts`). Tiers are intersections of keys, too, so a page costs the same however common the query is. Results
 * of one page are cached for the next; answers do not depend on the cache.
 *
 * Its generators yield every few milliseconds, so that the caller may serve other requests in between.
 */
export class Search {
  readonly #searched: SearchedIndexes;
  readonly #isGrouped: boolean;
  readonly #firstTag: GramKey | undefined;
  readonly #planOf: (fulfilled: number) => Plan;
  #likely: LikelyParts | null = null;
  #counted: Counted | null = null;
  #first: FirstHits | null = null;

  /** The query has at least one term. */
  constructor(
    searched: readonly SearchedIndex[] | SearchedIndexes,
    query: Query,
    { tag, isGrouped = false, firstTag }: SearchOptions = {},
  ) {
    this.#searched = 'chunks' in searched ? searched : separately(searched);
    this.#isGrouped = isGrouped;
    this.#firstTag = firstTag;
    const plans = new Map<number, Plan>();
    this.#planOf = (fulfilled) => {
      let plan = plans.get(fulfilled);
      if (plan === undefined) plans.set(fulfilled, (plan = planOf(query, tag, fulfilled)));
      return plan;
    };
  }

  /** Estimated bytes in memory, which grow with the pages that were read. */
  get bytes(): number {
    const counted = this.#counted === null ? 0 : this.#searched.size * countedBytes;
    const hits = (this.#first?.hits.length ?? 0) * hitBytes;
    return searchBytes + counted + hits + (this.#likely?.bytes ?? 0);
  }

  /** Hits `offset` to `offset + limit`, and the number of matches. */
  *page({ offset, limit }: PageRange): Generator<void, Matches> {
    const { likely, groups, ...counted } = (this.#counted ??= yield* this.#countAll());
    if (limit === 0 || counted.total === 0) return { ...counted, matches: [], hits: counted.total };
    this.#first ??= yield* this.#firstHits(likely, groups);
    const matches = yield* this.#hits({ likely, groups }, this.#first, offset, limit);
    return { ...counted, matches, hits: counted.total - this.#first.repeated };
  }

  /** True if there is any match. */
  *hasMatch(): Generator<void, boolean> {
    const likely = yield* this.#likelyParts();
    for (const part of likely.numbers) {
      const { count } = yield* likely.at(part).countMatches(1);
      if (count > 0) return true;
    }
    return false;
  }

  /** The best of the first matches in tier order, without a count of all matches. */
  *top(limit: number): Generator<void, Match[]> {
    const likely = yield* this.#likelyParts();
    const first = yield* new MatchCursor(likely, [likely.numbers]).take(topRankedMax);
    return first.sort((a, b) => this.#compare(a, b)).slice(0, limit);
  }

  /** All matches: a set for each chunk. No index shares a chunk. */
  *sets(): Generator<void, DocumentSet[]> {
    const sets: DocumentSet[] = [];
    const likely = yield* this.#likelyParts();
    for (const part of likely.numbers) sets.push(yield* likely.at(part).allMatches());
    return sets;
  }

  *#likelyParts(): Generator<void, LikelyParts> {
    return (this.#likely ??= yield* LikelyParts.find(this.#searched, this.#planOf));
  }

  *#countAll(): Generator<void, Counted> {
    const likely = yield* this.#likelyParts();
    const { numbers } = likely;
    const counts = new Uint32Array(this.#searched.size);
    const areLowerBounds = new Uint8Array(this.#searched.size);
    const groups = [new Int32Array(numbers.length), new Int32Array(numbers.length)];
    const used = [0, 0];
    let total = 0;
    let lastTotal = 0;
    let isExact = true;
    for (let at = 0; at < numbers.length; at++) {
      const part = numbers[at]!;
      const index = likely.indexOf(part);
      let count = likely.countNow(part);
      let isComplete = true;
      if (count === null) {
        // Past the bound, one match is enough: it shows that the index has any.
        const enough = Math.max(counts[index] === 0 ? 1 : 0, exactTotalMax - total);
        ({ count, isComplete } = yield* likely.at(part).countMatches(enough));
      }
      counts[index]! += count;
      total += count;
      if (!isComplete) areLowerBounds[index] = 1;
      isExact &&= isComplete;
      const group = this.#searched.isLast[index]!;
      if (group === 1) lastTotal += count;
      if (count > 0 || !isComplete) groups[group]![used[group]!++] = part;
      if (at % partsPerStep === partsPerStep - 1) yield;
    }
    return {
      likely,
      groups: groups.map((parts, group) => parts.subarray(0, used[group])),
      counts,
      areLowerBounds,
      lastTotal,
      total,
      totalRelation: isExact ? 'eq' : 'gte',
    };
  }

  /** One page of the first hits, which are followed by the other matches in tier order. */
  *#hits(
    { likely, groups }: Pick<Counted, 'likely' | 'groups'>,
    { hits, moved }: FirstHits,
    offset: number,
    limit: number,
  ): Generator<void, Hit[]> {
    const page = hits.slice(offset, offset + limit);
    const left = limit - page.length;
    if (left === 0) return page;
    const cursor = new MatchCursor(likely, groups, moved);
    yield* cursor.skip(rankedMax + Math.max(0, offset - hits.length));
    const rest = yield* cursor.take(left);
    return [...page, ...rest.map((match) => ({ ...match, more: 0 }))];
  }

  /** The first matches by rank, with the best of other indexes among them. */
  *#firstHits(likely: LikelyParts, groups: Groups): Generator<void, FirstHits> {
    const first = yield* new MatchCursor(likely, groups).take(rankedMax);
    if (!this.#isGrouped) {
      const sorted = first.sort((a, b) => this.#compare(a, b));
      const hits = this.#firstTagged(likely, sorted).map((match) => ({ ...match, more: 0 }));
      return { hits, moved: [], repeated: 0 };
    }
    const moved = first.length < rankedMax ? [] : yield* this.#bestOfOthers(likely, groups, first);
    const matches = moved.length === 0 ? first : [...first, ...moved];
    matches.sort((a, b) => this.#compare(a, b));
    const hits = firstHits(matches, ({ index }) => this.#isLast(index));
    return { hits, moved, repeated: matches.length - hits.length };
  }

  /** Moves the matches with the first tag before the others. */
  #firstTagged(likely: LikelyParts, matches: readonly Match[]): readonly Match[] {
    const tag = this.#firstTag;
    if (tag === undefined) return matches;
    const sets = new Map<SearchChunk, DocumentSet>();
    const setOf = (chunk: SearchChunk): DocumentSet => {
      const set = sets.get(chunk) ?? chunk.setOf(tag);
      sets.set(chunk, set);
      return set;
    };
    const isTagged = (match: Match): boolean =>
      likely.ofIndex(match.index).some(([, part]) => {
        const document = part.documentOf(match.document);
        return document !== null && has(setOf(part.search.chunk), document);
      });
    const tagged = new Set(matches.filter(isTagged));
    return [...tagged, ...matches.filter((match) => !tagged.has(match))];
  }

  /** Finds the best matches of each index without a match among `first`, reading few of its texts. */
  *#bestOfOthers(
    likely: LikelyParts,
    groups: Groups,
    first: readonly Match[],
  ): Generator<void, Match[]> {
    const seen = new Set(first.map(({ index }) => index));
    const found: Match[] = [];
    let indexes = 0;
    for (const group of groups) {
      for (const tier of tiers) {
        for (const [passed, number] of group.entries()) {
          if (passed % partsPerStep === partsPerStep - 1) yield;
          const index = likely.indexOf(number);
          if (seen.has(index)) continue;
          const hasTier = likely.knownTier(number, tier);
          if (!(hasTier ?? (yield* likely.findTier(number, tier)))) continue;
          const part = likely.at(number);
          const set = yield* part.tierMatches(tier, hitsPerIndexMax);
          if (set.count === 0) continue;
          seen.add(index);
          found.push(...rankedMatches(part, slice(set, 0, hitsPerIndexMax)));
          if (++indexes === otherIndexesMax) return found;
        }
      }
    }
    return found;
  }

  #isLast(index: number): boolean {
    return this.#searched.isLast[index] === 1;
  }

  #compare(a: Match, b: Match): number {
    return (
      this.#searched.isLast[a.index]! - this.#searched.isLast[b.index]! ||
      compareRanks(a.rank, b.rank) ||
      a.index - b.index ||
      a.document - b.document
    );
  }
}

/** Numbers of the parts that may have matches: of the indexes that come first, then of the last ones. */
type Groups = readonly Int32Array[];

interface Counted extends Omit<Matches, 'matches' | 'hits'> {
  readonly likely: LikelyParts;
  readonly groups: Groups;
}

/** The beginning of an answer. */
interface FirstHits {
  readonly hits: readonly Hit[];
  /** Matches in `hits` that were moved up; the rest of the answer leaves them out. */
  readonly moved: readonly Match[];
  /** Number of matches that are not listed as hits because they repeat the name of one. */
  readonly repeated: number;
}

/** Limit on indexes with hits at the top although none of their matches is among the first in tier order. */
const otherIndexesMax = 16;

/** One page of a search, computed without a pause, for callers that serve no requests. */
export function searchIndexes(
  indexes: readonly SearchedIndex[],
  query: Query,
  { tag, isGrouped, ...range }: PageRange & SearchOptions,
): Matches {
  return runSteps(new Search(indexes, query, { tag, isGrouped }).page(range));
}
