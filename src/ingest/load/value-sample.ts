import type { Cell } from '../files/table.ts';

/**
 * A sample of the distinct values of a table, in bounded memory. The hash of a value decides its membership, so that
 * two samples of the same data have the same values.
 */
export class ValueSample {
  #hashes = new Set<number>();
  /** Hashes from this one on are not in the sample. */
  #bound = 2 ** 32;

  add(column: string, cell: Cell): void {
    if (cell === null) return;
    const hash = hashOf(`${column}\n${String(cell)}`);
    if (hash >= this.#bound) return;
    this.#hashes.add(hash);
    while (this.#hashes.size > sizeMax) {
      this.#bound /= 2;
      this.#hashes = this.#below(this.#bound);
    }
  }

  /** Share of the smaller table’s distinct values that the other has too, from 0 to 1. */
  shareIn(other: ValueSample): number {
    const bound = Math.min(this.#bound, other.#bound);
    const [one, two] = [this.#below(bound), other.#below(bound)];
    const smaller = Math.min(one.size, two.size);
    const common = [...one].filter((hash) => two.has(hash)).length;
    return smaller === 0 ? 0 : common / smaller;
  }

  #below(bound: number): Set<number> {
    return new Set([...this.#hashes].filter((hash) => hash < bound));
  }
}

const sizeMax = 4096;

/** FNV-1a of the UTF-16 units, with a last mix, because the sample takes the smallest hashes. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 16)) >>> 0;
}
