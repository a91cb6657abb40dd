import { repairAdvice } from '../read-fully.ts';
import type { ChunkSearch } from './chunk-search.ts';
import { emptySet, setOfList, slice, subtract, type DocumentSet } from './document-set.ts';
import { fieldSeparator } from './gram.ts';
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

/** Reads all matches in order: group by group, tier by tier, and chunk by chunk within a tier. */
export class MatchCursor {
  readonly #groups: readonly (readonly ChunkSearch[])[];
  readonly #excluded: ReadonlyMap<ChunkSearch, DocumentSet>;
  #group = 0;
  #tier = 0;
  #chunk = 0;
  /** Number of matches of the current tier and chunk that were taken. */
  #taken = 0;

  /** Leaves out the matches in `excluded`. */
  constructor(groups: readonly (readonly ChunkSearch[])[], excluded: readonly Match[] = []) {
    this.#groups = groups.filter((chunks) => chunks.length > 0);
    this.#excluded = setsOf(groups.flat(), excluded);
  }

  *take(count: number): Generator<void, Match[]> {
    const matches: Match[] = [];
    for (
      let place = this.#position();
      place !== null && matches.length < count;
      place = this.#position()
    ) {
      const left = count - matches.length;
      const set = yield* this.#set(place, this.#taken + left);
      const documents = slice(set, this.#taken, left);
      this.#taken += documents.length;
      matches.push(...rankedMatches(place.chunk, documents));
      if (documents.length < left) this.#advance();
    }
    return matches;
  }

  *skip(matches: number): Generator<void, void> {
    let left = matches;
    for (let place = this.#position(); place !== null; place = this.#position()) {
      const { count } = yield* this.#set(place, left + 1);
      if (count > left) {
        this.#taken = left;
        return;
      }
      left -= count;
      this.#advance();
    }
  }

  *#set({ chunk, tier }: Place, enough: number): Generator<void, DocumentSet> {
    const excluded = this.#excluded.get(chunk) ?? emptySet;
    return subtract(yield* chunk.tierMatches(tier, enough + excluded.count), excluded);
  }

  #position(): Place | null {
    const tier = tiers[this.#tier];
    const chunk = this.#groups[this.#group]?.[this.#chunk];
    return tier === undefined || chunk === undefined ? null : { tier, chunk };
  }

  #advance(): void {
    this.#taken = 0;
    if (++this.#chunk < this.#groups[this.#group]!.length) return;
    this.#chunk = 0;
    if (++this.#tier < tiers.length) return;
    this.#tier = 0;
    this.#group++;
  }
}

interface Place {
  readonly tier: Tier;
  readonly chunk: ChunkSearch;
}

/** Documents of a chunk with their ranks. */
export function rankedMatches(
  { index, chunk, plan }: ChunkSearch,
  documents: Uint16Array,
): Match[] {
  return chunk.texts(documents).map((text, at) => {
    const rank = rankOf(text, plan.query, plan.fulfilled, plan.tagged);
    if (rank === null)
      throw new Error(`The search index lists a record without the terms. ${repairAdvice}`);
    const nameEnd = text.indexOf(fieldSeparator);
    const name = nameEnd < 0 ? text : text.slice(0, nameEnd);
    return { index, document: chunk.base + documents[at]!, rank, name };
  });
}

function setsOf(
  chunks: readonly ChunkSearch[],
  matches: readonly Match[],
): Map<ChunkSearch, DocumentSet> {
  const sets = new Map<ChunkSearch, DocumentSet>();
  if (matches.length === 0) return sets;
  for (const search of chunks) {
    const { base, documents } = search.chunk;
    const numbers = matches
      .filter(({ index, document }) => {
        return index === search.index && document >= base && document < base + documents;
      })
      .map(({ document }) => document - base)
      .sort((a, b) => a - b);
    if (numbers.length > 0) sets.set(search, setOfList(Uint16Array.from(numbers)));
  }
  return sets;
}
