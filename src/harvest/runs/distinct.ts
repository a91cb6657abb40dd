import { hash64, type HashWords } from './text-hash.ts';

/**
 * Recognises repeated records, with 16 bytes a record: 64 bits of a hash of the key, the number of its request
 * and 32 bits of a hash of the whole record.
 *
 * Between requests, an equal key means the same record, since regions are requested by former and current codes.
 * Within a request, only an equal record is a repetition: if the source lists two records under one key, both are
 * stored.
 */
export class DistinctRecords {
  #slots = new Uint32Array(slotsMin * slotWords);
  #mask = slotsMin - 1;
  #count = 0;
  readonly #words: HashWords = [0, 0];

  /** Adds a record, given by its key and as a whole, each as one text. `request` counts from 0. */
  add(key: string, record: string, request: number): Repetition {
    const [whole] = hash64(record, this.#words);
    const [a, b] = hash64(key, this.#words);
    const slots = this.#slots;
    let isSameKey = false;
    for (let slot = a & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot * slotWords;
      const stored = slots[at + 2]!;
      if (stored === 0) {
        slots[at] = a;
        slots[at + 1] = b;
        slots[at + 2] = request + 1;
        slots[at + 3] = whole;
        if (++this.#count * 4 > (this.#mask + 1) * 3) this.#grow();
        return isSameKey ? 'same_key' : 'new';
      }
      if (slots[at] !== a || slots[at + 1] !== b) continue;
      if (slots[at + 3] === whole) return 'repeated';
      if (stored !== request + 1) return 'other_request';
      isSameKey = true;
    }
  }

  #grow(): void {
    const old = this.#slots;
    const mask = (this.#mask + 1) * 2 - 1;
    const slots = new Uint32Array((mask + 1) * slotWords);
    for (let from = 0; from < old.length; from += slotWords) {
      if (old[from + 2] === 0) continue;
      let slot = old[from]! & mask;
      while (slots[slot * slotWords + 2] !== 0) slot = (slot + 1) & mask;
      slots.set(old.subarray(from, from + slotWords), slot * slotWords);
    }
    this.#slots = slots;
    this.#mask = mask;
  }
}

/**
 * Relation of a record to earlier ones. `repeated`: an equal record. `other_request`: its key was in another request.
 * `same_key`: its key was in the same request, with other values.
 */
type Repetition = 'new' | 'repeated' | 'other_request' | 'same_key';

const slotWords = 4;
/** Initial number of slots, a power of two. */
const slotsMin = 1 << 10;
