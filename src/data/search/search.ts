import { runSteps } from '../../kernel/run-steps.ts';
import { ChunkSearch, planOf, type Plan } from './chunk-search.ts';
import { has, slice, type DocumentSet } from './document-set.ts';
import type { GramKey } from './gram.ts';
import type { SearchChunk, SearchIndex } from './index-file.ts';
import { firstHits, hitsPerIndexMax, type Hit } from './first-hits.ts';
import { MatchCursor, rankedMatches, type Match } from './match-cursor.ts';
import { PartSearch, type ChunkPart } from './part-search.ts';
import { partsWith } from './parts-with.ts';
import { compareRanks, tiers, type Query } from './rank.ts';

export interface SearchOptions {
  /** Restricts the search to documents with this tag. */
  readonly tag?: GramKey | undefined;
  /** True if equal names of one index are one hit, and several indexes share the top of the answer. */
  readonly isGrouped?: boolean | undefined;
  /** Puts documents with this tag first among the ranked matches; not for a grouped search. */
  readonly firstTag?: GramKey | undefined;
}

/** An index, and the terms that are topics of its dataset. */
export interface SearchedIndex {
  readonly index: SearchIndex;
  /** Bits of the terms, by position in the query, that are topics and so need not occur in a document. */
  readonly fulfilled?: number;
  /** True if its matches come after the matches of all other indexes, as for sample data. */
  readonly isLast?: boolean;
}

/** Indexes that are searched at once; several may share a chunk. */
export interface SearchedIndexes {
  /** Number of indexes. */
  readonly size: number;
  /** Number of documents of all indexes. */
  readonly documents: number;
  readonly chunks: readonly SearchedChunk[];
  /** For each index 1 if its matches come after the matches of all others, else 0. */
  readonly isLast: Uint8Array;
  /** `SearchedIndex.fulfilled` by index; absent if it is 0. */
  readonly fulfilled: ReadonlyMap<number, number>;
}

export interface SearchedChunk {
  readonly chunk: SearchChunk;
  /** In the order of their documents. */
  readonly parts: readonly ChunkPart[];
}

/** Indexes that have chunks of their own. */
function separately(indexes: readonly SearchedIndex[]): SearchedIndexes {
  return {
    size: indexes.length,
    documents: indexes.reduce((sum, { index }) => sum + index.documents, 0),
    chunks: indexes.flatMap(({ index }, at) =>
      index.chunks.map((chunk) => ({ chunk, parts: [wholePart(at, chunk)] })),
    ),
    isLast: Uint8Array.from(indexes, ({ isLast = false }) => Number(isLast)),
    fulfilled: new Map(indexes.map(({ fulfilled = 0 }, at) => [at, fulfilled])),
  };
}

/** A chunk all of whose documents are those of an index. */
export function wholePart(index: number, { base, documents }: SearchChunk): ChunkPart {
  return { index, from: 0, to: documents, base };
}

export interface Matches {
  /** Matches of the page; equal names of one index are one hit. */
  readonly matches: readonly Hit[];
  /** Number of hits of all pages: the total without matches that repeat a name. */
  readonly hits: number;
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

/** Limit on exact totals: if texts must be read to count, a larger total is a lower bound. */
const exactTotalMax = 10_000;
/** Number of matches that are sorted by rank; later ones keep the order of tiers and documents. */
export const rankedMax = 512;
/** Number of matches from which `top` takes the best. */
const topRankedMax = 64;
/** Parts that are counted or passed between two yields. */
const partsPerStep = 256;
const noMatches: IndexCount = { count: 0, relation: 'eq' };

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
  #parts: readonly PartSearch[] | null = null;
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

  /** Hits `offset` to `offset + limit`, and the number of matches. */
  *page({ offset, limit }: PageRange): Generator<void, Matches> {
    const { groups, ...counted } = (this.#counted ??= yield* this.#countAll());
    if (limit === 0 || counted.total === 0) return { ...counted, matches: [], hits: counted.total };
    this.#first ??= yield* this.#firstHits(groups);
    const matches = yield* this.#hits(groups, this.#first, offset, limit);
    return { ...counted, matches, hits: counted.total - this.#first.repeated };
  }

  /** True if there is any match. */
  *hasMatch(): Generator<void, boolean> {
    for (const part of yield* this.#likelyParts()) {
      const { count } = yield* part.countMatches(1);
      if (count > 0) return true;
    }
    return false;
  }

  /** The best of the first matches in tier order, without a count of all matches. */
  *top(limit: number): Generator<void, Match[]> {
    const first = yield* new MatchCursor([yield* this.#likelyParts()]).take(topRankedMax);
    return first.sort((a, b) => this.#compare(a, b)).slice(0, limit);
  }

  /** All matches: a set for each chunk. No index shares a chunk. */
  *sets(): Generator<void, DocumentSet[]> {
    const sets: DocumentSet[] = [];
    for (const part of yield* this.#likelyParts()) sets.push(yield* part.allMatches());
    return sets;
  }

  /** Parts of the chunks in the order of the indexes: all but those of shared chunks whose keys show no match. */
  *#likelyParts(): Generator<void, readonly PartSearch[]> {
    if (this.#parts !== null) return this.#parts;
    const likely: PartSearch[] = [];
    for (const { chunk, parts } of this.#searched.chunks) {
      for (const [fulfilled, ofPlan] of this.#partsByPlan(parts)) {
        const search = new ChunkSearch(chunk, this.#planOf(fulfilled));
        if (parts.length === 1) {
          likely.push(new PartSearch(search, parts[0]!));
        } else if (!(yield* search.lacksMatches())) {
          for (const part of partsWith(search.allCandidates(), ofPlan))
            likely.push(new PartSearch(search, part));
          yield;
        }
      }
    }
    return (this.#parts ??= inOrder(likely));
  }

  /** Parts of a chunk by the terms that are topics of their datasets. */
  #partsByPlan(parts: readonly ChunkPart[]): Iterable<[number, readonly ChunkPart[]]> {
    const { fulfilled } = this.#searched;
    if (fulfilled.size === 0) return [[0, parts]];
    return Map.groupBy(parts, ({ index }) => fulfilled.get(index) ?? 0);
  }

  *#countAll(): Generator<void, Counted> {
    const counts = Array.from({ length: this.#searched.size }, () => noMatches);
    const groups: readonly PartSearch[][] = [[], []];
    let total = 0;
    let isExact = true;
    for (const [passed, part] of (yield* this.#likelyParts()).entries()) {
      // Past the bound, one match is enough: it shows that the index has any.
      const counted = counts[part.index]!;
      const enough = Math.max(counted.count === 0 ? 1 : 0, exactTotalMax - total);
      const now = part.countNow();
      const { count, isComplete } =
        now === null ? yield* part.countMatches(enough) : { count: now, isComplete: true };
      counts[part.index] = {
        count: counted.count + count,
        relation: isComplete ? counted.relation : 'gte',
      };
      isExact &&= isComplete;
      total += count;
      if (count > 0 || !isComplete) groups[this.#isLast(part.index) ? 1 : 0]!.push(part);
      if (passed % partsPerStep === partsPerStep - 1) yield;
    }
    return { groups, counts, total, totalRelation: isExact ? 'eq' : 'gte' };
  }

  /** One page of the first hits, which are followed by the other matches in tier order. */
  *#hits(
    groups: Groups,
    { hits, moved }: FirstHits,
    offset: number,
    limit: number,
  ): Generator<void, Hit[]> {
    const page = hits.slice(offset, offset + limit);
    const left = limit - page.length;
    if (left === 0) return page;
    const cursor = new MatchCursor(groups, moved);
    yield* cursor.skip(rankedMax + Math.max(0, offset - hits.length));
    const rest = yield* cursor.take(left);
    return [...page, ...rest.map((match) => ({ ...match, more: 0 }))];
  }

  /** The first matches by rank, with the best of other indexes among them. */
  *#firstHits(groups: Groups): Generator<void, FirstHits> {
    const first = yield* new MatchCursor(groups).take(rankedMax);
    if (!this.#isGrouped) {
      const sorted = first.sort((a, b) => this.#compare(a, b));
      const hits = this.#firstTagged(sorted).map((match) => ({ ...match, more: 0 }));
      return { hits, moved: [], repeated: 0 };
    }
    const moved = first.length < rankedMax ? [] : yield* this.#bestOfOthers(groups, first);
    const matches = moved.length === 0 ? first : [...first, ...moved];
    matches.sort((a, b) => this.#compare(a, b));
    const hits = firstHits(matches, ({ index }) => this.#isLast(index));
    return { hits, moved, repeated: matches.length - hits.length };
  }

  /** Moves the matches with the first tag before the others. */
  #firstTagged(matches: readonly Match[]): readonly Match[] {
    const tag = this.#firstTag;
    if (tag === undefined) return matches;
    const sets = (this.#parts ?? []).map((part) => ({ part, set: part.search.chunk.setOf(tag) }));
    const isTagged = (match: Match): boolean =>
      sets.some(({ part, set }) => {
        const document = part.index === match.index ? part.documentOf(match.document) : null;
        return document !== null && has(set, document);
      });
    return [...matches.filter(isTagged), ...matches.filter((match) => !isTagged(match))];
  }

  /** Finds the best matches of each index without a match among `first`, reading few of its texts. */
  *#bestOfOthers(groups: Groups, first: readonly Match[]): Generator<void, Match[]> {
    const seen = new Set(first.map(({ index }) => index));
    const found: Match[] = [];
    let indexes = 0;
    for (const group of groups) {
      for (const tier of tiers) {
        for (const [passed, part] of group.entries()) {
          if (passed % partsPerStep === partsPerStep - 1) yield;
          if (seen.has(part.index) || part.isEmpty(tier)) continue;
          const set = yield* part.tierMatches(tier, hitsPerIndexMax);
          if (set.count === 0) continue;
          seen.add(part.index);
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

/** Parts that may have matches: of the indexes that come first, then of the last ones. */
type Groups = readonly (readonly PartSearch[])[];

interface Counted extends Omit<Matches, 'matches' | 'hits'> {
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

/** Parts by their index. Numbers sort ten times as fast as with a function: index and place in one. */
function inOrder(parts: readonly PartSearch[]): PartSearch[] {
  const keys = Float64Array.from(parts, ({ index }, at) => index * parts.length + at).sort();
  return Array.from(keys, (key) => parts[key % parts.length]!);
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
