import { emptySet, setOfList, slice, type DocumentSet } from './document-set.ts';
import type { SearchChunk } from './index-file.ts';

/**
 * The candidates of a chunk whose text contains every needle, evaluated as far as requested. Results are cached,
 * so the next page of an answer continues after the previous one.
 */
export class CheckedSet {
  readonly candidates: DocumentSet;
  readonly #chunk: SearchChunk;
  readonly #needles: readonly Buffer[];
  /** Ascending; the first `#known` are filled. */
  #found = new Uint16Array(0);
  #known = 0;
  #read = 0;

  constructor(chunk: SearchChunk, candidates: DocumentSet, needles: readonly Buffer[]) {
    this.#chunk = chunk;
    this.candidates = candidates;
    this.#needles = needles;
  }

  /** True if every candidate has been read. */
  get isComplete(): boolean {
    return this.#read >= this.candidates.count;
  }

  /**
   * Returns at least the first `enough` matches, or all there are. Yields between steps of at most `stepTextsMax`
   * texts; each step continues from the cached state, so several queries may take turns.
   */
  *upTo(enough: number): Generator<void, DocumentSet> {
    for (let texts = stepTextsMin; this.#known < enough && !this.isComplete; texts *= 2) {
      this.#step(Math.min(texts, stepTextsMax));
      yield;
    }
    return this.#known === 0 ? emptySet : setOfList(this.#found.subarray(0, this.#known));
  }

  #step(texts: number): void {
    const next = slice(this.candidates, this.#read, texts);
    const kept = this.#chunk.containing(next, this.#needles);
    this.#read += next.length;
    if (this.#known + kept.length > this.#found.length) {
      const grown = new Uint16Array(Math.max(2 * this.#found.length, this.#known + kept.length));
      grown.set(this.#found.subarray(0, this.#known));
      this.#found = grown;
    }
    this.#found.set(kept, this.#known);
    this.#known += kept.length;
  }
}

/** The first match is mostly among the first texts; reading 8,192 of them takes about 2 ms. */
const stepTextsMin = 64;
const stepTextsMax = 8192;
