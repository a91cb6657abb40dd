import { CheckedSet } from './checked-set.ts';
import { lacksMatches, type ChunkSearch } from './chunk-search.ts';
import { bytesOf, intersect, rangeOf, type DocumentSet } from './document-set.ts';
import type { Tier } from './rank.ts';

/** Place of the documents of one index in a chunk. */
export interface ChunkPart {
  /** Position of the index among the searched ones. */
  readonly index: number;
  /** First document in the chunk, and the one behind the last. */
  readonly from: number;
  readonly to: number;
  /** Number of the first document within its index. */
  readonly base: number;
}

/** A query over the documents of one index in one chunk. What several indexes of the chunk share is in `search`. */
export class PartSearch {
  readonly index: number;
  readonly search: ChunkSearch;
  readonly #part: ChunkPart;
  readonly #isWhole: boolean;
  #checkedAll: CheckedSet | null = null;
  #checkedTiers: (CheckedSet | undefined)[] | null = null;

  constructor(search: ChunkSearch, part: ChunkPart) {
    this.index = part.index;
    this.search = search;
    this.#part = part;
    this.#isWhole = part.from === 0 && part.to === search.chunk.documents;
  }

  /** Estimated bytes in memory, without those of `search`. */
  get bytes(): number {
    const checked = [this.#checkedAll, ...(this.#checkedTiers ?? [])];
    return checked.reduce(
      (sum, set) =>
        sum + (set === null || set === undefined ? 0 : set.bytes + bytesOf(set.candidates)),
      objectBytes,
    );
  }

  /** Number within the index of a document of the chunk. */
  numberOf(document: number): number {
    return document - this.#part.from + this.#part.base;
  }

  /** Document of the chunk with a number within the index; null if it is in another chunk. */
  documentOf(number: number): number | null {
    const document = number - this.#part.base + this.#part.from;
    return document >= this.#part.from && document < this.#part.to ? document : null;
  }

  /** Counts the matches. If texts must be read, it counts at most `enough`, even if more are cached. */
  *countMatches(enough: number): Generator<void, { count: number; isComplete: boolean }> {
    if (lacksMatches(this.search.chunk, this.search.plan)) return { count: 0, isComplete: true };
    yield* this.search.prepare();
    if (this.search.needles.length === 0) {
      const count = this.#isWhole
        ? this.search.countCandidates()
        : this.#checkedCandidates().candidates.count;
      return { count, isComplete: true };
    }
    const checked = this.#checkedCandidates();
    const matches = yield* checked.firstMatches(enough);
    const isComplete = matches.count < enough || enough >= checked.candidates.count;
    return { count: Math.min(matches.count, enough), isComplete };
  }

  /** Every match. */
  *allMatches(): Generator<void, DocumentSet> {
    yield* this.search.prepare();
    if (this.search.needles.length === 0) return this.#own(this.search.allCandidates());
    return yield* this.#checkedCandidates().firstMatches(Infinity);
  }

  /** The matches of one tier, at least the first `enough` of them. */
  *tierMatches(tier: Tier, enough: number): Generator<void, DocumentSet> {
    yield* this.search.prepareTiers();
    const candidates = this.#own(this.search.tierSet(tier));
    if (this.search.needles.length === 0 || candidates.count === 0) return candidates;
    const checked = this.#checkedCandidates();
    if (checked.isComplete) return intersect(candidates, yield* checked.firstMatches(Infinity));
    this.#checkedTiers ??= [];
    const checkedTier = (this.#checkedTiers[tier] ??= this.#check(candidates));
    return yield* checkedTier.firstMatches(enough);
  }

  #checkedCandidates(): CheckedSet {
    return (this.#checkedAll ??= this.#check(this.#own(this.search.allCandidates())));
  }

  #check(candidates: DocumentSet): CheckedSet {
    return new CheckedSet(this.search.chunk, candidates, this.search.needles);
  }

  #own(set: DocumentSet): DocumentSet {
    if (set.count === 0 || this.#isWhole) return set;
    return rangeOf(set, this.#part.from, this.#part.to);
  }
}

const objectBytes = 150;
