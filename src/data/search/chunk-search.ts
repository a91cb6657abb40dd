import { CheckedSet } from './checked-set.ts';
import { emptySet, intersect, subtract, unite, type DocumentSet } from './document-set.ts';
import { gramKind, gramsOf, isExact, startGramOf, wholeFieldKey, type GramKey } from './gram.ts';
import type { SearchChunk } from './index-file.ts';
import type { Query, Tier } from './rank.ts';

/** Keys of a query, equal for every chunk. */
export interface Plan {
  readonly query: Query;
  /** Keys that every match has. */
  readonly keys: readonly GramKey[];
  readonly nameKeys: readonly GramKey[];
  readonly nameStart: GramKey;
  readonly wholeField: GramKey;
  /** Terms, as UTF-8, that must be checked against the text because their keys do not prove them. */
  readonly needles: readonly Buffer[];
}

/** Plan of a query with at least one term, over the documents that have `tag`. */
export function planOf(query: Query, tag: GramKey | undefined): Plan {
  const texts = query.terms.map((term) => term.text);
  const keys = texts.flatMap((text) => gramsOf(text, gramKind.text));
  return {
    query,
    keys: tag === undefined ? keys : [tag, ...keys],
    nameKeys: texts.flatMap((text) => gramsOf(text, gramKind.name)),
    nameStart: startGramOf(texts[0]!.split(' ')[0]!),
    wholeField: wholeFieldKey(query.text),
    needles: texts.filter((text) => !isExact(text)).map((text) => Buffer.from(text)),
  };
}

/** A query over one chunk: sets are computed on first use and cached. */
export class ChunkSearch {
  /** Position of the chunk's index among the searched ones. */
  readonly index: number;
  readonly chunk: SearchChunk;
  readonly #plan: Plan;
  #candidates: DocumentSet | null = null;
  #checkedAll: CheckedSet | null = null;
  readonly #tiers: (DocumentSet | undefined)[] = [];
  readonly #checkedTiers: (CheckedSet | undefined)[] = [];

  constructor(index: number, chunk: SearchChunk, plan: Plan) {
    this.index = index;
    this.chunk = chunk;
    this.#plan = plan;
  }

  /** Counts the matches; where texts must be read, only up to `enough`, even if more are cached. */
  *countMatches(enough: number): Generator<void, { count: number; isComplete: boolean }> {
    const { keys, needles } = this.#plan;
    if (needles.length === 0) {
      const count = keys.length === 1 ? this.chunk.countOf(keys[0]!) : this.#allCandidates().count;
      return { count, isComplete: true };
    }
    const checked = this.#checkedCandidates();
    const known = yield* checked.upTo(enough);
    const isComplete = known.count < enough || enough >= checked.candidates.count;
    return { count: Math.min(known.count, enough), isComplete };
  }

  /** Every match. */
  *allMatches(): Generator<void, DocumentSet> {
    if (this.#plan.needles.length === 0) return this.#allCandidates();
    return yield* this.#checkedCandidates().upTo(Infinity);
  }

  /** The matches of one tier, at least the first `enough` of them. */
  *tierMatches(tier: Tier, enough: number): Generator<void, DocumentSet> {
    const candidates = this.#tierSet(tier);
    if (this.#plan.needles.length === 0 || candidates.count === 0) return candidates;
    const checked = this.#checkedCandidates();
    if (checked.isComplete) return intersect(candidates, yield* checked.upTo(Infinity));
    this.#checkedTiers[tier] ??= new CheckedSet(this.chunk, candidates, this.#plan.needles);
    return yield* this.#checkedTiers[tier].upTo(enough);
  }

  #checkedCandidates(): CheckedSet {
    const { needles } = this.#plan;
    this.#checkedAll ??= new CheckedSet(this.chunk, this.#allCandidates(), needles);
    return this.#checkedAll;
  }

  /** Documents that have every key: the matches, and a few others if a word must be checked. */
  #allCandidates(): DocumentSet {
    this.#candidates ??= this.#documentsWith(this.#plan.keys);
    return this.#candidates;
  }

  /** The candidates of one tier; no document is in two. */
  #tierSet(tier: Tier): DocumentSet {
    return (this.#tiers[tier] ??= this.#computeTier(tier));
  }

  #computeTier(tier: Tier): DocumentSet {
    const { wholeField, nameStart, nameKeys } = this.#plan;
    if (tier === 0) return this.#narrow(this.#allCandidates(), wholeField);
    if (tier === 3) {
      const above = unite(unite(this.#tierSet(0), this.#tierSet(1)), this.#tierSet(2));
      return subtract(this.#allCandidates(), above);
    }
    const inName = this.#candidatesWith(nameKeys);
    if (tier === 1) return subtract(this.#narrow(inName, nameStart), this.#tierSet(0));
    return subtract(inName, unite(this.#tierSet(0), this.#tierSet(1)));
  }

  #candidatesWith(keys: readonly GramKey[]): DocumentSet {
    const documents = this.#documentsWith(keys);
    return documents.count === 0 ? documents : intersect(documents, this.#allCandidates());
  }

  #narrow(set: DocumentSet, key: GramKey): DocumentSet {
    if (set.count === 0 || this.chunk.countOf(key) === 0) return emptySet;
    return intersect(set, this.chunk.setOf(key));
  }

  /** Documents that have all keys. Reads the rarest key first, and nothing if a key is absent. */
  #documentsWith(keys: readonly GramKey[]): DocumentSet {
    const keysByCount = keys.map((key) => ({ key, count: this.chunk.countOf(key) }));
    if (keysByCount.some(({ count }) => count === 0)) return emptySet;
    keysByCount.sort((a, b) => a.count - b.count);
    let documents = this.chunk.setOf(keysByCount[0]!.key);
    for (let i = 1; i < keysByCount.length && documents.count > 0; i++) {
      // A key that every document has excludes none.
      if (keysByCount[i]!.count === this.chunk.documents) continue;
      documents = intersect(documents, this.chunk.setOf(keysByCount[i]!.key));
    }
    return documents;
  }
}
