import { repairAdvice } from '../read-fully.ts';
import { emptySet, setOfList, slice, subtract, type DocumentSet } from './document-set.ts';
import { fieldSeparator } from './gram.ts';
import type { LikelyParts } from './likely-parts.ts';
import type { PartSearch } from './part-search.ts';
import { rankOf, tiers, type Rank, type Tier } from './rank.ts';

export interface Match {
  /** Position among the searched indexes. */
  readonly index: number;
  /** Number of the document within the index. */
  readonly document: number;
  readonly rank: Rank;
  /** Text of the name field, normalised; empty if the document has none. */
  readonly name: string;
}

/** Reads all matches in order: group by group, tier by tier, and part by part within a tier. */
export class MatchCursor {
  readonly #likely: LikelyParts;
  readonly #groups: readonly Int32Array[];
  /** Matches that are left out, by the number of their part. */
  readonly #excluded: ReadonlyMap<number, DocumentSet>;
  #group = 0;
  #tier = 0;
  #part = 0;
  /** Number of matches of the current tier and part that were taken. */
  #taken = 0;

  /** Reads groups of likely parts. Leaves out the matches in `excluded`. */
  constructor(likely: LikelyParts, groups: readonly Int32Array[], excluded: readonly Match[] = []) {
    this.#likely = likely;
    this.#groups = groups.filter((parts) => parts.length > 0);
    this.#excluded = setsOf(likely, excluded);
  }

  *take(count: number): Generator<void, Match[]> {
    const matches: Match[] = [];
    while (matches.length < count) {
      const place = yield* this.#next();
      if (place === null) break;
      const left = count - matches.length;
      const set = yield* this.#set(place, this.#taken + left);
      const documents = slice(set, this.#taken, left);
      this.#taken += documents.length;
      matches.push(...rankedMatches(this.#likely.at(place.part), documents));
      if (documents.length < left) this.#advance();
    }
    return matches;
  }

  *skip(matches: number): Generator<void, void> {
    let left = matches;
    for (;;) {
      const place = yield* this.#next();
      if (place === null) return;
      const { count } = yield* this.#set(place, left + 1);
      if (count > left) {
        this.#taken = left;
        return;
      }
      left -= count;
      this.#advance();
    }
  }

  *#set({ part, tier }: Place, enough: number): Generator<void, DocumentSet> {
    const excluded = this.#excluded.get(part) ?? emptySet;
    const set = yield* this.#likely.at(part).tierMatches(tier, enough + excluded.count);
    return subtract(set, excluded);
  }

  /** Moves to the next part that may have matches of its tier; null at the end. */
  *#next(): Generator<void, Place | null> {
    for (let passed = 1; ; passed++) {
      const tier = tiers[this.#tier];
      const part = this.#groups[this.#group]?.[this.#part];
      if (tier === undefined || part === undefined) return null;
      const hasTier = this.#likely.knownTier(part, tier);
      if (hasTier ?? (yield* this.#likely.findTier(part, tier))) return { tier, part };
      this.#advance();
      if (passed % partsPerStep === 0) yield;
    }
  }

  #advance(): void {
    this.#taken = 0;
    if (++this.#part < this.#groups[this.#group]!.length) return;
    this.#part = 0;
    if (++this.#tier < tiers.length) return;
    this.#tier = 0;
    this.#group++;
  }
}

/** Parts without matches that are passed between two yields. */
const partsPerStep = 256;

interface Place {
  readonly tier: Tier;
  /** Number of a part. */
  readonly part: number;
}

/** Documents of a part, by their place in its chunk, with their ranks. */
export function rankedMatches(part: PartSearch, documents: Uint16Array): Match[] {
  const { index, search } = part;
  const { chunk, plan } = search;
  return chunk.texts(documents).map((text, at) => {
    const rank = rankOf(text, plan.query, plan.fulfilled, plan.tagged);
    if (rank === null)
      throw new Error(`The search index lists a record without the terms. ${repairAdvice}`);
    const nameEnd = text.indexOf(fieldSeparator);
    const name = nameEnd < 0 ? text : text.slice(0, nameEnd);
    return { index, document: part.numberOf(documents[at]!), rank, name };
  });
}

function setsOf(likely: LikelyParts, matches: readonly Match[]): ReadonlyMap<number, DocumentSet> {
  const sets = new Map<number, DocumentSet>();
  for (const [index, own] of Map.groupBy(matches, (match) => match.index)) {
    for (const [number, part] of likely.ofIndex(index)) {
      const documents = own
        .flatMap(({ document }) => part.documentOf(document) ?? [])
        .sort((a, b) => a - b);
      if (documents.length > 0) sets.set(number, setOfList(Uint16Array.from(documents)));
    }
  }
  return sets;
}
