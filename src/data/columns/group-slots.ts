import type { Parts } from './group-keys.ts';
import { runWithoutInlining } from './run-without-inlining.ts';

/**
 * Slots of the groups that occur. The parts of all keys together make the id of a possible group. If few groups are
 * possible, the slot of a group is its id; else a hash table gives out slots in the order in which groups occur.
 */
export interface GroupSlots {
  /** Number of slots; also the slot of a member whose group has none. */
  readonly count: number;
  /** Slots from this one on have no group yet. */
  readonly used: number;
  /** True if a group has no slot, because all were used. */
  readonly isFull: boolean;
  /** Slot of each of a chunk's members; valid until the next call. */
  slotsOf(chunk: number, members: Uint16Array): Int32Array;
  /** Part of each key in the group of a slot. */
  partsOf(slot: number): number[];
}

/** Creates the slots for groups by at most three keys, of which `possible` are possible. */
export function groupSlots(keys: readonly Parts[], possible: number): GroupSlots {
  if (possible <= directMax) return new DirectSlots(keys, possible);
  return possible <= Number.MAX_SAFE_INTEGER ? new HashedSlots(keys) : new PairedSlots(keys);
}

class DirectSlots implements GroupSlots {
  readonly count: number;
  readonly used: number;
  readonly isFull = false;
  readonly #keys: readonly Parts[];
  #slots = new Int32Array(0);

  constructor(keys: readonly Parts[], possible: number) {
    this.#keys = keys;
    this.count = possible;
    this.used = possible;
  }

  slotsOf(chunk: number, members: Uint16Array): Int32Array {
    if (this.#slots.length < members.length) this.#slots = new Int32Array(roomFor(members.length));
    const slots = this.#slots;
    slots.fill(0, 0, members.length);
    for (const key of this.#keys) {
      const { numbers, base } = key.read(chunk, members);
      runWithoutInlining(appendParts, slots, members.length, key.count, numbers, base);
    }
    return slots;
  }

  partsOf(slot: number): number[] {
    return partsOfId(slot, this.#keys);
  }
}

/** The next power of two, so that an array that grows from chunk to chunk is rarely replaced. */
function roomFor(members: number): number {
  return 1 << (32 - Math.clz32(members - 1));
}

function appendParts(
  slots: Int32Array,
  length: number,
  count: number,
  numbers: Uint32Array,
  base: number,
): void {
  for (let at = 0; at < length; at++) {
    slots[at] = (Math.imul(slots[at]!, count) + numbers[at]! + base) | 0;
  }
}

function appendToIds(
  ids: Float64Array,
  length: number,
  count: number,
  numbers: Uint32Array,
  base: number,
): void {
  for (let at = 0; at < length; at++) ids[at] = ids[at]! * count + numbers[at]! + base;
}

function partsOfId(id: number, keys: readonly Parts[]): number[] {
  const parts: number[] = [];
  for (const { count } of keys.toReversed()) {
    parts.unshift(id % count);
    id = Math.floor(id / count);
  }
  return parts;
}

/** Hash table with linear probing, at most half full. */
class HashedSlots implements GroupSlots {
  readonly count = hashedMax;
  used = 0;
  isFull = false;
  readonly #keys: readonly Parts[];
  #ids = new Float64Array(0);
  #slots = new Int32Array(0);
  /** Id by slot. */
  readonly #idOfSlot = new Float64Array(hashedMax);
  /** Slot by hash, -1 in a free bucket. */
  #buckets = new Int32Array(1 << 16).fill(-1);

  constructor(keys: readonly Parts[]) {
    this.#keys = keys;
  }

  slotsOf(chunk: number, members: Uint16Array): Int32Array {
    if (this.#ids.length < members.length) {
      this.#ids = new Float64Array(roomFor(members.length));
      this.#slots = new Int32Array(roomFor(members.length));
    }
    const ids = this.#ids.fill(0, 0, members.length);
    for (const key of this.#keys) {
      const { numbers, base } = key.read(chunk, members);
      runWithoutInlining(appendToIds, ids, members.length, key.count, numbers, base);
    }
    for (let at = 0; at < members.length; at++) this.#slots[at] = this.#slotOf(ids[at]!);
    return this.#slots;
  }

  partsOf(slot: number): number[] {
    return partsOfId(this.#idOfSlot[slot]!, this.#keys);
  }

  #slotOf(id: number): number {
    const bucket = this.#bucketOf(id);
    const slot = this.#buckets[bucket]!;
    if (slot >= 0) return slot;
    if (this.used === hashedMax) {
      this.isFull = true;
      return hashedMax;
    }
    this.#idOfSlot[this.used] = id;
    this.#buckets[bucket] = this.used;
    const added = this.used++;
    if (this.used * 2 > this.#buckets.length) this.#double();
    return added;
  }

  /** Bucket of an id, or the free one where it belongs. */
  #bucketOf(id: number): number {
    const mask = this.#buckets.length - 1;
    const high = Math.floor(id / 0x1_0000_0000);
    const low = (id - high * 0x1_0000_0000) | 0;
    let bucket = Math.imul(low ^ Math.imul(high, 0x9e37_79b1), 0x85eb_ca6b);
    bucket = (bucket ^ (bucket >>> 15)) & mask;
    for (;;) {
      const slot = this.#buckets[bucket]!;
      if (slot < 0 || this.#idOfSlot[slot] === id) return bucket;
      bucket = (bucket + 1) & mask;
    }
  }

  #double(): void {
    this.#buckets = new Int32Array(this.#buckets.length * 2).fill(-1);
    for (let slot = 0; slot < this.used; slot++) {
      this.#buckets[this.#bucketOf(this.#idOfSlot[slot]!)] = slot;
    }
  }
}

/**
 * Slots for three keys with more possible groups than ids. The pairs that occur of the first two keys are numbered, and
 * these numbers are one key.
 */
class PairedSlots implements GroupSlots {
  readonly count = hashedMax;
  readonly #pairs: HashedSlots;
  readonly #groups: HashedSlots;
  #pairSlots: Int32Array = new Int32Array(0);

  constructor(keys: readonly Parts[]) {
    this.#pairs = new HashedSlots(keys.slice(0, 2));
    const pairKey: Parts = {
      count: hashedMax + 1,
      read: (chunk, members) => {
        const slots = (this.#pairSlots = this.#pairs.slotsOf(chunk, members));
        return { numbers: new Uint32Array(slots.buffer, slots.byteOffset, slots.length), base: 0 };
      },
      valueOf: () => null,
    };
    this.#groups = new HashedSlots([pairKey, ...keys.slice(2)]);
  }

  get used(): number {
    return this.#groups.used;
  }

  get isFull(): boolean {
    return this.#pairs.isFull || this.#groups.isFull;
  }

  slotsOf(chunk: number, members: Uint16Array): Int32Array {
    const slots = this.#groups.slotsOf(chunk, members);
    for (let at = 0; at < members.length; at++) {
      if (this.#pairSlots[at] === hashedMax) slots[at] = hashedMax;
    }
    return slots;
  }

  partsOf(slot: number): number[] {
    const [pair, ...parts] = this.#groups.partsOf(slot);
    return [...this.#pairs.partsOf(pair!), ...parts];
  }
}

/** Limit on possible groups for direct slots: an array with a number for each slot takes at most 2 MB. */
const directMax = 1 << 18;
/** Slots of the hash table. */
const hashedMax = 1 << 20;
