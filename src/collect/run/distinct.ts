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
  readonly #words: Words = [0, 0, 0, 0];
  readonly #recordWords: Words = [0, 0, 0, 0];

  /** Whether the record is new. `question` counts from 0. */
  add(key: readonly Value[], record: readonly Value[], question: number): Seen {
    const [a, b, c, d] = hash128(textOf(key), this.#words);
    const whole = hash128(textOf(record), this.#recordWords)[0];
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

/** Texts and numbers stay apart: `1` is not `"1"`. */
function textOf(cells: readonly Value[]): string {
  let text = '';
  for (const cell of cells) {
    text += typeof cell === 'string' ? `"${cell}\u0001` : `${cell}\u0001`;
  }
  return text;
}

/**
 * Four lanes of multiply and rotate over UTF-16 units, mixed at the end as MurmurHash3 does: many times
 * faster than a cryptographic hash on texts as short as a key, and nobody gains by a collision.
 */
function hash128(text: string, words: Words): Words {
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0xdeadbeef];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = b ^ Math.imul(a ^ unit, 0x238f13a5);
    b = c ^ Math.imul(b ^ unit, 0xb3616b91);
    c = d ^ Math.imul(c ^ unit, 0x38b34ae5);
    d = a ^ Math.imul(d ^ unit, 0xa1e38b93);
  }
  words[0] = mixed(c ^ (a >>> 18), text.length);
  words[1] = mixed(d ^ (b >>> 22), words[0]);
  words[2] = mixed(a ^ (c >>> 17), words[1]);
  words[3] = mixed(b ^ (d >>> 19), words[2]);
  return words;
}

function mixed(word: number, other: number): number {
  let mix = word ^ other;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}

const slotWords = 6;
/** A power of two. */
const slotsMin = 1 << 10;
