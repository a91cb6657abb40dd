/**
 * Checks that all values are different. It stores 53-bit hashes in slots of eight bytes, at least half of them free.
 * Among two million values, the chance of a false repetition is one in four thousand. A repetition is never missed.
 */
export class UniqueWatch {
  #slots = new Float64Array(1 << 15);
  #count = 0;
  #isUnique = true;

  get isUnique(): boolean {
    return this.#isUnique;
  }

  add(text: string): void {
    if (!this.#isUnique) return;
    const hash = hashOf(text);
    if (!insert(this.#slots, hash)) return this.#stop();
    this.#count++;
    if (this.#count * 2 < this.#slots.length) return;
    if (this.#count >= uniqueValuesMax) return this.#stop();
    const larger = new Float64Array(this.#slots.length * 2);
    for (const slot of this.#slots) if (slot !== 0) insert(larger, slot);
    this.#slots = larger;
  }

  #stop(): void {
    this.#isUnique = false;
    this.#slots = new Float64Array(0);
  }
}

/** With more values, uniqueness counts as unproven. */
const uniqueValuesMax = 1 << 21;

function insert(slots: Float64Array, hash: number): boolean {
  const mask = slots.length - 1;
  for (let position = hash % slots.length; ; position = (position + 1) & mask) {
    const slot = slots[position];
    if (slot === 0) {
      slots[position] = hash;
      return true;
    }
    if (slot === hash) return false;
  }
}

/** Two multiplicative hashes joined to 53 bits; never 0, which marks an empty slot. */
function hashOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0) + 1;
}
