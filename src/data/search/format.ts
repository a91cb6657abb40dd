import type { FileRange } from '../file-range.ts';
import { repairAdvice } from '../read-fully.ts';
import { listMax, postingBytesMax } from './postings.ts';

/**
 * The file of a search index. Numbers are little-endian.
 *
 * ```
 * chunk…   texts      normalised texts, UTF-8: name U+001F field U+001F field … LF, a line for each document
 *          offsets    u32 × (documents + 1): position of each text in the texts, then of the end of the last
 *          high, low  u32 × entries each: the keys in ascending order (see gram.ts)
 *          counts     u16 × entries: number of documents with the key, minus one
 *          postings   per key: u16 × count, or from 4,097 documents on a bitmap of 8,192 bytes
 *          filter     in a pack: a Bloom filter of the keys (key-filter.ts)
 * footer   JSON array of ChunkPlace, then its length as u32, then `MSI1`
 * ```
 */
/** Position and sizes of a chunk in the file. */
export interface ChunkPlace {
  /** Position of the chunk in the file. */
  readonly at: number;
  readonly documents: number;
  readonly textBytes: number;
  /** Number of keys. */
  readonly entries: number;
  /** True if there are keys for runs of one unit; absent in an index of an earlier version. */
  readonly runs?: boolean;
  /** True if there are keys for forks (forks.ts); absent outside of packs. */
  readonly forks?: boolean;
  /** Position of the filter of the keys; absent if there is none. */
  readonly filter?: number;
}

const magic = 'MSI1';

export function footerOf(chunks: readonly ChunkPlace[]): Buffer {
  const json = Buffer.from(JSON.stringify(chunks));
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(json.length, 0);
  tail.write(magic, 4, 'latin1');
  return Buffer.concat([json, tail]);
}

/** Reads the positions of a file's chunks. Throws if the file is cut off or of another version. */
export function readFooter(file: FileRange): ChunkPlace[] {
  const { size } = file;
  if (size < 8) throw unreadableIndex();
  const tail = file.read(Buffer.alloc(8), size - 8);
  const length = tail.readUInt32LE(0);
  if (tail.toString('latin1', 4) !== magic || length > size - 8) throw unreadableIndex();
  const json = file.read(Buffer.alloc(length), size - 8 - length);
  return JSON.parse(json.toString()) as ChunkPlace[];
}

function unreadableIndex(): Error {
  return new Error(`A search index is cut off or of another version. ${repairAdvice}`);
}

/** Positions of the parts of a chunk in the file. */
export function chunkLayout(place: ChunkPlace): {
  texts: number;
  offsets: number;
  dictionary: number;
  postings: number;
} {
  const offsets = place.at + place.textBytes;
  const dictionary = offsets + 4 * (place.documents + 1);
  return { texts: place.at, offsets, dictionary, postings: dictionary + 10 * place.entries };
}

/** Bytes that the postings of a key with `count` documents take. */
export function postingBytes(count: number): number {
  return count > listMax ? postingBytesMax : count * 2;
}
