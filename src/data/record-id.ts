import { hash } from 'node:crypto';
import type { Row, Value } from './axis.ts';

/** Stable id of a record: 16 hexadecimal digits. Records that are equal in every field have the same. */
export function recordId(json: Buffer, keyFields: readonly string[]): string {
  const row = keyFields.length === 0 ? {} : rowOf(json);
  const ids = new RecordIds(keyFields, keyFields);
  ids.compute(
    keyFields.map((name) => row[name] ?? null),
    json,
    0,
    json.length,
  );
  return idText(ids.high, ids.low);
}

/**
 * Computes ids of records: 64 bits of the values of the key fields as a JSON array; of the record's JSON if the axis
 * has no key or all of its values are null. Ids prove nothing: the hash has the steps of MurmurHash3, because SHA-256
 * would slow down loading by a tenth.
 */
export class RecordIds {
  /** The halves of the last id. */
  high = 0;
  low = 0;
  /** Positions of the key fields; empty if the axis has none. */
  readonly #keys: readonly number[];

  /** `names` are those of the fields, in the order of the values. */
  constructor(names: readonly string[], keyFields: readonly string[]) {
    const keys = keyFields.map((key) => names.indexOf(key));
    this.#keys = keys.includes(-1) ? [] : keys;
  }

  /** Computes the id of a record by its values in field order and its JSON, `json[start]` to `json[end - 1]`. */
  compute(values: readonly Value[], json: Buffer, start: number, end: number): void {
    if (this.#keys.every((at) => values[at] === null)) {
      hashBytes(json, start, end, this);
      return;
    }
    const key = Buffer.from(JSON.stringify(this.#keys.map((at) => values[at])));
    hashBytes(key, 0, key.length, this);
  }
}

/** Id of a record as 16 hexadecimal digits. */
export function idText(high: number, low: number): string {
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

/** SHA-256 of a record's key fields; of its JSON if the axis has none or all of them are null. */
export function recordDigest(json: Buffer, keyFields: readonly string[]): Buffer {
  if (keyFields.length === 0) return contentDigest(json);
  const row = rowOf(json);
  const key = keyFields.map((name) => row[name] ?? null);
  if (key.every((value) => value === null)) return contentDigest(json);
  return hash('sha256', JSON.stringify(key), 'buffer');
}

/** SHA-256 of a record's JSON. */
export function contentDigest(json: Buffer): Buffer {
  return hash('sha256', json, 'buffer');
}

function rowOf(json: Buffer): Row {
  // A records file contains only rows.
  return JSON.parse(json.toString()) as Row;
}

function hashBytes(
  bytes: Buffer,
  start: number,
  end: number,
  halves: { high: number; low: number },
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  let high = 0x243f_6a88;
  let low = 0x85a3_08d3;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const word = view.getInt32(at, true);
    high ^= highScrambled(word);
    high = (Math.imul((high << 13) | (high >>> 19), 5) + 0x561c_cd1b) | 0;
    low ^= lowScrambled(word);
    low = (Math.imul((low << 17) | (low >>> 15), 5) + 0x0bca_a747) | 0;
  }
  let rest = end - start;
  for (let shift = 8; at < end; at++, shift += 8) rest ^= bytes[at]! << shift;
  halves.high = finished(high ^ highScrambled(rest));
  halves.low = finished(low ^ lowScrambled(rest) ^ (end - start));
}

/** The halves mix each word by constants of their own, as the 128-bit form of the hash does. */
function highScrambled(word: number): number {
  const product = Math.imul(word, 0x239b_961b);
  return Math.imul((product << 15) | (product >>> 17), 0xab0e_9789);
}

function lowScrambled(word: number): number {
  const product = Math.imul(word, 0x38b3_4ae5);
  return Math.imul((product << 16) | (product >>> 16), 0xa1e3_8b93);
}

function finished(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
