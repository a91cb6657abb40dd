import { membersOf, type DocumentSet } from '../search/document-set.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import type { GroupNumbers, Parts } from './group-keys.ts';
import { mostFrequent } from './most-frequent.ts';
import { countMembers } from './ranking.ts';

/** Groups of selected records, numbered from 0 in the order of their keys. */
export interface Groups {
  /** Parts of each group, by key. */
  readonly parts: readonly (readonly number[])[];
  /** Number of records by group. */
  readonly counts: Float64Array;
  /** True if there are more than `groupsMax`, or more than could be counted. */
  readonly isTruncated: boolean;
  /** Groups of a chunk's members; -1 for those of a group that was left out. Valid until the next call. */
  groupsOf(chunk: number, members: Uint16Array): Int32Array;
}

/** Number of groups in an answer: past it, those with the most records are kept. */
const groupsMax = 10_000;

/**
 * Divides the members of `sets` by the parts of all keys. The numbers of the parts together are the number of a
 * group; where there may be too many for an array of counts, they are counted in a hash table.
 */
export function* divideIntoGroups(
  sets: readonly DocumentSet[],
  keys: readonly Parts[],
): Generator<void, Groups> {
  const possible = keys.reduce((product, { count }) => product * count, 1);
  if (possible > Number.MAX_SAFE_INTEGER) return noGroups;
  const isDirect = possible <= directMax;
  const ids = isDirect ? new Int32Array(chunkDocumentsMax) : new Float64Array(chunkDocumentsMax);
  const table: GroupTable = isDirect ? new DirectTable(possible) : new HashTable(hashedMax);
  const isKept = isDirect && countMembers(sets) <= keptMax;
  const kept = new Map<number, Int32Array>();
  for (const [chunk, set] of sets.entries()) {
    if (set.count === 0) continue;
    const members = membersOf(set);
    fillIds(ids, keys, chunk, members);
    table.count(ids, members.length);
    if (isKept) kept.set(chunk, new Int32Array(ids.subarray(0, members.length)));
    yield;
  }
  // Without a key there is one group, even of no records.
  if (keys.length === 0 && table.counts[0] === 0) return groupOfNothing;
  const slots = yield* mostFrequent(table.counts, 0, 0, groupsMax + 1);
  const isTruncated = slots.length > groupsMax || table.isFull;
  const shown = slots.slice(0, groupsMax).sort((a, b) => table.idOf(a) - table.idOf(b));
  table.number(shown);
  for (const numbers of kept.values()) {
    table.numbers(numbers, numbers.length, numbers);
    yield;
  }
  const groups = new Int32Array(chunkDocumentsMax);
  return {
    parts: shown.map((slot) => partsOfId(table.idOf(slot), keys)),
    counts: Float64Array.from(shown, (slot) => table.counts[slot]!),
    isTruncated,
    groupsOf(chunk, members) {
      const ofChunk = kept.get(chunk);
      if (ofChunk !== undefined) return ofChunk;
      fillIds(ids, keys, chunk, members);
      table.numbers(ids, members.length, groups);
      return groups;
    },
  };
}

const groupOfNothing: Groups = {
  parts: [[]],
  counts: new Float64Array(1),
  isTruncated: false,
  groupsOf: (_, members) => new Int32Array(members.length),
};

/** Three keys whose parts have no common number: nearly every record would be a group. */
const noGroups: Groups = {
  parts: [],
  counts: new Float64Array(0),
  isTruncated: true,
  groupsOf: (_, members) => new Int32Array(members.length).fill(-1),
};

function fillIds(
  ids: GroupNumbers,
  keys: readonly Parts[],
  chunk: number,
  members: Uint16Array,
): void {
  ids.fill(0, 0, members.length);
  for (const key of keys) key.addTo(ids, chunk, members);
}

function partsOfId(id: number, keys: readonly Parts[]): number[] {
  const parts: number[] = [];
  for (const { count } of keys.toReversed()) {
    parts.unshift(id % count);
    id = Math.floor(id / count);
  }
  return parts;
}

/** Counts groups by their ids, then maps ids to the numbers of the kept groups. */
interface GroupTable {
  /** True if a group was left out for want of room. */
  readonly isFull: boolean;
  count(ids: GroupNumbers, length: number): void;
  /** Number of records by slot. */
  readonly counts: Uint32Array;
  /** Id of the group in a slot. */
  idOf(slot: number): number;
  /** Numbers the groups with these slots by their positions. */
  number(slots: readonly number[]): void;
  numbers(ids: GroupNumbers, length: number, groups: Int32Array): void;
}

class DirectTable implements GroupTable {
  readonly isFull = false;
  readonly counts: Uint32Array;
  #numbers = new Int32Array(0);

  constructor(size: number) {
    this.counts = new Uint32Array(size);
  }

  count(ids: GroupNumbers, length: number): void {
    const counts = this.counts;
    for (let at = 0; at < length; at++) counts[ids[at]!]!++;
  }

  idOf(slot: number): number {
    return slot;
  }

  number(slots: readonly number[]): void {
    this.#numbers = new Int32Array(this.counts.length).fill(-1);
    for (const [number, slot] of slots.entries()) this.#numbers[slot] = number;
  }

  numbers(ids: GroupNumbers, length: number, groups: Int32Array): void {
    const numbers = this.#numbers;
    for (let at = 0; at < length; at++) groups[at] = numbers[ids[at]!]!;
  }
}

/** Hash table with linear probing, filled to the half at most. */
class HashTable implements GroupTable {
  isFull = false;
  readonly #max: number;
  #ids: Float64Array;
  counts: Uint32Array;
  #numbers = new Int32Array(0);
  #used = 0;

  constructor(max: number) {
    this.#max = max;
    this.#ids = new Float64Array(1 << 16).fill(-1);
    this.counts = new Uint32Array(1 << 16);
  }

  count(ids: GroupNumbers, length: number): void {
    for (let at = 0; at < length; at++) {
      const slot = this.#slotOf(ids[at]!);
      if (this.#ids[slot] === -1) {
        if (this.#used === this.#max) {
          this.isFull = true;
          continue;
        }
        this.#ids[slot] = ids[at]!;
        this.#used++;
      }
      this.counts[slot]!++;
      if (this.#used * 2 > this.#ids.length) this.#double();
    }
  }

  idOf(slot: number): number {
    return this.#ids[slot]!;
  }

  number(slots: readonly number[]): void {
    this.#numbers = new Int32Array(this.#ids.length).fill(-1);
    for (const [number, slot] of slots.entries()) this.#numbers[slot] = number;
  }

  numbers(ids: GroupNumbers, length: number, groups: Int32Array): void {
    for (let at = 0; at < length; at++) groups[at] = this.#numbers[this.#slotOf(ids[at]!)]!;
  }

  /** Slot of an id, or the free one where it belongs. */
  #slotOf(id: number): number {
    const mask = this.#ids.length - 1;
    const low = (id % 0x1_0000_0000) | 0;
    const high = (id / 0x1_0000_0000) | 0;
    let slot = Math.imul(low ^ Math.imul(high, 0x9e37_79b1), 0x85eb_ca6b);
    slot = (slot ^ (slot >>> 15)) & mask;
    while (this.#ids[slot] !== id && this.#ids[slot] !== -1) slot = (slot + 1) & mask;
    return slot;
  }

  #double(): void {
    const [ids, counts] = [this.#ids, this.counts];
    this.#ids = new Float64Array(ids.length * 2).fill(-1);
    this.counts = new Uint32Array(ids.length * 2);
    for (let slot = 0; slot < ids.length; slot++) {
      if (ids[slot] === -1) continue;
      const place = this.#slotOf(ids[slot]!);
      this.#ids[place] = ids[slot]!;
      this.counts[place] = counts[slot]!;
    }
  }
}

/** Members whose groups are kept in memory between the passes over them: 8 MB. */
const keptMax = 1 << 21;
/** Possible groups for which an array of counts takes at most 16 MB. */
const directMax = 1 << 22;
/** Groups that are counted if more are possible. */
const hashedMax = 1 << 20;
