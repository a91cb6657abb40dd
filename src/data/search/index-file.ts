import { closeSync } from 'node:fs';
import { openForReading, readFully } from '../read-fully.ts';
import { emptySet, setOfBytes, type DocumentSet } from './document-set.ts';
import { chunkLayout, postingBytes, readFooter, type ChunkPlace } from './format.ts';
import type { GramKey } from './gram.ts';

/**
 * An opened search index. Dictionaries are in memory (10 bytes for each key); postings and texts are read from the file
 * on demand. Reads are synchronous, because the data is nearly always in the page cache: such a read takes 2 to 4 µs,
 * and one in a thread pool several times that.
 */
export class SearchIndex implements Disposable {
  readonly chunks: readonly SearchChunk[];
  readonly documents: number;
  readonly bytes: number;
  readonly #descriptor: number;

  constructor(path: string) {
    const { descriptor, chunks, bytes } = openForReading(path, (opened) => {
      const { chunks: places, size } = readFooter(opened);
      let documents = 0;
      const read = places.map((place) => {
        const chunk = new SearchChunk(opened, place, documents);
        documents += place.documents;
        return chunk;
      });
      return { descriptor: opened, chunks: read, bytes: size };
    });
    this.#descriptor = descriptor;
    this.chunks = chunks;
    this.bytes = bytes;
    this.documents = chunks.reduce((sum, chunk) => sum + chunk.documents, 0);
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}

/** Up to 65,536 documents of an index with their dictionary. Documents are numbered within the chunk. */
export class SearchChunk {
  readonly documents: number;
  /** Number of the chunk's first document within its index. */
  readonly base: number;
  /** True if runs of one unit have keys. */
  readonly hasRuns: boolean;
  readonly #descriptor: number;
  readonly #place: ChunkPlace;
  readonly #high: Uint32Array;
  readonly #low: Uint32Array;
  readonly #counts: Uint16Array;
  /** Positions in the file of the postings of every 64th key. */
  readonly #landmarks: Float64Array;
  #offsets: Uint32Array | null = null;

  constructor(descriptor: number, place: ChunkPlace, base: number) {
    this.#descriptor = descriptor;
    this.#place = place;
    this.base = base;
    this.documents = place.documents;
    this.hasRuns = place.runs === true;
    const { entries } = place;
    const { dictionary, postings } = chunkLayout(place);
    this.#high = readInto(descriptor, new Uint32Array(entries), dictionary);
    this.#low = readInto(descriptor, new Uint32Array(entries), dictionary + 4 * entries);
    this.#counts = readInto(descriptor, new Uint16Array(entries), dictionary + 8 * entries);
    this.#landmarks = new Float64Array((entries >>> landmarkShift) + 1);
    let at = postings;
    for (let entry = 0; entry < entries; entry++) {
      if ((entry & landmarkMask) === 0) this.#landmarks[entry >>> landmarkShift] = at;
      at += postingBytes(this.#counts[entry]! + 1);
    }
  }

  /** Number of documents that have the key. */
  countOf(key: GramKey): number {
    const entry = this.#find(key);
    return entry < 0 ? 0 : this.#counts[entry]! + 1;
  }

  /** Keys from `from` to `to`, both included, in ascending order. */
  keysBetween(from: GramKey, to: GramKey): KeyCount[] {
    const keys: KeyCount[] = [];
    for (let entry = this.#firstFrom(from); entry < this.#high.length; entry++) {
      const [high, low] = [this.#high[entry]!, this.#low[entry]!];
      if (high > to.high || (high === to.high && low > to.low)) break;
      keys.push({ key: { high, low }, count: this.#counts[entry]! + 1 });
    }
    return keys;
  }

  /** The documents that have the key. */
  setOf(key: GramKey): DocumentSet {
    const entry = this.#find(key);
    if (entry < 0) return emptySet;
    let at = this.#landmarks[entry >>> landmarkShift]!;
    for (let before = entry & ~landmarkMask; before < entry; before++) {
      at += postingBytes(this.#counts[before]! + 1);
    }
    const count = this.#counts[entry]! + 1;
    const bytes = readFully(this.#descriptor, new Uint8Array(postingBytes(count)), at);
    return setOfBytes(bytes, count);
  }

  /** The normalised text of one document: the name, then the other fields, U+001F between them. */
  text(document: number): string {
    return this.texts(Uint16Array.of(document))[0]!;
  }

  /** Texts of several documents in ascending order; neighbouring texts are read at once. */
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

  /** Selects the `candidates` whose text has all `needles` (UTF-8). */
  documentsContaining(candidates: Uint16Array, needles: readonly Buffer[]): Uint16Array {
    const matching = new Uint16Array(candidates.length);
    let used = 0;
    for (const block of this.#blocks(candidates))
      used = keepContaining(block, needles, matching, used);
    return matching.subarray(0, used);
  }

  *#blocks(documents: Uint16Array): Generator<TextBlock> {
    const offsets = this.#textOffsets();
    for (let from = 0; from < documents.length;) {
      const start = offsets[documents[from]!]!;
      let to = from + 1;
      while (to < documents.length && offsets[documents[to]! + 1]! - start <= blockBytes) to++;
      const block = scratch(offsets[documents[to - 1]! + 1]! - start);
      readFully(this.#descriptor, block, this.#place.at + start);
      yield { block, start, offsets, members: documents.subarray(from, to) };
      from = to;
    }
  }

  #textOffsets(): Uint32Array {
    this.#offsets ??= readInto(
      this.#descriptor,
      new Uint32Array(this.documents + 1),
      chunkLayout(this.#place).offsets,
    );
    return this.#offsets;
  }

  #find({ high, low }: GramKey): number {
    let from = 0;
    let to = this.#high.length - 1;
    while (from <= to) {
      const middle = (from + to) >>> 1;
      const difference = this.#high[middle]! - high || this.#low[middle]! - low;
      if (difference === 0) return middle;
      if (difference < 0) from = middle + 1;
      else to = middle - 1;
    }
    return -1;
  }

  /** Position of the first key that is not before the given one. */
  #firstFrom({ high, low }: GramKey): number {
    let from = 0;
    let to = this.#high.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const difference = this.#high[middle]! - high || this.#low[middle]! - low;
      if (difference < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** A key with the number of documents that have it. */
interface KeyCount {
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

const landmarkShift = 6;
const landmarkMask = (1 << landmarkShift) - 1;
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

function readInto<T extends Uint32Array | Uint16Array>(
  descriptor: number,
  array: T,
  at: number,
): T {
  readFully(descriptor, new Uint8Array(array.buffer), at);
  return array;
}
