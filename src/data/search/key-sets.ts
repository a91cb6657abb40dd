import type { DocumentSet } from './document-set.ts';
import type { GramKey } from './gram.ts';
import type { SearchChunk } from './index-file.ts';

/** The documents of the keys of a query in a chunk, each read once: several tiers and plans have the same keys. */
export class KeySets {
  readonly #chunk: SearchChunk;
  readonly #sets = new Map<number, DocumentSet>();

  constructor(chunk: SearchChunk) {
    this.#chunk = chunk;
  }

  setOf(key: GramKey): DocumentSet {
    // A key has 52 bits at most, so one number has it exactly.
    const number = key.high * 0x1_0000_0000 + key.low;
    let set = this.#sets.get(number);
    if (set === undefined) this.#sets.set(number, (set = this.#chunk.setOf(key)));
    return set;
  }
}
