import { rangeOf, shiftedDown, type DocumentSet } from './document-set.ts';
import type { GramKey } from './gram.ts';
import type { KeyCount, Posting, SearchChunk } from './index-file.ts';

/** Successive documents of a chunk as a chunk of their own: those of one axis of a pack. */
export class ChunkRange implements SearchChunk {
  readonly documents: number;
  readonly base = 0;
  readonly hasRuns: boolean;
  readonly hasForks: boolean;
  readonly #chunk: SearchChunk;
  readonly #from: number;

  constructor(chunk: SearchChunk, from: number, documents: number) {
    this.#chunk = chunk;
    this.#from = from;
    this.documents = documents;
    this.hasRuns = chunk.hasRuns;
    this.hasForks = chunk.hasForks;
  }

  countOf(key: GramKey): number {
    return this.#chunk.countOf(key) === 0 ? 0 : this.setOf(key).count;
  }

  keysBetween(from: GramKey, to: GramKey): KeyCount[] {
    return this.#chunk.keysBetween(from, to).flatMap(({ key }) => {
      const count = this.countOf(key);
      return count === 0 ? [] : [{ key, count }];
    });
  }

  setOf(key: GramKey, room?: Uint8Array): DocumentSet {
    return this.#own(this.#chunk.setOf(key, room));
  }

  text(document: number): string {
    return this.#chunk.text(this.#from + document);
  }

  texts(documents: Uint16Array): string[] {
    return this.#chunk.texts(documents.map((document) => this.#from + document));
  }

  documentsContaining(candidates: Uint16Array, needles: readonly Buffer[]): Uint16Array {
    const shifted = candidates.map((document) => this.#from + document);
    const found = this.#chunk.documentsContaining(shifted, needles);
    return found.map((document) => document - this.#from);
  }

  *postings(): Generator<Posting> {
    for (const { high, low, documents } of this.#chunk.postings()) {
      const own = this.#own(documents);
      if (own.count > 0) yield { high, low, documents: own };
    }
  }

  lines(): { readonly bytes: Buffer; readonly offsets: Uint32Array } {
    const { bytes, offsets } = this.#chunk.lines();
    const own = offsets.subarray(this.#from, this.#from + this.documents + 1);
    return { bytes: bytes.subarray(own[0], own.at(-1)), offsets: own };
  }

  /** The chunk stays open for its other ranges. */
  close(): void {}

  #own(set: DocumentSet): DocumentSet {
    return shiftedDown(rangeOf(set, this.#from, this.#from + this.documents), this.#from);
  }
}
