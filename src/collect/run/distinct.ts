import { hash } from 'node:crypto';
import type { Value } from '../../data/axis.ts';

/**
 * Tells records seen before, in 24 bytes a record: 128 bits of the hash of the natural key, the question it
 * came from and 32 bits of the whole record.
 *
 * What two questions answer is one record by its key: regions are asked by old codes and new. Within one
 * question only a record that is the same throughout is a repetition: two records that the source itself
 * lists under one key are both kept, since the key may be less sure than the source.
 */
export class DistinctRecords {
  #slots = new Uint32Array(slotsMin * slotWords);
  #mask = slotsMin - 1;
  #count = 0;

  /** Whether the record is new. `question` counts from 0. */
  add(key: readonly Value[], record: readonly Value[], question: number): Seen {
    const bytes = hash('md5', JSON.stringify(key), 'buffer');
    const [a, b, c, d] = [0, 4, 8, 12].map((at) => bytes.readUInt32LE(at)) as Words;
    const whole = hash('md5', JSON.stringify(record), 'buffer').readUInt32LE(0);
    const slots = this.#slots;
    let isSameKey = false;
    for (let slot = a & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot * slotWords;
      const stored = slots[at + 4]!;
      if (stored === 0) {
        slots.set([a, b, c, d, question + 1, whole], at);
        if (++this.#count * 4 > (this.#mask + 1) * 3) this.#grow();
        return isSameKey ? 'same_key' : 'new';
      }
      if (slots[at] !== a || slots[at + 1] !== b || slots[at + 2] !== c || slots[at + 3] !== d) {
        continue;
      }
      if (slots[at + 5] === whole) return 'repeated';
      if (stored !== question + 1) return 'elsewhere';
      isSameKey = true;
    }
  }

  #grow(): void {
    const old = this.#slots;
    const mask = (this.#mask + 1) * 2 - 1;
    const slots = new Uint32Array((mask + 1) * slotWords);
    for (let from = 0; from < old.length; from += slotWords) {
      if (old[from + 4] === 0) continue;
      let slot = old[from]! & mask;
      while (slots[slot * slotWords + 4] !== 0) slot = (slot + 1) & mask;
      slots.set(old.subarray(from, from + slotWords), slot * slotWords);
    }
    this.#slots = slots;
    this.#mask = mask;
  }
}

/**
 * `repeated` the same throughout, `elsewhere` the same key from another question, `same_key` another record
 * under the key, from the same question.
 */
export type Seen = 'new' | 'repeated' | 'elsewhere' | 'same_key';

type Words = [number, number, number, number];

const slotWords = 6;
/** A power of two. */
const slotsMin = 1 << 10;
