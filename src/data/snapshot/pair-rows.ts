/** 64-bit hashes of the rows of a list. */
export class RowHashes {
  readonly low: Uint32Array;
  readonly high: Uint32Array;

  constructor(count: number) {
    this.low = new Uint32Array(count);
    this.high = new Uint32Array(count);
  }

  get count(): number {
    return this.low.length;
  }

  /** Takes the first eight bytes of a digest. */
  set(row: number, digest: Buffer): void {
    this.low[row] = digest.readUInt32LE(0);
    this.high[row] = digest.readUInt32LE(4);
  }
}

interface RowPairs {
  readonly pairs: readonly (readonly [before: number, after: number])[];
  /** Rows without a partner, in order. */
  readonly onlyBefore: readonly number[];
  readonly onlyAfter: readonly number[];
}

/**
 * Pairs each row of `after` with the first unpaired row of `before` that has an equal hash. Time and memory are linear
 * in the number of rows, even if all rows are equal. `pairs` is empty without `isPairListed`, to save memory.
 */
export function* pairRows(
  before: RowHashes,
  after: RowHashes,
  { isPairListed }: { readonly isPairListed: boolean },
): Generator<void, RowPairs> {
  const table = new HashTable(before);
  yield* inSteps(before.count, (at) => table.add(before.count - 1 - at));
  const pairs: (readonly [number, number])[] = [];
  const onlyAfter: number[] = [];
  yield* inSteps(after.count, (row) => {
    const partner = table.take(after.low[row]!, after.high[row]!);
    if (partner < 0) onlyAfter.push(row);
    else if (isPairListed) pairs.push([partner, row]);
  });
  const onlyBefore: number[] = [];
  yield* inSteps(before.count, (row) => {
    if (!table.isTaken(row)) onlyBefore.push(row);
  });
  return { pairs, onlyBefore, onlyAfter };
}

/** Rows by hash, with open addressing. The rows of one hash are a linked list, in order. */
class HashTable {
  readonly #hashes: RowHashes;
  /** First row of a slot that is not taken; `none` if all are taken. */
  readonly #slots: Int32Array;
  /** Next row with the same hash as a row. */
  readonly #next: Int32Array;
  readonly #mask: number;
  /** A row with the hash of a slot, taken or not, to compare hashes; `none` in an unused slot. */
  readonly #rowOfSlot: Int32Array;
  readonly #taken: Uint8Array;

  constructor(hashes: RowHashes) {
    const size = 1 << Math.ceil(Math.log2(Math.max(2, hashes.count * 2)));
    this.#hashes = hashes;
    this.#mask = size - 1;
    this.#slots = new Int32Array(size);
    this.#rowOfSlot = new Int32Array(size).fill(none);
    this.#next = new Int32Array(hashes.count);
    this.#taken = new Uint8Array(hashes.count);
  }

  /** Puts a row before the earlier rows of the same hash. */
  add(row: number): void {
    const slot = this.#slotOf(this.#hashes.low[row]!, this.#hashes.high[row]!);
    this.#next[row] = this.#rowOfSlot[slot] === none ? none : this.#slots[slot]!;
    this.#rowOfSlot[slot] = row;
    this.#slots[slot] = row;
  }

  /** Takes the first row of a hash that is not taken; `none` if there is none. */
  take(low: number, high: number): number {
    const slot = this.#slotOf(low, high);
    if (this.#rowOfSlot[slot] === none) return none;
    const row = this.#slots[slot]!;
    if (row === none) return none;
    this.#slots[slot] = this.#next[row]!;
    this.#taken[row] = 1;
    return row;
  }

  isTaken(row: number): boolean {
    return this.#taken[row] === 1;
  }

  #slotOf(low: number, high: number): number {
    for (let slot = low & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const row = this.#rowOfSlot[slot]!;
      if (row === none) return slot;
      if (this.#hashes.low[row] === low && this.#hashes.high[row] === high) return slot;
    }
  }
}

const none = -1;
/** Rows between two yields. */
const stepRows = 8_192;

function* inSteps(count: number, visit: (at: number) => void): Generator<void, void> {
  for (let at = 0; at < count; at++) {
    visit(at);
    if (at % stepRows === stepRows - 1) yield;
  }
}
