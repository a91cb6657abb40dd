/** Hashes of a page's rows in their order, two words of 32 bits a row. */
export type RowHashes = Uint32Array;

/**
 * The first page of each row, in at most 32 bytes a row. Rows are compared by 64 bits of a hash: among ten million
 * rows, two different ones collide in one of 370,000 lists.
 */
export class RowOwners {
  #slots: Uint32Array;
  #mask: number;
  #count = 0;

  /** Reserves space for a number of rows. It grows when more are added. */
  constructor(rows = 0) {
    let size = slotsMin;
    while (size * 3 < rows * 4) size *= 2;
    this.#slots = new Uint32Array(size * slotWords);
    this.#mask = size - 1;
  }

  /** Adds the rows of a page. Calls `onRow` with the first page of each row: `page` itself for a new row. */
  add(rows: RowHashes, page: number, onRow: (owner: number, isNew: boolean) => void): void {
    for (let at = 0; at < rows.length; at += 2) {
      const count = this.#count;
      onRow(this.#addRow(rows[at]!, rows[at + 1]!, page), this.#count > count);
    }
  }

  /** Adds the rows of a page. Returns the number of new ones. */
  addAll(rows: RowHashes, page: number): number {
    let added = 0;
    this.add(rows, page, (_, isNew) => {
      if (isNew) added++;
    });
    return added;
  }

  /** True if at least one of the rows was added before. */
  hasSome(rows: RowHashes): boolean {
    for (let at = 0; at < rows.length; at += 2) {
      if (this.#slots[this.#find(rows[at]!, rows[at + 1]!) + 2] !== 0) return true;
    }
    return false;
  }

  /** Returns the first page of a row; for a new row, stores and returns `page`. */
  #addRow(high: number, low: number, page: number): number {
    const at = this.#find(high, low);
    const owner = this.#slots[at + 2]!;
    if (owner !== 0) return owner - 1;
    this.#slots[at] = high;
    this.#slots[at + 1] = low;
    this.#slots[at + 2] = page + 1;
    if (++this.#count * 4 > (this.#mask + 1) * 3) this.#grow();
    return page;
  }

  /** Position of a row's slot, or of the free slot where it belongs. */
  #find(high: number, low: number): number {
    for (let slot = high & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot * slotWords;
      const isFound = this.#slots[at] === high && this.#slots[at + 1] === low;
      if (isFound || this.#slots[at + 2] === 0) return at;
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    this.#mask = this.#mask * 2 + 1;
    for (let from = 0; from < old.length; from += slotWords) {
      if (old[from + 2] === 0) continue;
      this.#slots.set(old.subarray(from, from + slotWords), this.#find(old[from]!, old[from + 1]!));
    }
  }
}

const slotWords = 3;
/** Initial number of slots, a power of two. */
const slotsMin = 1 << 6;
