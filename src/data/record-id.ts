import { hash } from 'node:crypto';
import type { Row, Value } from './axis.ts';

/**
 * Stable id of a record: 16 hexadecimal digits. Records that are equal in every field have the same id. `record` is the
 * parsed JSON, if the caller has it.
 */
export function recordId(json: Buffer, keyFields: readonly string[], record?: Row): string {
  const row = keyFields.length === 0 ? {} : (record ?? rowOf(json));
  const key = keyFields.map((name) => row[name] ?? null);
  const hash = new RecordHash();
  if (!hash.hashKey(key)) hash.hashBytes(json, 0, json.length);
  return idText(hash.high, hash.low);
}

/** Shared, because a search makes a hash for each hit. */
const noBytes = new DataView(new ArrayBuffer(0));

/**
 * Computes ids of records: a 64-bit hash of the key fields' values as a JSON array, or of the record's JSON if the axis
 * has no key or all of its values are null. The hash is not cryptographic: it has the steps of MurmurHash3, because
 * SHA-256 would slow down loading by a tenth.
 */
export class RecordHash {
  /** The halves of the last hash. */
  high = 0;
  low = 0;
  #view: DataView = noBytes;

  /** Hashes the values of a key; false if all are null. */
  hashKey(key: readonly Value[]): boolean {
    if (key.every((value) => value === null)) return false;
    const json = Buffer.from(JSON.stringify(key));
    this.hashBytes(json, 0, json.length);
    return true;
  }

  /** Hashes the JSON of a record, `bytes[start]` to `bytes[end - 1]`. */
  hashBytes(bytes: Buffer, start: number, end: number): void {
    if (this.#view.buffer !== bytes.buffer) this.#view = new DataView(bytes.buffer);
    const view = this.#view;
    const from = bytes.byteOffset;
    let high = 0x243f_6a88;
    let low = 0x85a3_08d3;
    let at = start;
    for (; at + 4 <= end; at += 4) {
      const word = view.getInt32(from + at, true);
      high ^= scrambleHigh(word);
      high = (Math.imul((high << 13) | (high >>> 19), 5) + 0x561c_cd1b) | 0;
      low ^= scrambleLow(word);
      low = (Math.imul((low << 17) | (low >>> 15), 5) + 0x0bca_a747) | 0;
    }
    let rest = end - start;
    for (let shift = 8; at < end; at++, shift += 8) rest ^= bytes[at]! << shift;
    this.high = finalise(high ^ scrambleHigh(rest));
    this.low = finalise(low ^ scrambleLow(rest) ^ (end - start));
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

/** Each half mixes words with constants of its own, as the 128-bit form of MurmurHash3 does. */
function scrambleHigh(word: number): number {
  const product = Math.imul(word, 0x239b_961b);
  return Math.imul((product << 15) | (product >>> 17), 0xab0e_9789);
}

function scrambleLow(word: number): number {
  const product = Math.imul(word, 0x38b3_4ae5);
  return Math.imul((product << 16) | (product >>> 16), 0xa1e3_8b93);
}

function finalise(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
