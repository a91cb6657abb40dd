/**
 * Which documents of one chunk have which key, while the chunk is being built.
 *
 * Per key: up to 4,096 documents as a sorted list of 16-bit numbers, more as a bitmap of 8 KiB, so that
 * a key never costs more than 8 KiB a chunk. All of them live in one pool and one hash table, which are
 * reused from chunk to chunk: building allocates nothing per record.
 */
export const chunkDocumentsMax = 65_536;
export const listMax = 4_096;
export const bitmapWords = chunkDocumentsMax / 16;

export class ChunkPostings {
  #capacity = 1 << 17;
  #mask = this.#capacity - 1;
  #slotOfBucket = new Int32Array(this.#capacity);
  #keys = 0;
  #high = new Uint32Array(this.#capacity >> 1);
  #low = new Uint32Array(this.#capacity >> 1);
  #lastDocument = new Int32Array(this.#capacity >> 1);
  #count = new Int32Array(this.#capacity >> 1);
  #start = new Int32Array(this.#capacity >> 1);
  #room = new Int32Array(this.#capacity >> 1);
  #pool = new Uint16Array(1 << 22);
  #poolUsed = 0;
  /** Starts of freed spans, by the power of two of their size. */
  readonly #free: number[][] = Array.from({ length: 13 }, () => []);

  /** The slot of a key: valid until `reset`. */
  slot(high: number, low: number): number {
    let bucket = hash(high, low) & this.#mask;
    for (;;) {
      const slot = this.#slotOfBucket[bucket]! - 1;
      if (slot < 0) return this.#insert(bucket, high, low);
      if (this.#low[slot] === low && this.#high[slot] === high) return slot;
      bucket = (bucket + 1) & this.#mask;
    }
  }

  /** Notes that `document` has the key of `slot`; documents must come in ascending order. */
  add(slot: number, document: number): void {
    if (this.#lastDocument[slot] === document) return;
    this.#lastDocument[slot] = document;
    const count = this.#count[slot]!++;
    if (count < listMax) {
      if (count === this.#room[slot]) this.#grow(slot);
      this.#pool[this.#start[slot]! + count] = document;
      return;
    }
    if (count === listMax) this.#toBitmap(slot);
    const word = this.#start[slot]! + (document >> 4);
    this.#pool[word] = this.#pool[word]! | (1 << (document & 15));
  }

  get keys(): number {
    return this.#keys;
  }

  /** Slots in the order of their keys. */
  sortedSlots(): Int32Array {
    const keys = new Float64Array(this.#keys);
    for (let slot = 0; slot < this.#keys; slot++) {
      keys[slot] = this.#high[slot]! * 0x1_0000_0000 + this.#low[slot]!;
    }
    keys.sort();
    return Int32Array.from(keys, (key) =>
      this.slot(Math.floor(key / 0x1_0000_0000), key % 0x1_0000_0000),
    );
  }

  keyHigh(slot: number): number {
    return this.#high[slot]!;
  }

  keyLow(slot: number): number {
    return this.#low[slot]!;
  }

  count(slot: number): number {
    return this.#count[slot]!;
  }

  /** The key's documents as they go into the file: a list, or a bitmap when there are more than `listMax`. */
  words(slot: number): Uint16Array {
    const start = this.#start[slot]!;
    const count = this.#count[slot]!;
    return this.#pool.subarray(start, start + (count > listMax ? bitmapWords : count));
  }

  reset(): void {
    this.#slotOfBucket.fill(0);
    this.#keys = 0;
    this.#poolUsed = 0;
    for (const spans of this.#free) spans.length = 0;
  }

  #insert(bucket: number, high: number, low: number): number {
    if (this.#keys === this.#high.length) {
      this.#doubleTable();
      return this.slot(high, low);
    }
    const slot = this.#keys++;
    this.#slotOfBucket[bucket] = slot + 1;
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#lastDocument[slot] = -1;
    this.#count[slot] = 0;
    this.#room[slot] = 0;
    return slot;
  }

  #doubleTable(): void {
    this.#capacity *= 2;
    this.#mask = this.#capacity - 1;
    this.#high = doubled(this.#high, Uint32Array);
    this.#low = doubled(this.#low, Uint32Array);
    this.#lastDocument = doubled(this.#lastDocument, Int32Array);
    this.#count = doubled(this.#count, Int32Array);
    this.#start = doubled(this.#start, Int32Array);
    this.#room = doubled(this.#room, Int32Array);
    this.#slotOfBucket = new Int32Array(this.#capacity);
    for (let slot = 0; slot < this.#keys; slot++) {
      let bucket = hash(this.#high[slot]!, this.#low[slot]!) & this.#mask;
      while (this.#slotOfBucket[bucket] !== 0) bucket = (bucket + 1) & this.#mask;
      this.#slotOfBucket[bucket] = slot + 1;
    }
  }

  #grow(slot: number): void {
    const room = this.#room[slot]!;
    const wider = room === 0 ? 2 : room * 2;
    const from = this.#start[slot]!;
    const to = this.#span(wider);
    this.#pool.copyWithin(to, from, from + room);
    if (room > 0) this.#free[Math.log2(room)]!.push(from);
    this.#start[slot] = to;
    this.#room[slot] = wider;
  }

  #toBitmap(slot: number): void {
    const from = this.#start[slot]!;
    const list = this.#pool.slice(from, from + listMax);
    if (this.#room[slot]! < bitmapWords) throw new Error('A list is as long as a bitmap is wide.');
    this.#pool.fill(0, from, from + bitmapWords);
    for (const document of list) {
      const word = from + (document >> 4);
      this.#pool[word] = this.#pool[word]! | (1 << (document & 15));
    }
  }

  /** The start of a span of `size` units, a power of two: a freed one, or new room at the end. */
  #span(size: number): number {
    const freed = this.#free[Math.log2(size)]!.pop();
    if (freed !== undefined) return freed;
    const start = this.#poolUsed;
    this.#poolUsed += size;
    while (this.#poolUsed > this.#pool.length) this.#pool = doubled(this.#pool, Uint16Array);
    return start;
  }
}

function hash(high: number, low: number): number {
  const mixed = Math.imul(high ^ Math.imul(low, 0x9e37_79b1), 0x85eb_ca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

function doubled<T extends Uint32Array | Int32Array | Uint16Array>(
  array: T,
  Type: new (length: number) => T,
): T {
  const wider = new Type(array.length * 2);
  wider.set(array);
  return wider;
}
