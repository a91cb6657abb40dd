import { ChunkSearch, lacksMatches, type Plan } from './chunk-search.ts';
import { PartSearch, type ChunkPart } from './part-search.ts';
import { countByPart } from './parts-with.ts';
import type { SearchedIndexes } from './searched-indexes.ts';
import type { Tier } from './rank.ts';

/**
 * The parts that may have matches of a query, by their numbers: all but those of shared chunks whose keys show no match.
 * A common word has a hundred thousand parts, so a part is an object only once its documents are read.
 */
export class LikelyParts {
  /** In ascending order, which is that of the indexes. */
  readonly numbers: Int32Array;
  readonly #searched: SearchedIndexes;
  readonly #groups: readonly PartGroup[];
  /** Position of the group of each part, plus one; 0 if the part has no candidates. */
  readonly #groupOfPart: Uint32Array;
  /** Position of each part in its group. */
  readonly #places: Uint32Array;
  /** Candidates of each part of a shared chunk. */
  readonly #candidates: Uint32Array;
  /** By tier and number of a part: 0 until it is known if the part has candidates of the tier. */
  readonly #marks: (Uint8Array | undefined)[] = [];
  readonly #parts = new Map<number, PartSearch>();

  static *find(
    searched: SearchedIndexes,
    planOf: (fulfilled: number) => Plan,
  ): Generator<void, LikelyParts> {
    const groups: PartGroup[] = [];
    for (const [at, { chunk, parts }] of searched.chunks.entries()) {
      const numbers = searched.order.ofChunk(at);
      let search: ChunkSearch | undefined;
      for (const [fulfilled, group] of groupsOf(parts, numbers, searched.fulfilled)) {
        const plan = planOf(fulfilled);
        const isShared = parts.length > 1;
        if (isShared && lacksMatches(chunk, plan)) continue;
        search = new ChunkSearch(chunk, plan, search);
        if (isShared) yield* search.prepare();
        groups.push({ search, isShared, ...group });
      }
      if (parts.length > 1) yield;
    }
    return new LikelyParts(searched, groups);
  }

  private constructor(searched: SearchedIndexes, groups: readonly PartGroup[]) {
    const { length } = searched.order.indexes;
    this.#searched = searched;
    this.#groups = groups;
    this.#groupOfPart = new Uint32Array(length);
    this.#places = new Uint32Array(length);
    this.#candidates = new Uint32Array(length);
    let likely = 0;
    for (const [position, { search, isShared, parts, numbers }] of groups.entries()) {
      const counts = isShared ? countByPart(search.allCandidates(), parts) : null;
      for (let at = 0; at < numbers.length; at++) {
        const count = counts?.[at] ?? 0;
        if (isShared && count === 0) continue;
        this.#candidates[numbers[at]!] = count;
        this.#groupOfPart[numbers[at]!] = position + 1;
        this.#places[numbers[at]!] = at;
        likely++;
      }
    }
    this.numbers = new Int32Array(likely);
    let used = 0;
    for (let part = 0; part < length; part++)
      if (this.#groupOfPart[part] !== 0) this.numbers[used++] = part;
  }

  /** Estimated bytes in memory. */
  get bytes(): number {
    let sum = this.numbers.byteLength + 3 * this.#groupOfPart.byteLength;
    for (const marks of this.#marks) sum += marks?.byteLength ?? 0;
    for (const { search, numbers } of this.#groups)
      sum += search.bytes + numbers.length * numberedBytes;
    for (const part of this.#parts.values()) sum += part.bytes;
    return sum;
  }

  indexOf(part: number): number {
    return this.#searched.order.indexes[part]!;
  }

  /** Number of matches of a part; null if texts must be read, or keys of a chunk that is not shared. */
  countNow(part: number): number | null {
    const { isShared, search } = this.#groupOf(part);
    return isShared && search.needles.length === 0 ? this.#candidates[part]! : null;
  }

  /** The search of a part. */
  at(part: number): PartSearch {
    let search = this.#parts.get(part);
    if (search === undefined) {
      const group = this.#groupOf(part);
      search = new PartSearch(group.search, group.parts[this.#places[part]!]!);
      this.#parts.set(part, search);
    }
    return search;
  }

  /** Searches of the parts of an index. */
  ofIndex(index: number): (readonly [number, PartSearch])[] {
    const [first, end] = this.#searched.order.ofIndex(index);
    return Array.from({ length: end - first }, (_, at) => first + at)
      .filter((part) => this.#groupOfPart[part] !== 0)
      .map((part) => [part, this.at(part)] as const);
  }

  /** True if a part has candidates of a tier; null if that is not known yet. */
  knownTier(part: number, tier: Tier): boolean | null {
    const mark = this.#marks[tier]?.[part] ?? unknownTier;
    return mark === unknownTier ? null : mark === hasTier;
  }

  /** True if a part has candidates of a tier. Finds it out for all parts of the chunk. */
  *findTier(part: number, tier: Tier): Generator<void, boolean> {
    const marks = (this.#marks[tier] ??= new Uint8Array(this.#groupOfPart.length));
    const { search, isShared, parts, numbers } = this.#groupOf(part);
    yield* search.prepareTiers();
    const set = search.tierSet(tier);
    const counts = isShared ? countByPart(set, parts) : [set.count];
    for (let at = 0; at < numbers.length; at++)
      marks[numbers[at]!] = counts[at] === 0 ? lacksTier : hasTier;
    return marks[part] === hasTier;
  }

  #groupOf(part: number): PartGroup {
    return this.#groups[this.#groupOfPart[part]! - 1]!;
  }
}

/** Bytes of a part in the lists of its group. */
const numberedBytes = 16;

const unknownTier = 0;
const lacksTier = 1;
const hasTier = 2;

/** Parts of a chunk for which a query has the same plan. */
interface PartGroup extends NumberedParts {
  readonly search: ChunkSearch;
  /** True if the chunk has several parts. */
  readonly isShared: boolean;
}

interface NumberedParts {
  /** In the order of their documents. */
  readonly parts: readonly ChunkPart[];
  readonly numbers: Int32Array | readonly number[];
}

/** Parts of a chunk by the terms that are topics of their datasets. */
function groupsOf(
  parts: readonly ChunkPart[],
  numbers: Int32Array,
  fulfilled: SearchedIndexes['fulfilled'],
): Iterable<[number, NumberedParts]> {
  if (fulfilled === null) return [[0, { parts, numbers }]];
  const [first] = parts;
  if (parts.every(({ index }) => fulfilled[index] === fulfilled[first!.index]))
    return [[fulfilled[first!.index]!, { parts, numbers }]];
  const groups = new Map<number, { readonly parts: ChunkPart[]; readonly numbers: number[] }>();
  for (let at = 0; at < parts.length; at++) {
    const bits = fulfilled[parts[at]!.index]!;
    let group = groups.get(bits);
    if (group === undefined) groups.set(bits, (group = { parts: [], numbers: [] }));
    group.parts.push(parts[at]!);
    group.numbers.push(numbers[at]!);
  }
  return groups;
}
