import type { GramKey } from './gram.ts';

/**
 * A Bloom filter of the keys of a chunk: a byte for each key instead of the ten of the dictionary. It has every key, and
 * one in forty of all others. So a rare word needs the dictionaries of few chunks.
 */
export class KeyFilter {
  readonly words: Uint32Array;

  /** Bytes of the filter of a number of keys. */
  static bytesFor(keys: number): number {
    return Math.ceil((keys + 1) / 4) * 4;
  }

  constructor(words: Uint32Array) {
    this.words = words;
  }

  add(high: number, low: number): void {
    for (let seed = 0; seed < hashes; seed++) {
      const bit = this.#bit(high, low, seed);
      this.words[bit >>> 5]! |= 1 << (bit & 31);
    }
  }

  mayHave({ high, low }: GramKey): boolean {
    for (let seed = 0; seed < hashes; seed++) {
      const bit = this.#bit(high, low, seed);
      if (((this.words[bit >>> 5]! >>> (bit & 31)) & 1) === 0) return false;
    }
    return true;
  }

  #bit(high: number, low: number, seed: number): number {
    let hash = Math.imul(high ^ seeds[seed]!, 0x9e37_79b1) ^ Math.imul(low, 0x85eb_ca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
    hash = Math.imul(hash ^ (hash >>> 12), 0x297a_2d39);
    return ((hash ^ (hash >>> 15)) >>> 0) % (this.words.length * 32);
  }
}

const seeds = [0x1234_5678, 0x0bad_cafe, 0x5bd1_e995];
const hashes = seeds.length;
