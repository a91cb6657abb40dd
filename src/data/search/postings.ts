/** Documents of a chunk: as many as 16 bits can number. */
export const chunkDocumentsMax = 65_536;
/** Documents of a key in a list; more are a bitmap, which is then smaller. */
export const listMax = 4_096;
/** 16-bit words of a bitmap. */
export const bitmapWords = chunkDocumentsMax / 16;
/** Bytes that the documents of a key take at most. */
export const postingBytesMax = bitmapWords * 2;

/**
 * Collects the documents of each key while a chunk is being built.
 *
 * Up to 4,096 documents of a key are a sorted list of 16-bit numbers, more are a bitmap, so a key never takes more than 8
 * KiB. One pool and one hash table serve all keys and all chunks: building allocates nothing for each record. Both start
 * small and double, so that an axis of a hundred records does not clear ten megabytes.
 */
export class ChunkPostings {
  #capacity = 1 << 11;
  #mask = this.#capacity - 1;
  #slotOfBucket = new Int32Array(this.#capacity);
  #keys = 0;
  /** Two numbers for each slot: `high` and `low`. */
  #keyWords = new Uint32Array(this.#capacity);
  /** Four numbers for each slot, side by side: in arrays of their own, each would cost a cache miss. */
  #lists = new Int32Array(this.#capacity * 2);
  #pool = new Uint16Array(1 << 13);
  #poolUsed = 0;
  /** Starts of freed spans, by the power of two of their size. */
  readonly #free: number[][] = Array.from({ length: 13 }, () => []);

  /** The slot of a key: valid until `reset`. */
  slot(high: number, low: number): number {
    let bucket = hash(high, low) & this.#mask;
    for (;;) {
      const slot = this.#slotOfBucket[bucket]! - 1;
      if (slot < 0) return this.#insert(bucket, high, low);
      if (this.#keyWords[slot * 2 + 1] === low && this.#keyWords[slot * 2] === high) return slot;
      bucket = (bucket + 1) & this.#mask;
    }
  }

  /** Adds `document` to the key of `slot`; documents must be added in ascending order. */
  add(slot: number, document: number): void {
    const lists = this.#lists;
    const at = slot * listWords;
    if (lists[at + last] === document) return;
    lists[at + last] = document;
    const length = lists[at + count]!++;
    if (length < listMax) {
      if (length === lists[at + room]) this.#grow(at);
      this.#pool[lists[at + start]! + length] = document;
      return;
    }
    if (length === listMax) this.#toBitmap(at);
    const word = lists[at + start]! + (document >> 4);
    this.#pool[word] = this.#pool[word]! | (1 << (document & 15));
  }

  get keys(): number {
    return this.#keys;
  }

  /** Slots in the order of their keys. */
  sortedSlots(): Int32Array {
    const keys = new Float64Array(this.#keys);
    for (let slot = 0; slot < this.#keys; slot++) {
      keys[slot] = this.keyHigh(slot) * 0x1_0000_0000 + this.keyLow(slot);
    }
    keys.sort();
    return Int32Array.from(keys, (key) =>
      this.slot(Math.floor(key / 0x1_0000_0000), key % 0x1_0000_0000),
    );
  }

  keyHigh(slot: number): number {
    return this.#keyWords[slot * 2]!;
  }

  keyLow(slot: number): number {
    return this.#keyWords[slot * 2 + 1]!;
  }

  count(slot: number): number {
    return this.#lists[slot * listWords + count]!;
  }

  /** The documents of a key as the file has them: a list, or a bitmap if there are more than `listMax`. */
  words(slot: number): Uint16Array {
    const from = this.#lists[slot * listWords + start]!;
    const length = this.count(slot);
    return this.#pool.subarray(from, from + (length > listMax ? bitmapWords : length));
  }

  reset(): void {
    this.#slotOfBucket.fill(0);
    this.#keys = 0;
    this.#poolUsed = 0;
    for (const spans of this.#free) spans.length = 0;
  }

  #insert(bucket: number, high: number, low: number): number {
    if (this.#keys * 2 === this.#keyWords.length) {
      this.#doubleTable();
      return this.slot(high, low);
    }
    const slot = this.#keys++;
    this.#slotOfBucket[bucket] = slot + 1;
    this.#keyWords[slot * 2] = high;
    this.#keyWords[slot * 2 + 1] = low;
    this.#lists[slot * listWords + last] = -1;
    this.#lists[slot * listWords + count] = 0;
    this.#lists[slot * listWords + room] = 0;
    return slot;
  }

  #doubleTable(): void {
    this.#capacity *= 2;
    this.#mask = this.#capacity - 1;
    this.#keyWords = doubled(this.#keyWords, Uint32Array);
    this.#lists = doubled(this.#lists, Int32Array);
    this.#slotOfBucket = new Int32Array(this.#capacity);
    for (let slot = 0; slot < this.#keys; slot++) {
      let bucket = hash(this.keyHigh(slot), this.keyLow(slot)) & this.#mask;
      while (this.#slotOfBucket[bucket] !== 0) bucket = (bucket + 1) & this.#mask;
      this.#slotOfBucket[bucket] = slot + 1;
    }
  }

  /** Doubles the room of a list; `at` is where the numbers of its slot begin. */
  #grow(at: number): void {
    const size = this.#lists[at + room]!;
    const newSize = size === 0 ? 2 : size * 2;
    const from = this.#lists[at + start]!;
    const to = this.#allocate(newSize);
    this.#pool.copyWithin(to, from, from + size);
    if (size > 0) this.#freed(size).push(from);
    this.#lists[at + start] = to;
    this.#lists[at + room] = newSize;
  }

  #toBitmap(at: number): void {
    const from = this.#lists[at + start]!;
    const list = this.#pool.slice(from, from + listMax);
    if (this.#lists[at + room]! < bitmapWords) {
      throw new Error('The room of a full list must be that of a bitmap.');
    }
    this.#pool.fill(0, from, from + bitmapWords);
    for (const document of list) {
      const word = from + (document >> 4);
      this.#pool[word] = this.#pool[word]! | (1 << (document & 15));
    }
  }

  /** Starts of freed spans of a size, which is a power of two. */
  #freed(size: number): number[] {
    return this.#free[31 - Math.clz32(size)]!;
  }

  /** Returns the start of `size` free units, a power of two: a freed span, or new room at the end. */
  #allocate(size: number): number {
    const freed = this.#freed(size).pop();
    if (freed !== undefined) return freed;
    const start = this.#poolUsed;
    this.#poolUsed += size;
    while (this.#poolUsed > this.#pool.length) this.#pool = doubled(this.#pool, Uint16Array);
    return start;
  }
}

/** The numbers of a slot: its last document, their count, their start in the pool, and their room there. */
const listWords = 4;
const [last, count, start, room] = [0, 1, 2, 3] as const;

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
