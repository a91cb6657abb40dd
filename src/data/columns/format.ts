import { fstatSync } from 'node:fs';
import { readFully, repairAdvice } from '../read-fully.ts';
import type { ValueFormat } from '../values/read-value.ts';

/**
 * The file of the columns of an axis. Numbers are little-endian.
 *
 * A column is a sorted dictionary of its distinct values and a code for each record. Code 0 is null; then come the
 * missing markers of a typed column, its readable values in the order of their type, and its unread values. So every
 * comparison is a range of codes, and sorting is counting.
 *
 * ```
 * column…  blocks      values of up to 256 codes as JSON, a comma between them; block after block
 *          directory   f64 × (blocks + 1), where each block starts, and the last ends
 *          numbers     f64 × readable: numbers, `yyyymmdd` or `yyyymmddhhmmss`; not for texts
 *          key starts  a bit a code, 0 if it equals the one before in another spelling; only if any does
 *          codes       per chunk of 65,536 records: u8, u16 or u32 × records, less the smallest code of the chunk;
 *                      nothing if all records have the same code
 * ids      u32 × 2 a record, the high half first (see ../record-id.ts)
 * footer   JSON of ColumnsPlace, then its length as u32, then `MCO1`
 * ```
 */
interface ColumnsPlace {
  readonly rows: number;
  readonly ids: number;
  readonly columns: readonly ColumnPlace[];
}

export interface ColumnPlace extends ValueFormat {
  readonly name: string;
  /** Number of codes: null, missing markers, readable and unread values. */
  readonly codes: number;
  readonly missing: number;
  readonly readable: number;
  /** Records with an unread value. */
  readonly unreadRows: number;
  /** Decimal places that make all numbers whole below 2^51; null if there are too many. */
  readonly scale: number | null;
  readonly directory: number;
  /** Position; null for texts. */
  readonly numbers: number | null;
  /** Position; null if no value has two spellings. */
  readonly keyStarts: number | null;
  readonly chunks: readonly ChunkCodes[];
}

/** Codes of one chunk: their position, and the smallest and largest. */
export interface ChunkCodes {
  readonly at: number;
  readonly min: number;
  readonly max: number;
}

/** Values in one block of a dictionary. */
export const blockValues = 256;
export const idBytes = 8;

/** Bytes of a code in a chunk: 0 if all are equal. */
export function codeBytes({ min, max }: Pick<ChunkCodes, 'min' | 'max'>): 0 | 1 | 2 | 4 {
  if (max === min) return 0;
  return max - min < 0x100 ? 1 : max - min < 0x1_0000 ? 2 : 4;
}

const magic = 'MCO1';

export function footerOf(place: ColumnsPlace): Buffer {
  const json = Buffer.from(JSON.stringify(place));
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(json.length, 0);
  tail.write(magic, 4, 'latin1');
  return Buffer.concat([json, tail]);
}

/** Reads the places of a file's columns. Throws if the file is not a whole one. */
export function readFooter(descriptor: number): ColumnsPlace {
  const { size } = fstatSync(descriptor);
  if (size < 8) throw unreadableColumns();
  const tail = readFully(descriptor, Buffer.alloc(8), size - 8);
  const length = tail.readUInt32LE(0);
  if (tail.toString('latin1', 4) !== magic || length > size - 8) throw unreadableColumns();
  const json = readFully(descriptor, Buffer.alloc(length), size - 8 - length);
  const place = JSON.parse(json.toString()) as ColumnsPlace;
  if (place.ids + place.rows * idBytes !== size - 8 - length) throw unreadableColumns();
  return place;
}

function unreadableColumns(): Error {
  return new Error(`A file of columns is cut off or of another version. ${repairAdvice}`);
}
