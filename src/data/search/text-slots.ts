import type { SearchColumn } from './chunk-texts.ts';

/**
 * Caches the slots of the texts that recur in a chunk, such as a province, because looking up the keys of a text costs
 * more than adding a document to them. When the buffer is full, the cache is cleared.
 */
export class TextSlots {
  /** Number of slots of the text that was found last. */
  length = 0;
  slots = new Int32Array(1 << 12);
  #used = 0;
  /** By column and number of a text: start of its slots, after their count; 0 if they are not cached. */
  readonly #starts: readonly Int32Array[];
  /** By column and number of a text: 1 if the text recurs. */
  readonly #recurs: readonly Uint8Array[];

  /** Caches for the documents `from` to `to - 1` of the columns, which are in one chunk. */
  constructor(columns: readonly SearchColumn[], from: number, to: number) {
    this.#starts = columns.map(({ texts }) => new Int32Array(texts.length));
    this.#recurs = columns.map((column) => recurring(column, from, to));
  }

  /** Returns the start of the slots of a text and sets `length`; negative if they are not cached. */
  find(column: number, number: number): number {
    const start = this.#starts[column]![number]!;
    if (start === 0) return -1;
    this.length = this.slots[start - 1]!;
    return start;
  }

  /** Stores the first `count` slots for a text if it recurs. */
  store(column: number, number: number, slots: Int32Array, count: number): void {
    if (this.#recurs[column]![number] === 0) return;
    if (this.#used + count + 1 > this.slots.length && !this.#makeRoom(count + 1)) return;
    const head = this.#used++;
    for (let at = 0; at < count; at++) this.slots[this.#used++] = slots[at]!;
    this.slots[head] = count;
    this.#starts[column]![number] = head + 1;
  }

  /** Makes room for `count` slots. False if they exceed the limit of the buffer. */
  #makeRoom(count: number): boolean {
    if (count > slotsMax) return false;
    if (this.#used + count > slotsMax) {
      for (const starts of this.#starts) starts.fill(0);
      this.#used = 0;
    }
    let { length } = this.slots;
    while (this.#used + count > length) length *= 2;
    if (length > this.slots.length) {
      const wider = new Int32Array(length);
      wider.set(this.slots.subarray(0, this.#used));
      this.slots = wider;
    }
    return true;
  }
}

/** Limit on slots in the buffer: 4 MB. */
const slotsMax = 1 << 20;

function recurring({ texts, textNumbers }: SearchColumn, from: number, to: number): Uint8Array {
  const seen = new Uint8Array(texts.length);
  const recurs = new Uint8Array(texts.length);
  for (let at = from; at < to; at++) {
    const number = textNumbers[at]!;
    recurs[number] = seen[number]!;
    seen[number] = 1;
  }
  return recurs;
}
