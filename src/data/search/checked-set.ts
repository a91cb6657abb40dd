import { emptySet, setOfList, slice, type DocumentSet } from './document-set.ts';
import type { SearchChunk } from './index-file.ts';

/**
 * The candidates of a chunk whose text contains every needle. Texts are read only as far as requested, and results are
 * cached, so that the next page of an answer continues where the previous one ended.
 */
export class CheckedSet {
  readonly candidates: DocumentSet;
  readonly #chunk: SearchChunk;
  readonly #needles: readonly Buffer[];
  /** Ascending; the first `#count` are filled. */
  #matches = new Uint16Array(0);
  #count = 0;
  #readCount = 0;

  constructor(chunk: SearchChunk, candidates: DocumentSet, needles: readonly Buffer[]) {
    this.#chunk = chunk;
    this.candidates = candidates;
    this.#needles = needles;
  }

  /** Estimated bytes in memory, without the candidates. */
  get bytes(): number {
    return objectBytes + this.#matches.byteLength;
  }

  /** True if every candidate has been read. */
  get isComplete(): boolean {
    return this.#readCount >= this.candidates.count;
  }

  /**
   * Returns at least the first `enough` matches, or all if there are fewer. Yields between steps of at most
   * `stepTextsMax` texts. Each step continues from the cached state, so several queries may take turns.
   */
  *firstMatches(enough: number): Generator<void, DocumentSet> {
    const first = Math.min(stepTextsMin, enough * textsForOne);
    for (let texts = first; this.#count < enough && !this.isComplete; texts *= 2) {
      this.#step(Math.min(texts, stepTextsMax));
      yield;
    }
    return this.#count === 0 ? emptySet : setOfList(this.#matches.subarray(0, this.#count));
  }

  #step(texts: number): void {
    const next = slice(this.candidates, this.#readCount, texts);
    const matches = this.#chunk.documentsContaining(next, this.#needles);
    this.#readCount += next.length;
    if (this.#count + matches.length > this.#matches.length) {
      const grown = new Uint16Array(
        Math.max(2 * this.#matches.length, this.#count + matches.length),
      );
      grown.set(this.#matches.subarray(0, this.#count));
      this.#matches = grown;
    }
    this.#matches.set(matches, this.#count);
    this.#count += matches.length;
  }
}

const objectBytes = 200;
/** Texts read in a step: few at first, where the first match mostly is, then up to 8,192, which take about 2 ms. */
const stepTextsMin = 64;
/** Texts read for each match that is wanted, when few are: past the bound of totals, one shows that an axis has any. */
const textsForOne = 8;
const stepTextsMax = 8192;
