import { emptySet, unite, type DocumentSet } from './document-set.ts';
import { gramKind, type GramKey } from './gram.ts';
import type { SearchChunk } from './index-file.ts';
import { membersWith } from './key-documents.ts';

/**
 * Forks of a document: pairs of units that several units follow in it, or that several precede. An end of a word counts
 * as a unit.
 *
 * A document with every three units of a word need not have the word: 강남구 and 남구청 may stand apart. It has the word
 * if the pairs within the word have no forks: then one unit follows each pair, and it is that of the word. With the keys
 * of the forks, a long word needs the texts of the few documents that fork within it, instead of all texts.
 */
export class ForkFinder {
  #pairs = new Int32Array(1 << 8);
  #befores = new Int32Array(1 << 8);
  #afters = new Int32Array(1 << 8);
  /** Number of the last text with the pair of a place; other places are free. */
  #lastTexts = new Int32Array(1 << 8);
  #text = 0;

  /** Calls `add` for the key of each fork of a document, with the text of its fields. */
  find(text: string, add: (high: number, low: number) => void): void {
    this.#begin(text.length);
    for (let at = 0; at + 1 < text.length; at++) {
      const first = text.charCodeAt(at);
      const second = text.charCodeAt(at + 1);
      if (!isForkUnit(first) || !isForkUnit(second)) continue;
      const before = at === 0 ? 0 : neighbour(text.charCodeAt(at - 1));
      const after = at + 2 === text.length ? 0 : neighbour(text.charCodeAt(at + 2));
      const place = this.#placeOf((first << 16) | second, before, after);
      if (place < 0) continue;
      if (isOther(this.#befores[place]!, before)) {
        this.#befores[place] = several;
        add((gramKind.severalBefore << 16) | first, (second << 16) >>> 0);
      }
      if (isOther(this.#afters[place]!, after)) {
        this.#afters[place] = several;
        add((gramKind.severalAfter << 16) | first, (second << 16) >>> 0);
      }
    }
  }

  /** Place of a pair that the text had before; -1 if this is its first occurrence, which is stored. */
  #placeOf(pair: number, before: number, after: number): number {
    const mask = this.#pairs.length - 1;
    let place = (Math.imul(pair, 0x9e37_79b1) >>> 8) & mask;
    while (this.#lastTexts[place] === this.#text) {
      if (this.#pairs[place] === pair) return place;
      place = (place + 1) & mask;
    }
    this.#lastTexts[place] = this.#text;
    this.#pairs[place] = pair;
    this.#befores[place] = before;
    this.#afters[place] = after;
    return -1;
  }

  /** Frees all places and makes room for a text. */
  #begin(length: number): void {
    this.#text++;
    let size = this.#pairs.length;
    while (size < length * 2) size *= 2;
    if (size === this.#pairs.length) return;
    this.#pairs = new Int32Array(size);
    this.#befores = new Int32Array(size);
    this.#afters = new Int32Array(size);
    this.#lastTexts = new Int32Array(size);
  }
}

/** True for the `high` of the key of a fork. */
export function isForkKey(high: number): boolean {
  const kind = high >>> 16;
  return kind === gramKind.severalAfter || kind === gramKind.severalBefore;
}

/** Stands for the units of a fork. */
const several = -1;

function isOther(known: number, unit: number): boolean {
  return known !== unit && known !== several;
}

/** The unit beside a pair; 0 at an end of the word. */
function neighbour(unit: number): number {
  return unit <= blank ? 0 : unit;
}

const blank = 0x20;

/** True for letters: nearly every pair of digits is a fork, and would make the index larger. */
function isForkUnit(unit: number): boolean {
  return unit > 0x7f || (unit >= 0x61 && unit <= 0x7a);
}

/** True if the keys of forks can prove a word of four units or more: they are those of all pairs within it. */
export function canFork(word: string): boolean {
  if (word.length > wordLengthMax || word.includes(' ')) return false;
  for (let at = 1; at + 1 < word.length; at++) if (!isForkUnit(word.charCodeAt(at))) return false;
  return true;
}

/** Longer words are rare, and would need many sets. */
const wordLengthMax = 32;

/**
 * The candidates that may lack a word although they have every three units of it. A candidate has the word if there are
 * three units of it with no fork forwards behind them and none backwards before them. So it may lack the word if a pair
 * forks backwards, and the same or a later one forwards.
 */
export function doubtfulDocuments(
  chunk: SearchChunk,
  candidates: DocumentSet,
  word: string,
): DocumentSet {
  const backwards = innerPairs(word, gramKind.severalBefore);
  const forwards = innerPairs(word, gramKind.severalAfter);
  /** Documents in which the pair or a later one has a fork forwards. */
  let behind = emptySet;
  let doubtful = emptySet;
  for (let at = forwards.length - 1; at >= 0; at--) {
    behind = unite(behind, membersWith(chunk, candidates, forwards[at]!));
    if (behind.count > 0) doubtful = unite(doubtful, membersWith(chunk, behind, backwards[at]!));
  }
  return doubtful;
}

/** Keys of the pairs within a word: all but the first and the last pair. */
function innerPairs(word: string, kind: number): GramKey[] {
  return Array.from({ length: word.length - 3 }, (_, at) => ({
    high: (kind << 16) | word.charCodeAt(at + 1),
    low: (word.charCodeAt(at + 2) << 16) >>> 0,
  }));
}
