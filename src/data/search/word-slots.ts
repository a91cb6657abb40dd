/**
 * Caches the slots of words, because most words of a column recur in a chunk and looking up the keys of a word costs more
 * than recognising it. A word is stored the second time it is seen, so that telephone numbers and other values that
 * never recur take no room. A word has one possible place in the table, and replaces another word there.
 */
export class WordSlots {
  /** Number of slots of the word that was found last. */
  length = 0;
  /** The slots of all words. */
  readonly slots = new Int32Array(slotsMax);
  /** Five numbers for each place: hash, start and length of the units, start and length of the slots. */
  readonly #places = new Int32Array(placesMax * placeWords);
  readonly #units = new Uint16Array(unitsMax);
  #unitsUsed = 0;
  #slotsUsed = 0;
  /** Place of the word of the last `find`. */
  #place = 0;
  /** True if the word of the last `find` was seen before. */
  #isSeen = false;

  /** Returns the start of the slots of a word and sets `length`; negative if the word is not stored. */
  find(text: string, start: number, end: number, kind: number): number {
    let hash = kind + 1;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
    hash = (hash ^ (hash >>> 15)) | 1;
    const place = ((hash >>> 1) & (placesMax - 1)) * placeWords;
    const places = this.#places;
    this.#place = place;
    this.#isSeen = places[place] === hash;
    if (!this.#isSeen) {
      places[place] = hash;
      places[place + slotsLength] = 0;
      return -1;
    }
    this.length = places[place + slotsLength]!;
    if (this.length === 0 || places[place + unitsLength] !== end - start) return -1;
    const from = places[place + unitsStart]! - start;
    for (let at = start; at < end; at++) {
      if (this.#units[from + at] !== text.charCodeAt(at)) return -1;
    }
    return places[place + slotsStart]!;
  }

  /** Stores the word of the last `find` if it was seen before; its slots are `slots[from]` to `slots[to - 1]`. */
  store(
    text: string,
    start: number,
    end: number,
    slots: Int32Array,
    from: number,
    to: number,
  ): void {
    if (!this.#isSeen) return;
    if (this.#unitsUsed + end - start > unitsMax || this.#slotsUsed + to - from > slotsMax) {
      this.clear();
      return;
    }
    const places = this.#places;
    const place = this.#place;
    places[place + unitsStart] = this.#unitsUsed;
    places[place + unitsLength] = end - start;
    places[place + slotsStart] = this.#slotsUsed;
    places[place + slotsLength] = to - from;
    for (let at = start; at < end; at++) this.#units[this.#unitsUsed++] = text.charCodeAt(at);
    for (let at = from; at < to; at++) this.slots[this.#slotsUsed++] = slots[at]!;
  }

  clear(): void {
    this.#places.fill(0);
    this.#unitsUsed = 0;
    this.#slotsUsed = 0;
  }
}

const placesMax = 1 << 13;
const placeWords = 5;
const [unitsStart, unitsLength, slotsStart, slotsLength] = [1, 2, 3, 4] as const;
const unitsMax = 1 << 16;
const slotsMax = 1 << 18;
