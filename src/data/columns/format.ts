import type { FileRange } from '../file-range.ts';
import { repairAdvice } from '../read-fully.ts';
import type { ValueFormat } from '../values/read-value.ts';

/**
 * The file of the columns of an axis. Numbers are little-endian.
 *
 * A column is a sorted dictionary of its distinct values and a code for each record. Code 0 is null. Then come, in a
 * typed column, markers of missing data such as `-`; then the readable values in the order of their type; then values
 * that cannot be read as the type. So a comparison selects a range of codes, and records are sorted by counting codes.
 *
 * ```
 * column…  blocks      values of up to 256 codes as JSON, a comma between them; block after block
 *          directory   f64 × (blocks + 1): position of each block, then of the end of the last
 *          numbers     f64 × readable: numbers, `yyyymmdd` or `yyyymmddhhmmss`; not for texts
 *          key starts  a bit for each code: 0 if its value is another spelling of the previous code's value, else 1;
 *                      absent if all bits are 1
 *          codes       per chunk of 65,536 records: u8, u16 or u32 × records, minus the smallest code of the chunk;
 *                      nothing if all records have the same code
 * ids      u32 × 2 for each record, the high half first (see ../record-id.ts)
 * footer   JSON of ColumnsFooter, then its length as u32, then `MCO1`
 * ```
 */
interface ColumnsFooter {
  /** Number of records. */
  readonly rows: number;
  /** Position of the ids. */
  readonly ids: number;
  readonly columns: readonly ColumnPlace[];
}

/** A column and the positions of its parts in the file. */
export interface ColumnPlace extends ValueFormat {
  readonly name: string;
  /** Number of codes, null included. */
  readonly codes: number;
  /** Number of markers of missing data. */
  readonly missing: number;
  /** Number of readable values. */
  readonly readable: number;
  /** Number of records with an unreadable value. */
  readonly unreadRows: number;
  /**
   * Number of decimal places: times 10^scale, every number is an integer of at most 2^51. Null for texts, and if the
   * numbers need more than 14.
   */
  readonly scale: number | null;
  /** Position of the directory. */
  readonly directory: number;
  /** Position of the numbers; null for texts. */
  readonly numbers: number | null;
  /** Position of the key starts; null if no value has two spellings. */
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

export function encodeFooter(footer: ColumnsFooter): Buffer {
  const json = Buffer.from(JSON.stringify(footer));
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(json.length, 0);
  tail.write(magic, 4, 'latin1');
  return Buffer.concat([json, tail]);
}

/** Reads the footer of a file. Throws if the file is cut off or of another version. */
export function readFooter(file: FileRange): ColumnsFooter {
  const { size } = file;
  if (size < 8) throw unreadableColumns();
  const tail = file.read(Buffer.alloc(8), size - 8);
  const length = tail.readUInt32LE(0);
  if (tail.toString('latin1', 4) !== magic || length > size - 8) throw unreadableColumns();
  const json = file.read(Buffer.alloc(length), size - 8 - length);
  const footer = JSON.parse(json.toString()) as ColumnsFooter;
  if (footer.ids + footer.rows * idBytes !== size - 8 - length) throw unreadableColumns();
  return footer;
}

function unreadableColumns(): Error {
  return new Error(`A file of columns is cut off or of another version. ${repairAdvice}`);
}
