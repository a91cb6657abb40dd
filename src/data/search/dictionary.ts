import type { FileRange } from '../file-range.ts';
import { chunkLayout, postingBytes, type ChunkPlace } from './format.ts';
import type { GramKey } from './gram.ts';

/** The keys of a chunk in ascending order, with the places of their postings. */
export class Dictionary {
  readonly #high: Uint32Array;
  readonly #low: Uint32Array;
  readonly #counts: Uint16Array;
  /** Positions in the file of the postings of every 64th key. */
  readonly #landmarks: Float64Array;

  constructor(file: FileRange, place: ChunkPlace) {
    const { entries } = place;
    const { dictionary, postings } = chunkLayout(place);
    this.#high = readInto(file, new Uint32Array(entries), dictionary);
    this.#low = readInto(file, new Uint32Array(entries), dictionary + 4 * entries);
    this.#counts = readInto(file, new Uint16Array(entries), dictionary + 8 * entries);
    this.#landmarks = new Float64Array((entries >>> landmarkShift) + 1);
    let at = postings;
    for (let entry = 0; entry < entries; entry++) {
      if ((entry & landmarkMask) === 0) this.#landmarks[entry >>> landmarkShift] = at;
      at += postingBytes(this.#counts[entry]! + 1);
    }
  }

  get entries(): number {
    return this.#high.length;
  }

  get bytes(): number {
    return this.entries * entryBytes;
  }

  keyOf(entry: number): GramKey {
    return { high: this.#high[entry]!, low: this.#low[entry]! };
  }

  /** Number of documents that have the key of an entry. */
  countOf(entry: number): number {
    return this.#counts[entry]! + 1;
  }

  /** Position in the file of the postings of an entry. */
  positionOf(entry: number): number {
    let at = this.#landmarks[entry >>> landmarkShift]!;
    for (let before = entry & ~landmarkMask; before < entry; before++) {
      at += postingBytes(this.#counts[before]! + 1);
    }
    return at;
  }

  /** Entry of a key; -1 if there is none. */
  find({ high, low }: GramKey): number {
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

  /** First entry whose key is not before the given one. */
  firstFrom({ high, low }: GramKey): number {
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

/** True if a chunk has a key: read from the file number by number, without a dictionary in memory. */
export function isStored(file: FileRange, place: ChunkPlace, { high, low }: GramKey): boolean {
  const { entries } = place;
  const { dictionary } = chunkLayout(place);
  let from = 0;
  let to = entries - 1;
  while (from <= to) {
    const middle = (from + to) >>> 1;
    const difference =
      numberAt(file, dictionary + 4 * middle) - high ||
      numberAt(file, dictionary + 4 * (entries + middle)) - low;
    if (difference === 0) return true;
    if (difference < 0) from = middle + 1;
    else to = middle - 1;
  }
  return false;
}

function numberAt(file: FileRange, position: number): number {
  return readInto(file, oneNumber, position)[0]!;
}

const oneNumber = new Uint32Array(1);

const landmarkShift = 6;
const landmarkMask = (1 << landmarkShift) - 1;
/** Bytes in memory for each key. */
const entryBytes = 10;

export function readInto<T extends Uint32Array | Uint16Array>(
  file: FileRange,
  array: T,
  at: number,
): T {
  file.read(new Uint8Array(array.buffer), at);
  return array;
}
