import {
  emptySet,
  intersect,
  setOfList,
  slice,
  subtract,
  unite,
  type DocumentSet,
} from './document-set.ts';
import { gramKind, gramsOf, isExact, startGramOf, wholeFieldKey, type GramKey } from './gram.ts';
import type { SearchChunk, SearchIndex } from './index-file.ts';
import { compareRanks, rankOf, type Question, type Rank } from './rank.ts';

export interface Match {
  /** Which of the searched indexes. */
  readonly index: number;
  /** Number of the document within it. */
  readonly document: number;
  readonly rank: Rank;
}

export interface Matches {
  readonly matches: readonly Match[];
  readonly total: number;
  /** `gte` when a long word is so common that not every candidate was checked against its text. */
  readonly totalRelation: 'eq' | 'gte';
  /** Matches by index; lower bounds where the total is one. */
  readonly counts: readonly number[];
}

export interface SearchOptions {
  readonly offset: number;
  readonly limit: number;
  /** Keeps the documents that have the tag. */
  readonly tag?: GramKey;
  /** Keeps the documents of a set, given for each chunk of the one index that is searched. */
  readonly within?: readonly DocumentSet[];
}

/** Candidates of words longer than three units that are checked for the total, at the most. */
export const checkedMax = 10_000;
/** Matches that are ranked by their text; those behind them keep the order of the documents. */
export const rankedMax = 512;

/**
 * Finds the documents of several indexes in which every term occurs.
 *
 * A word of up to three units is one key, so its documents and their number are exact without reading a
 * text. A longer word or a phrase is the intersection of its keys, checked against the texts. Matches come
 * in four tiers (see `rank.ts`); tiers are sets of keys too, so a page costs the same however common the
 * question is.
 */
export function searchIndexes(
  indexes: readonly SearchIndex[],
  question: Question,
  { offset, limit, tag, within }: SearchOptions,
): Matches {
  const plan = planOf(question, tag);
  const chunks: ChunkSearch[] = indexes.flatMap((index, at) =>
    index.chunks.map((chunk, i) => new ChunkSearch(at, chunk, plan, within?.[i] ?? null)),
  );
  const { counts, total, totalRelation } = countAll(chunks, plan, indexes.length);
  const matches = total === 0 || limit === 0 ? [] : takePage(chunks, plan, offset, limit);
  return { matches, total, totalRelation, counts };
}

interface Plan {
  readonly question: Question;
  /** Keys that every match has. */
  readonly keys: readonly GramKey[];
  readonly nameKeys: readonly GramKey[];
  readonly nameStart: GramKey;
  readonly wholeField: GramKey;
  /** Terms whose keys do not prove them, as UTF-8. */
  readonly needles: readonly Buffer[];
}

function planOf(question: Question, tag: GramKey | undefined): Plan {
  const words = question.terms.flatMap(({ text }) => text.split(' '));
  const keys = words.flatMap((word) => gramsOf(word, gramKind.text));
  return {
    question,
    keys: tag === undefined ? keys : [tag, ...keys],
    nameKeys: words.flatMap((word) => gramsOf(word, gramKind.name)),
    nameStart: startGramOf(question.terms[0]!.text.split(' ')[0]!),
    wholeField: wholeFieldKey(question.text),
    needles: question.terms
      .filter(({ text }) => !isExact(text))
      .map(({ text }) => Buffer.from(text)),
  };
}

function countAll(
  chunks: readonly ChunkSearch[],
  plan: Plan,
  indexes: number,
): Omit<Matches, 'matches'> {
  const counts = Array.from<number>({ length: indexes }).fill(0);
  let total = 0;
  let left = checkedMax;
  for (const chunk of chunks) {
    if (plan.needles.length > 0 && left <= 0 && chunk.candidates().count > 0) {
      return { counts, total, totalRelation: 'gte' };
    }
    const { count, complete } = chunk.count(left);
    counts[chunk.index]! += count;
    total += count;
    if (plan.needles.length > 0) left -= count;
    if (!complete) return { counts, total, totalRelation: 'gte' };
  }
  return { counts, total, totalRelation: 'eq' };
}

/** The first `rankedMax` matches in tier order are sorted by rank; a page may begin before or behind them. */
function takePage(
  chunks: readonly ChunkSearch[],
  plan: Plan,
  offset: number,
  limit: number,
): Match[] {
  const walk = new Walk(chunks, plan);
  if (offset >= rankedMax) {
    walk.skip(offset);
    return walk.take(limit);
  }
  const ranked = walk.take(rankedMax);
  ranked.sort(
    (a, b) => compareRanks(a.rank, b.rank) || a.index - b.index || a.document - b.document,
  );
  const page = ranked.slice(offset, offset + limit);
  if (page.length < limit) page.push(...walk.take(limit - page.length));
  return page;
}

/** Goes through all matches, tier by tier, and chunk by chunk within a tier. */
class Walk {
  readonly #chunks: readonly ChunkSearch[];
  readonly #plan: Plan;
  #tier = 0;
  #chunk = 0;
  #taken = 0;

  constructor(chunks: readonly ChunkSearch[], plan: Plan) {
    this.#chunks = chunks;
    this.#plan = plan;
  }

  take(wanted: number): Match[] {
    const taken: Match[] = [];
    while (taken.length < wanted) {
      const chunk = this.#current();
      if (chunk === null) break;
      const documents = slice(chunk.tier(this.#tier), this.#taken, wanted - taken.length);
      if (documents.length === 0) {
        this.#advance();
        continue;
      }
      this.#taken += documents.length;
      for (const [at, text] of chunk.chunk.texts(documents).entries()) {
        const rank = rankOf(text, this.#plan.question);
        if (rank === null) continue;
        taken.push({ index: chunk.index, document: chunk.chunk.base + documents[at]!, rank });
      }
    }
    return taken;
  }

  skip(matches: number): void {
    for (let left = matches; left > 0;) {
      const chunk = this.#current();
      if (chunk === null) return;
      const set = chunk.checked(this.#tier);
      if (set.count > left) {
        this.#taken = left;
        chunk.replace(this.#tier, set);
        return;
      }
      left -= set.count;
      this.#advance();
    }
  }

  #current(): ChunkSearch | null {
    return this.#tier > 3 ? null : (this.#chunks[this.#chunk] ?? null);
  }

  #advance(): void {
    this.#taken = 0;
    if (++this.#chunk < this.#chunks.length) return;
    this.#chunk = 0;
    this.#tier++;
  }
}

/** One chunk under one question: sets are made when they are first needed. */
class ChunkSearch {
  readonly index: number;
  readonly chunk: SearchChunk;
  readonly #plan: Plan;
  readonly #within: DocumentSet | null;
  #candidates: DocumentSet | null = null;
  readonly #tiers: (DocumentSet | undefined)[] = [];

  constructor(index: number, chunk: SearchChunk, plan: Plan, within: DocumentSet | null) {
    this.index = index;
    this.chunk = chunk;
    this.#plan = plan;
    this.#within = within;
  }

  /** The number of matches; counts up to about `enough` where texts must be read. */
  count(enough: number): { count: number; complete: boolean } {
    const { keys, needles } = this.#plan;
    if (needles.length === 0) {
      const isStored = keys.length === 1 && this.#within === null;
      const count = isStored ? this.chunk.count(keys[0]!) : this.candidates().count;
      return { count, complete: true };
    }
    const candidates = this.candidates();
    if (candidates.count === 0) return { count: 0, complete: true };
    const { count } = this.#check(candidates, enough);
    return { count, complete: count < enough || count === candidates.count };
  }

  /** Documents that have every key: the matches, or a few more where a word has to be checked. */
  candidates(): DocumentSet {
    if (this.#candidates === null) {
      const found = this.#withAll(this.#plan.keys);
      this.#candidates = this.#within === null ? found : intersect(found, this.#within);
    }
    return this.#candidates;
  }

  /** The candidates of one tier; no document is in two. */
  tier(tier: number): DocumentSet {
    return (this.#tiers[tier] ??= this.#tier(tier));
  }

  /** The matches of one tier. */
  checked(tier: number): DocumentSet {
    const set = this.tier(tier);
    return this.#plan.needles.length === 0 ? set : this.#check(set, set.count);
  }

  replace(tier: number, set: DocumentSet): void {
    this.#tiers[tier] = set;
  }

  #tier(tier: number): DocumentSet {
    const { wholeField, nameStart, nameKeys } = this.#plan;
    if (tier === 0) return this.#candidatesWith(wholeField);
    const above = tier === 1 ? this.tier(0) : unite(this.tier(0), this.#upTo(tier - 1));
    if (tier === 3) return subtract(this.candidates(), above);
    const named = this.#candidatesWithAll(nameKeys);
    if (named.count === 0) return emptySet;
    const inTier = tier === 1 ? this.#both(named, nameStart) : named;
    return subtract(inTier, above);
  }

  #upTo(tier: number): DocumentSet {
    return tier === 1 ? this.tier(1) : unite(this.tier(1), this.tier(2));
  }

  #candidatesWith(key: GramKey): DocumentSet {
    return this.chunk.count(key) === 0 ? emptySet : this.#both(this.candidates(), key);
  }

  #candidatesWithAll(keys: readonly GramKey[]): DocumentSet {
    const named = this.#withAll(keys);
    return named.count === 0 ? named : intersect(named, this.candidates());
  }

  #both(set: DocumentSet, key: GramKey): DocumentSet {
    return set.count === 0 ? set : intersect(set, this.chunk.set(key));
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

  #check(candidates: DocumentSet, enough: number): DocumentSet {
    if (candidates.count === 0) return setOfList(new Uint16Array(0));
    return this.chunk.containing(
      slice(candidates, 0, candidates.count),
      this.#plan.needles,
      enough,
    );
  }
}
