import { initialsOf } from '../../data/korean/initials.ts';
import { keysByUnit } from '../../data/korean/keystrokes.ts';
import { unspacedText } from '../../data/korean/normalise.ts';
import type { TypedText } from '../../data/korean/typed-text.ts';

/** Place of a typed text in a spelling: all of it, its beginning, or the beginning of a later syllable. */
type Quality = 0 | 1 | 2;

interface FoundSpelling {
  /** Position of the item among the given ones. */
  readonly item: number;
  readonly quality: Quality;
}

/** Finds items by any part of their spellings, half-typed syllables and initial consonants included. */
export class SpellingIndex {
  readonly #keys: UnitTexts;
  readonly #initials: UnitTexts;

  private constructor(keys: UnitTexts, initials: UnitTexts) {
    this.#keys = keys;
    this.#initials = initials;
  }

  /** Takes the spellings of each item. */
  static *build(items: readonly (readonly string[])[]): Generator<void, SpellingIndex> {
    const keys = yield* UnitTexts.build(items, keysByUnit);
    return new SpellingIndex(keys, yield* UnitTexts.build(items, initialsByUnit));
  }

  /** Items with the typed text, each once at its best place, best first. */
  find({ keys, initials }: TypedText): FoundSpelling[] {
    const best = new Map<number, Quality>();
    const all = [
      ...this.#keys.find(keys),
      ...(initials === null ? [] : this.#initials.find(initials)),
    ];
    for (const { item, quality } of all) {
      if (quality < (best.get(item) ?? 3)) best.set(item, quality);
    }
    return [...best]
      .map(([item, quality]) => ({ item, quality }))
      .sort((a, b) => a.quality - b.quality || a.item - b.item);
  }
}

function initialsByUnit(text: string): string[] {
  return Array.from(initialsOf(unspacedText(text)));
}

/** Texts one after the other, with the places at which a unit of a text begins. */
class UnitTexts {
  readonly #texts: string;
  /** Start of each text, ascending, and its item. */
  readonly #starts: Uint32Array;
  readonly #items: Uint32Array;
  /** A bit for each place: 1 where a unit begins. */
  readonly #units: Uint8Array;

  private constructor(
    texts: string,
    starts: readonly number[],
    items: readonly number[],
    units: readonly number[],
  ) {
    this.#texts = texts;
    this.#starts = Uint32Array.from(starts);
    this.#items = Uint32Array.from(items);
    this.#units = new Uint8Array((texts.length >> 3) + 1);
    for (const at of units) this.#units[at >> 3]! |= 1 << (at & 7);
  }

  static *build(
    items: readonly (readonly string[])[],
    unitsOf: (spelling: string) => readonly string[],
  ): Generator<void, UnitTexts> {
    let texts = separator;
    const starts: number[] = [];
    const owners: number[] = [];
    const units: number[] = [];
    for (const [item, spellings] of items.entries()) {
      for (const spelling of spellings) {
        starts.push(texts.length);
        owners.push(item);
        let previous = '';
        for (const unit of unitsOf(spelling)) {
          // Latin words are typed from their beginning.
          if (!latin.test(previous) || !latin.test(unit)) units.push(texts.length);
          texts += unit;
          previous = unit;
        }
        texts += separator;
      }
      if (item % itemsOfStep === 0) yield;
    }
    return new UnitTexts(texts, starts, owners, units);
  }

  *find(typed: string): Generator<FoundSpelling> {
    if (typed === '') return;
    // A single key is inside of nearly every text.
    const needle = typed.length < 2 ? separator + typed : typed;
    const shift = needle.length - typed.length;
    let found = this.#texts.indexOf(needle);
    for (let hits = 0; found >= 0 && hits < hitsMax; hits++) {
      const at = found + shift;
      if (((this.#units[at >> 3]! >> (at & 7)) & 1) === 1) {
        const text = this.#textAt(at);
        const isStart = this.#starts[text] === at;
        const isWhole = isStart && this.#texts.startsWith(separator, at + typed.length);
        yield { item: this.#items[text]!, quality: isWhole ? 0 : isStart ? 1 : 2 };
      }
      found = this.#texts.indexOf(needle, found + 1);
    }
  }

  /** Number of the text that a place is in. */
  #textAt(place: number): number {
    let from = 0;
    let to = this.#starts.length - 1;
    while (from < to) {
      const middle = (from + to + 1) >>> 1;
      if (this.#starts[middle]! <= place) from = middle;
      else to = middle - 1;
    }
    return from;
  }
}

/** Items whose spellings are read at once, in less than a millisecond. */
const itemsOfStep = 64;
const separator = '\n';
const latin = /^[a-z]$/;
/** Bounds the time of short texts; the first items are the most important ones. */
const hitsMax = 4_096;
