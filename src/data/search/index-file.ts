import { UsedPool, type Pooled } from '../../kernel/used-pool.ts';
import type { FileRange } from '../file-range.ts';
import { emptySet, setOfBytes, type DocumentSet } from './document-set.ts';
import { Dictionary, isStored, readInto } from './dictionary.ts';
import { chunkLayout, postingBytes, readFooter, type ChunkPlace } from './format.ts';
import type { GramKey } from './gram.ts';
import { KeyFilter } from './key-filter.ts';

/**
 * An opened search index. Dictionaries are in memory once they are used (10 bytes for each key); postings and texts are
 * read from the file on demand. Reads are synchronous, because the data is nearly always in the page cache: such a read takes 2 to 4 µs,
 * and one in a thread pool several times that.
 */
export class SearchIndex implements Disposable {
  readonly chunks: readonly SearchChunk[];
  readonly documents: number;
  readonly #file: FileRange | null;

  static open(file: FileRange): SearchIndex {
    let documents = 0;
    const chunks = readFooter(file).map((place) => {
      const chunk = new StoredChunk(file, place, documents);
      documents += place.documents;
      return chunk;
    });
    return new SearchIndex(chunks, file);
  }

  /** `file` is disposed of with the index. */
  constructor(chunks: readonly SearchChunk[], file: FileRange | null = null) {
    this.chunks = chunks;
    this.documents = chunks.reduce((sum, chunk) => sum + chunk.documents, 0);
    this.#file = file;
  }

  [Symbol.dispose](): void {
    for (const chunk of this.chunks) chunk.close();
    this.#file?.[Symbol.dispose]();
  }
}

/** Up to 65,536 documents of an index with their keys. Documents are numbered within the chunk. */
export interface SearchChunk {
  readonly documents: number;
  /** Number of the chunk's first document within its index. */
  readonly base: number;
  /** True if runs of one unit have keys. */
  readonly hasRuns: boolean;
  /** True if forks have keys. */
  readonly hasForks: boolean;
  /** Number of documents that have the key. */
  countOf(key: GramKey): number;
  /** Keys from `from` to `to`, both included, in ascending order. */
  keysBetween(from: GramKey, to: GramKey): KeyCount[];
  /** The documents that have the key. A set that is read into a `room` is valid until the room is used again. */
  setOf(key: GramKey, room?: Uint8Array): DocumentSet;
  /** The normalised text of one document: the name, then the other fields, U+001F between them. */
  text(document: number): string;
  /** Texts of several documents in ascending order. */
  texts(documents: Uint16Array): string[];
  /** Selects the `candidates` whose text has all `needles` (UTF-8). */
  documentsContaining(candidates: Uint16Array, needles: readonly Buffer[]): Uint16Array;
  /** Every key with its documents, in ascending order of the keys. */
  postings(): Iterable<Posting>;
  /** The texts of all documents: a line each, and where each begins and the last ends. */
  lines(): { readonly bytes: Buffer; readonly offsets: Uint32Array };
  /** Releases memory; a later use reads the dictionary again. */
  close(): void;
}

/** A key and the documents that have it. */
export interface Posting extends GramKey {
  readonly documents: DocumentSet;
}

/** A chunk of a file, whose dictionary and text offsets are in memory after its first use. */
class StoredChunk implements SearchChunk, Pooled {
  readonly documents: number;
  readonly base: number;
  readonly hasRuns: boolean;
  readonly hasForks: boolean;
  isUsed = false;
  readonly #file: FileRange;
  readonly #place: ChunkPlace;
  readonly #filter: KeyFilter | null;
  #dictionary: Dictionary | null = null;
  #offsets: Uint32Array | null = null;
  /** The key that was looked up last, and its entry. */
  #lastKey: GramKey | null = null;
  #lastEntry = -1;

  constructor(file: FileRange, place: ChunkPlace, base: number) {
    this.#file = file;
    this.#place = place;
    this.base = base;
    this.documents = place.documents;
    this.hasRuns = place.runs === true;
    this.hasForks = place.forks === true;
    const { filter } = place;
    const words = new Uint32Array(KeyFilter.bytesFor(place.entries) / 4);
    this.#filter = filter === undefined ? null : new KeyFilter(readInto(file, words, filter));
  }

  countOf(key: GramKey): number {
    const entry = this.#find(key);
    return entry < 0 ? 0 : this.#keys().countOf(entry);
  }

  keysBetween(from: GramKey, to: GramKey): KeyCount[] {
    const dictionary = this.#keys();
    const keys: KeyCount[] = [];
    for (let entry = dictionary.firstFrom(from); entry < dictionary.entries; entry++) {
      const key = dictionary.keyOf(entry);
      if (key.high > to.high || (key.high === to.high && key.low > to.low)) break;
      keys.push({ key, count: dictionary.countOf(entry) });
    }
    return keys;
  }

  setOf(key: GramKey, room?: Uint8Array): DocumentSet {
    const entry = this.#find(key);
    if (entry < 0) return emptySet;
    const count = this.#keys().countOf(entry);
    const position = this.#keys().positionOf(entry);
    const size = postingBytes(count);
    const bytes = room === undefined ? new Uint8Array(size) : room.subarray(0, size);
    return setOfBytes(this.#file.read(bytes, position), count);
  }

  text(document: number): string {
    return this.texts(Uint16Array.of(document))[0]!;
  }

  /** Neighbouring texts are read at once. */
  texts(documents: Uint16Array): string[] {
    const texts: string[] = [];
    for (const { block, start, offsets, members } of this.#blocks(documents)) {
      for (const document of members) {
        const from = offsets[document]! - start;
        texts.push(block.toString('utf8', from, offsets[document + 1]! - start - 1));
      }
    }
    return texts;
  }

  documentsContaining(candidates: Uint16Array, needles: readonly Buffer[]): Uint16Array {
    const matching = new Uint16Array(candidates.length);
    let used = 0;
    for (const block of this.#blocks(candidates))
      used = keepContaining(block, needles, matching, used);
    return matching.subarray(0, used);
  }

  *postings(): Generator<Posting> {
    const dictionary = this.#keys();
    const { entries } = dictionary;
    for (let first = 0, last; first < entries; first = last) {
      const from = dictionary.positionOf(first);
      let end = from;
      for (last = first; last < entries && end - from < postingsBytes; last++) {
        end += postingBytes(dictionary.countOf(last));
      }
      const block = this.#file.read(new Uint8Array(end - from), from);
      let at = 0;
      for (let entry = first; entry < last; entry++) {
        const count = dictionary.countOf(entry);
        // A copy, because a set of 16- or 32-bit numbers needs their alignment.
        const documents = setOfBytes(block.slice(at, at + postingBytes(count)), count);
        yield { ...dictionary.keyOf(entry), documents };
        at += postingBytes(count);
      }
    }
  }

  lines(): { readonly bytes: Buffer; readonly offsets: Uint32Array } {
    const bytes = Buffer.allocUnsafeSlow(this.#place.textBytes);
    return { bytes: this.#file.read(bytes, this.#place.at), offsets: this.#textOffsets() };
  }

  *#blocks(documents: Uint16Array): Generator<TextBlock> {
    const offsets = this.#textOffsets();
    for (let from = 0; from < documents.length;) {
      const start = offsets[documents[from]!]!;
      let to = from + 1;
      while (to < documents.length && offsets[documents[to]! + 1]! - start <= blockBytes) to++;
      const block = scratch(offsets[documents[to - 1]! + 1]! - start);
      this.#file.read(block, this.#place.at + start);
      yield { block, start, offsets, members: documents.subarray(from, to) };
      from = to;
    }
  }

  /** Removes the dictionary from memory. */
  close(): void {
    if (this.#dictionary === null) return;
    dictionaries.remove(this);
    this.release();
  }

  release(): void {
    this.#dictionary = null;
    this.#offsets = null;
  }

  #find(key: GramKey): number {
    // A search counts the documents of a key before it reads them.
    if (key === this.#lastKey) return this.#lastEntry;
    const entry = this.#mayHave(key) ? this.#keys().find(key) : -1;
    this.#lastKey = key;
    this.#lastEntry = entry;
    return entry;
  }

  /** False if the key is known to be absent. One key in forty passes the filter by chance: it loads no dictionary. */
  #mayHave(key: GramKey): boolean {
    if (this.#filter === null) return true;
    if (!this.#filter.mayHave(key)) return false;
    return this.#dictionary !== null || isStored(this.#file, this.#place, key);
  }

  #keys(): Dictionary {
    this.isUsed = true;
    if (this.#dictionary !== null) return this.#dictionary;
    this.#dictionary = new Dictionary(this.#file, this.#place);
    dictionaries.add(this, this.#dictionary.bytes + 4 * this.documents);
    return this.#dictionary;
  }

  #textOffsets(): Uint32Array {
    if (this.#offsets !== null) return this.#offsets;
    // The offsets leave memory with the dictionary.
    this.#keys();
    const { offsets } = chunkLayout(this.#place);
    return (this.#offsets = readInto(this.#file, new Uint32Array(this.documents + 1), offsets));
  }
}

/** Dictionaries and text offsets in memory, by their bytes. */
const dictionaries = new UsedPool(1 << 29);

/** A key with the number of documents that have it. */
export interface KeyCount {
  readonly key: GramKey;
  readonly count: number;
}

/** Texts of documents that are close together; the block is valid until the next one is read. */
interface TextBlock {
  readonly block: Buffer;
  /** Position of the block among the texts of its chunk. */
  readonly start: number;
  readonly offsets: Uint32Array;
  readonly members: Uint16Array;
}

/** Postings read at once when all are read. */
const postingsBytes = 1 << 18;
/** Bytes read at once: reading the texts between two candidates costs less than seeking. */
const blockBytes = 1 << 16;

/** Appends to `matching` the members of one block that contain every needle; returns the new length. */
function keepContaining(
  { block, start: blockStart, offsets, members }: TextBlock,
  needles: readonly Buffer[],
  matching: Uint16Array,
  used: number,
): number {
  // Next occurrence of each needle, searched once and cached until a member starts after it.
  const next = new Int32Array(needles.length).fill(-1);
  for (const document of members) {
    const start = offsets[document]! - blockStart;
    const end = offsets[document + 1]! - blockStart;
    let hasAll = true;
    for (let i = 0; i < needles.length && hasAll; i++) {
      const needle = needles[i]!;
      if (next[i]! < start) {
        const position = block.indexOf(needle, start);
        if (position < 0) return used;
        next[i] = position;
      }
      hasAll = next[i]! + needle.length < end;
    }
    if (hasAll) matching[used++] = document;
  }
  return used;
}

let scratchBytes = Buffer.allocUnsafeSlow(blockBytes);

/** Buffer for one block. All reads share it, because they are synchronous. */
function scratch(bytes: number): Buffer {
  if (bytes > scratchBytes.length) scratchBytes = Buffer.allocUnsafeSlow(bytes);
  return scratchBytes.subarray(0, bytes);
}
