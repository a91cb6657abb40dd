import { CheckedSet } from './checked-set.ts';
import { emptySet, intersect, subtract, unite, type DocumentSet } from './document-set.ts';
import { gramKind, gramsOf, isExact, startGramOf, wholeFieldKey, type GramKey } from './gram.ts';
import type { SearchChunk } from './index-file.ts';
import type { Query, Tier } from './rank.ts';

/** Look-ups of a query, the same in every chunk. */
export interface Plan {
  readonly query: Query;
  /** Keys that every match has. */
  readonly keys: readonly GramKey[];
  readonly nameKeys: readonly GramKey[];
  readonly nameStart: GramKey;
  readonly wholeField: GramKey;
  /** Terms whose keys do not prove them, as UTF-8. */
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

  /** The number of matches; where texts must be read, up to `enough`, whatever is known already. */
  *count(enough: number): Generator<void, { count: number; isComplete: boolean }> {
    const { keys, needles } = this.#plan;
    if (needles.length === 0) {
      const count = keys.length === 1 ? this.chunk.count(keys[0]!) : this.#withEveryKey().count;
      return { count, isComplete: true };
    }
    const checked = this.#checked();
    const known = yield* checked.upTo(enough);
    const isComplete = known.count < enough || enough >= checked.candidates.count;
    return { count: Math.min(known.count, enough), isComplete };
  }

  /** Every match. */
  *all(): Generator<void, DocumentSet> {
    if (this.#plan.needles.length === 0) return this.#withEveryKey();
    return yield* this.#checked().upTo(Infinity);
  }

  /** The matches of one tier, the first `enough` at least where there are so many. */
  *matches(tier: Tier, enough: number): Generator<void, DocumentSet> {
    const candidates = this.#tier(tier);
    if (this.#plan.needles.length === 0 || candidates.count === 0) return candidates;
    const checked = this.#checked();
    if (checked.isComplete) return intersect(candidates, yield* checked.upTo(Infinity));
    this.#checkedTiers[tier] ??= new CheckedSet(this.chunk, candidates, this.#plan.needles);
    return yield* this.#checkedTiers[tier].upTo(enough);
  }

  #checked(): CheckedSet {
    const { needles } = this.#plan;
    this.#checkedAll ??= new CheckedSet(this.chunk, this.#withEveryKey(), needles);
    return this.#checkedAll;
  }

  /** Documents that have every key: the matches, or a few more where a word has to be checked. */
  #withEveryKey(): DocumentSet {
    this.#candidates ??= this.#withAll(this.#plan.keys);
    return this.#candidates;
  }

  /** The candidates of one tier; no document is in two. */
  #tier(tier: Tier): DocumentSet {
    return (this.#tiers[tier] ??= this.#madeTier(tier));
  }

  #madeTier(tier: Tier): DocumentSet {
    const { wholeField, nameStart, nameKeys } = this.#plan;
    if (tier === 0) return this.#both(this.#withEveryKey(), wholeField);
    if (tier === 3) {
      const above = unite(unite(this.#tier(0), this.#tier(1)), this.#tier(2));
      return subtract(this.#withEveryKey(), above);
    }
    const named = this.#withAllOf(nameKeys);
    if (tier === 1) return subtract(this.#both(named, nameStart), this.#tier(0));
    return subtract(named, unite(this.#tier(0), this.#tier(1)));
  }

  #withAllOf(keys: readonly GramKey[]): DocumentSet {
    const named = this.#withAll(keys);
    return named.count === 0 ? named : intersect(named, this.#withEveryKey());
  }

  #both(set: DocumentSet, key: GramKey): DocumentSet {
    if (set.count === 0 || this.chunk.count(key) === 0) return emptySet;
    return intersect(set, this.chunk.set(key));
  }

  /** Rarest key first, and nothing is read when a key is absent. */
  #withAll(keys: readonly GramKey[]): DocumentSet {
    const counted = keys.map((key) => ({ key, count: this.chunk.count(key) }));
    if (counted.some(({ count }) => count === 0)) return emptySet;
    counted.sort((a, b) => a.count - b.count);
    let found = this.chunk.set(counted[0]!.key);
    for (let i = 1; i < counted.length && found.count > 0; i++) {
      // A key that every document has keeps them all.
      if (counted[i]!.count === this.chunk.documents) continue;
      found = intersect(found, this.chunk.set(counted[i]!.key));
    }
    return found;
  }
}
