import type { PresentValue } from './typed-value.ts';

/**
 * Gives each distinct value a number from 1 on, in the order of first occurrence. This hash table takes half the time of
 * a `Map` and gives the garbage collector only the values to trace. Lone surrogates are replaced: UTF-8 has none.
 */
export class ValueNumbers {
  #values: PresentValue[] = [];
  /** Numbers by hash, 0 in a free bucket; at most half are used. */
  #buckets = new Uint32Array(bucketsMin);
  /** Hashes of the values. */
  #hashes = new Int32Array(bucketsMin / 2);

  /** Distinct values; the first has number 1. */
  get values(): readonly PresentValue[] {
    return this.#values;
  }

  /** Number of a value, a new one if it has none. */
  numberOf(value: PresentValue): number {
    const hash = hashOf(value);
    const buckets = this.#buckets;
    const mask = buckets.length - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const number = buckets[at]!;
      if (number === 0) return this.#enter(value, hash, at);
      if (this.#hashes[number - 1] === hash && this.#values[number - 1] === value) return number;
    }
  }

  clear(): void {
    this.#values = [];
    this.#buckets.fill(0);
  }

  #enter(value: PresentValue, hash: number, bucket: number): number {
    if (typeof value === 'string' && !value.isWellFormed()) {
      return this.numberOf(value.toWellFormed());
    }
    const number = this.#values.push(typeof value === 'string' ? copyOfText(value) : value);
    this.#hashes[number - 1] = hash;
    this.#buckets[bucket] = number;
    if (number === this.#hashes.length) this.#grow();
    return number;
  }

  #grow(): void {
    const hashes = new Int32Array(this.#hashes.length * 2);
    hashes.set(this.#hashes);
    const buckets = new Uint32Array(this.#buckets.length * 2);
    const mask = buckets.length - 1;
    for (let number = 1; number <= this.#values.length; number++) {
      let at = hashes[number - 1]! & mask;
      while (buckets[at] !== 0) at = (at + 1) & mask;
      buckets[at] = number;
    }
    this.#hashes = hashes;
    this.#buckets = buckets;
  }
}

/** Copies a text that was cut out of a longer one, which V8 would otherwise keep in memory. */
function copyOfText(text: string): string {
  return text.length < viewLengthMin ? text : ` ${text}`.slice(1);
}

/** V8 copies shorter cuts itself. */
const viewLengthMin = 13;
const bucketsMin = 128;
/** Random, so that no file can be written whose values collide. */
const seed = Math.floor(Math.random() * 0x1_0000_0000);

function hashOf(value: PresentValue): number {
  let hash = seed;
  if (typeof value === 'string') {
    for (let at = 0; at < value.length; at++)
      hash = Math.imul(hash ^ value.charCodeAt(at), 0x0100_0193);
  } else {
    const number = Number(value);
    hash = Math.imul(hash ^ number, 0x0100_0193) ^ (number * 0x1_0000);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  return hash ^ (hash >>> 13);
}
