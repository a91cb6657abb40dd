import { emptySet, intersect, slice, subtract, unite, type DocumentSet } from './document-set.ts';
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
}

/** A total past this may be a lower bound, where texts had to be read to count. */
export const exactTotalMax = 10_000;
/** Candidates whose texts are read for the total, and again for a page, at the most: about 60 ms each. */
export const textsReadMax = 200_000;
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
  { offset, limit, tag }: SearchOptions,
): Matches {
  const plan = planOf(question, tag);
  const chunks: ChunkSearch[] = indexes.flatMap((index, at) =>
    index.chunks.map((chunk) => new ChunkSearch(at, chunk, plan)),
  );
  const { counts, total, totalRelation } = countAll(chunks, indexes.length);
  const isEmpty = limit === 0 || (total === 0 && totalRelation === 'eq');
  const matches = isEmpty ? [] : takePage(chunks, plan, offset, limit);
  return { matches, total, totalRelation, counts };
}

/**
 * All documents of one index in which every term occurs, as a set a chunk, for counting them by something.
 * Not complete when more texts than `textsReadMax` would have to be read.
 */
export function matchingSets(
  index: SearchIndex,
  question: Question,
): { sets: DocumentSet[]; isComplete: boolean } {
  const plan = planOf(question, undefined);
  const budget = { texts: textsReadMax };
  const found = index.chunks.map((chunk) => new ChunkSearch(0, chunk, plan).all(budget));
  return {
    sets: found.map(({ set }) => set),
    isComplete: found.every(({ isComplete }) => isComplete),
  };
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
  const texts = question.terms.map((term) => term.text);
  const keys = texts.flatMap((text) => gramsOf(text, gramKind.text));
  return {
    question,
    keys: tag === undefined ? keys : [tag, ...keys],
    nameKeys: texts.flatMap((text) => gramsOf(text, gramKind.name)),
    nameStart: startGramOf(texts[0]!.split(' ')[0]!),
    wholeField: wholeFieldKey(question.text),
    needles: texts.filter((text) => !isExact(text)).map((text) => Buffer.from(text)),
  };
}

function countAll(chunks: readonly ChunkSearch[], indexes: number): Omit<Matches, 'matches'> {
  const counts = Array.from<number>({ length: indexes }).fill(0);
  const budget = { texts: textsReadMax };
  let total = 0;
  let isExact = true;
  for (const chunk of chunks) {
    // Past the bound one match is enough to know that an index has any.
    const enough = Math.max(counts[chunk.index] === 0 ? 1 : 0, exactTotalMax - total);
    const { count, isComplete } = chunk.count(enough, budget);
    counts[chunk.index]! += count;
    total += count;
    isExact &&= isComplete;
  }
  return { counts, total, totalRelation: isExact ? 'eq' : 'gte' };
}

/** How many texts may still be read for one purpose. */
interface Budget {
  texts: number;
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
  readonly #budget: Budget = { texts: textsReadMax };
  #tier = 0;
  #chunk = 0;
  /** Matches of the current tier and chunk that were taken. */
  #taken = 0;

  constructor(chunks: readonly ChunkSearch[], plan: Plan) {
    this.#chunks = chunks;
    this.#plan = plan;
  }

  take(wanted: number): Match[] {
    const matches: Match[] = [];
    for (
      let chunk = this.#current();
      chunk !== null && matches.length < wanted;
      chunk = this.#current()
    ) {
      const left = wanted - matches.length;
      const set = chunk.matches(this.#tier, this.#taken + left, this.#budget);
      const documents = slice(set, this.#taken, left);
      this.#taken += documents.length;
      for (const [at, text] of chunk.chunk.texts(documents).entries()) {
        const rank = rankOf(text, this.#plan.question);
        if (rank === null)
          throw new Error('The index found a record that does not hold the terms.');
        matches.push({ index: chunk.index, document: chunk.chunk.base + documents[at]!, rank });
      }
      if (documents.length < left) this.#advance();
    }
    return matches;
  }

  skip(matches: number): void {
    let left = matches;
    for (let chunk = this.#current(); chunk !== null; chunk = this.#current()) {
      const { count } = chunk.matches(this.#tier, left + 1, this.#budget);
      if (count > left) {
        this.#taken = left;
        return;
      }
      left -= count;
      this.#advance();
    }
  }

  #current(): ChunkSearch | null {
    if (this.#tier > 3 || this.#budget.texts <= 0) return null;
    return this.#chunks[this.#chunk] ?? null;
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
  #candidates: DocumentSet | null = null;
  readonly #tiers: (DocumentSet | undefined)[] = [];
  readonly #checked: (Checked | undefined)[] = [];

  constructor(index: number, chunk: SearchChunk, plan: Plan) {
    this.index = index;
    this.chunk = chunk;
    this.#plan = plan;
  }

  /** The number of matches; where texts must be read, up to `enough` and within the budget. */
  count(enough: number, budget: Budget): { count: number; isComplete: boolean } {
    const { keys, needles } = this.#plan;
    if (needles.length === 0) {
      const count = keys.length === 1 ? this.chunk.count(keys[0]!) : this.candidates().count;
      return { count, isComplete: true };
    }
    const { set, isComplete } = this.#check(this.candidates(), enough, budget);
    return { count: set.count, isComplete };
  }

  /** Every match, within the budget. */
  all(budget: Budget): Checked {
    const candidates = this.candidates();
    if (this.#plan.needles.length === 0) return { set: candidates, isComplete: true };
    return this.#check(candidates, candidates.count, budget);
  }

  /** Documents that have every key: the matches, or a few more where a word has to be checked. */
  candidates(): DocumentSet {
    this.#candidates ??= this.#withAll(this.#plan.keys);
    return this.#candidates;
  }

  /** The candidates of one tier; no document is in two. */
  tier(tier: number): DocumentSet {
    return (this.#tiers[tier] ??= this.#tier(tier));
  }

  /** The matches of one tier, the first `enough` at least where there are so many. */
  matches(tier: number, enough: number, budget: Budget): DocumentSet {
    const candidates = this.tier(tier);
    if (this.#plan.needles.length === 0) return candidates;
    const known = this.#checked[tier];
    if (known !== undefined && (known.isComplete || known.set.count >= enough)) return known.set;
    const checked = this.#check(candidates, enough, budget);
    this.#checked[tier] = checked;
    return checked.set;
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

  #check(candidates: DocumentSet, enough: number, budget: Budget): Checked {
    const asked = slice(candidates, 0, Math.max(0, budget.texts));
    if (asked.length === 0 || enough === 0)
      return { set: emptySet, isComplete: candidates.count === 0 };
    const { set, read } = this.chunk.containing(asked, this.#plan.needles, enough);
    budget.texts -= read;
    const isComplete = set.count < enough && asked.length === candidates.count;
    return { set, isComplete: isComplete || set.count === candidates.count };
  }
}

interface Checked {
  readonly set: DocumentSet;
  /** Whether it holds every match there is. */
  readonly isComplete: boolean;
}
