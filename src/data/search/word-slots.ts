/**
 * Remembers the slots of words, because most words of a column recur in a chunk and looking up the keys of a word
 * costs more than recognising it. A word is stored when it is seen twice, so that telephone numbers and other values
 * that never recur take no room. Each word has one place; a word that recurs takes it from one that does not.
 */
export class WordSlots {
  /** Number of slots of the word that was found last. */
  length = 0;
  /** The slots of all words. */
  readonly slots = new Int32Array(slotsMax);
  /** Five numbers a place: hash, start and length of the units, start and length of the slots. */
  readonly #places = new Int32Array(placesMax * placeWords);
  readonly #units = new Uint16Array(unitsMax);
  #unitsUsed = 0;
  #slotsUsed = 0;
  /** Place of the word that was looked for last. */
  #place = 0;
  #isSeen = false;

  /** Start of the slots of a word; negative if it is not stored. */
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

  /** Stores the word that was just not found, if it was seen before; its slots are `slots[from]` to `slots[to - 1]`. */
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

  /** Forgets all words. */
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
