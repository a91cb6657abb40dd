import { CheckedSet } from './checked-set.ts';
import { emptySet, fullSet, intersect, subtract, type DocumentSet } from './document-set.ts';
import { gramKind, gramsOf, isExact, startGramOf, wholeFieldKey, type GramKey } from './gram.ts';
import type { SearchChunk } from './index-file.ts';
import { tiers, type Query, type Tier } from './rank.ts';

/** Keys of a query, equal for every chunk of an index. */
export interface Plan {
  readonly query: Query;
  /** Terms that the dataset is about, a bit each: they need not occur. */
  readonly given: number;
  /** Keys that every match has; none if every document matches. */
  readonly keys: readonly GramKey[];
  /** Keys of all terms in the name, and of the required ones alone. */
  readonly nameKeys: readonly GramKey[];
  readonly requiredNameKeys: readonly GramKey[];
  readonly nameStart: GramKey;
  readonly wholeField: GramKey;
  /** Required terms, as UTF-8, that must be checked against the text because their keys do not prove them. */
  readonly needles: readonly Buffer[];
}

/** Plan of a query with at least one term, over the documents that have `tag`. */
export function planOf(query: Query, tag: GramKey | undefined, given = 0): Plan {
  const texts = query.terms.map((term) => term.text);
  const required = texts.filter((_, position) => (given & (1 << position)) === 0);
  const keys = required.flatMap((text) => gramsOf(text, gramKind.text));
  return {
    query,
    given,
    keys: tag === undefined ? keys : [tag, ...keys],
    nameKeys: nameKeysOf(texts),
    requiredNameKeys: nameKeysOf(required),
    nameStart: startGramOf(texts[0]!.split(' ')[0]!),
    wholeField: wholeFieldKey(query.text),
    needles: required.filter((text) => !isExact(text)).map((text) => Buffer.from(text)),
  };
}

function nameKeysOf(texts: readonly string[]): GramKey[] {
  return texts.flatMap((text) => gramsOf(text, gramKind.name));
}

/** A query over one chunk: sets are computed on first use and cached. */
export class ChunkSearch {
  /** Position of the chunk's index among the searched ones. */
  readonly index: number;
  readonly chunk: SearchChunk;
  readonly plan: Plan;
  #candidates: DocumentSet | null = null;
  #checkedAll: CheckedSet | null = null;
  readonly #tiers: (DocumentSet | undefined)[] = [];
  readonly #checkedTiers: (CheckedSet | undefined)[] = [];

  constructor(index: number, chunk: SearchChunk, plan: Plan) {
    this.index = index;
    this.chunk = chunk;
    this.plan = plan;
  }

  /** Counts the matches; where texts must be read, only up to `enough`, even if more are cached. */
  *countMatches(enough: number): Generator<void, { count: number; isComplete: boolean }> {
    const { keys, needles } = this.plan;
    if (needles.length === 0) {
      if (keys.length === 0) return { count: this.chunk.documents, isComplete: true };
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
    if (this.plan.needles.length === 0) return this.#allCandidates();
    return yield* this.#checkedCandidates().upTo(Infinity);
  }

  /** The matches of one tier, at least the first `enough` of them. */
  *tierMatches(tier: Tier, enough: number): Generator<void, DocumentSet> {
    const candidates = this.#tierSet(tier);
    if (this.plan.needles.length === 0 || candidates.count === 0) return candidates;
    const checked = this.#checkedCandidates();
    if (checked.isComplete) return intersect(candidates, yield* checked.upTo(Infinity));
    this.#checkedTiers[tier] ??= new CheckedSet(this.chunk, candidates, this.plan.needles);
    return yield* this.#checkedTiers[tier].upTo(enough);
  }

  #checkedCandidates(): CheckedSet {
    const { needles } = this.plan;
    this.#checkedAll ??= new CheckedSet(this.chunk, this.#allCandidates(), needles);
    return this.#checkedAll;
  }

  /** Documents that have every key: the matches, and a few others if a word must be checked. */
  #allCandidates(): DocumentSet {
    this.#candidates ??= this.#documentsWith(this.plan.keys);
    return this.#candidates;
  }

  /** The candidates of one tier; no document is in two. */
  #tierSet(tier: Tier): DocumentSet {
    return (this.#tiers[tier] ??= this.#computeTier(tier));
  }

  #computeTier(tier: Tier): DocumentSet {
    const { wholeField, nameStart, nameKeys, requiredNameKeys, given } = this.plan;
    if (requiredNameKeys.length === 0) return tier === 0 ? this.#allCandidates() : emptySet;
    const isAbout = given !== 0;
    switch (tier) {
      case 0:
        return emptySet;
      case 1:
        return this.#narrow(this.#narrow(this.#candidatesWith(nameKeys), nameStart), wholeField);
      case 2:
        return this.#below(tier, this.#narrow(this.#candidatesWith(nameKeys), nameStart));
      case 3:
        return this.#below(tier, this.#candidatesWith(nameKeys));
      case 4:
        return isAbout ? this.#below(tier, this.#candidatesWith(requiredNameKeys)) : emptySet;
      default:
        if (isAbout !== (tier === 5)) return emptySet;
        return this.#below(tier, this.#allCandidates());
    }
  }

  /** The documents of a set that are in no better tier. */
  #below(tier: Tier, set: DocumentSet): DocumentSet {
    let rest = set;
    for (const better of tiers) {
      if (better >= tier || rest.count === 0) break;
      rest = subtract(rest, this.#tierSet(better));
    }
    return rest;
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
    if (keys.length === 0) return fullSet(this.chunk.documents);
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
