import type { ParquetType } from 'hyparquet';
import { bytesOf } from '../columns/bytes.ts';

/** A value as its Parquet type stores it; null if a record has none. */
export type ParquetValue = string | number | bigint | boolean | null;

/** Values in the encoding PLAIN of Parquet, so that any of them can be copied by its index. */
export class PlainValues {
  readonly count: number;
  readonly bytes: Uint8Array;
  /** Start of each value, and the end of the last; null for values of `#width` bytes. */
  readonly #starts: Uint32Array | null;
  readonly #width: number;
  readonly #isBoolean: boolean;

  constructor(type: ParquetType, values: readonly Exclude<ParquetValue, null>[]) {
    this.count = values.length;
    this.#isBoolean = type === 'BOOLEAN';
    this.#starts = type === 'BYTE_ARRAY' ? new Uint32Array(values.length + 1) : null;
    this.#width = type === 'INT32' ? 4 : type === 'BOOLEAN' ? 1 : 8;
    if (this.#starts !== null) this.bytes = encodeTexts(values as string[], this.#starts);
    else this.bytes = encodeNumbers(type, values);
  }

  /** Bytes of the values with these indexes. */
  bytesOf(indexes: Uint32Array): number {
    const starts = this.#starts;
    if (starts === null) return indexes.length * this.#width;
    let bytes = 0;
    for (let at = 0; at < indexes.length; at++) {
      const index = indexes[at]!;
      bytes += starts[index + 1]! - starts[index]!;
    }
    return bytes;
  }

  /** The values with these indexes, one after the other. */
  pick(indexes: Uint32Array): Uint8Array {
    if (this.#isBoolean) return this.#pickBits(indexes);
    const picked = new Uint8Array(this.bytesOf(indexes));
    let used = 0;
    for (let at = 0; at < indexes.length;) {
      // Copies values with consecutive indexes at once: values are numbered in the order of their first occurrence.
      const first = indexes[at]!;
      let next = first + 1;
      at++;
      while (at < indexes.length && indexes[at] === next) [at, next] = [at + 1, next + 1];
      const bytes = this.bytes.subarray(this.#startOf(first), this.#startOf(next));
      picked.set(bytes, used);
      used += bytes.length;
    }
    return picked;
  }

  #startOf(index: number): number {
    return this.#starts === null ? index * this.#width : this.#starts[index]!;
  }

  #pickBits(indexes: Uint32Array): Uint8Array {
    const bits = new Uint8Array(Math.ceil(indexes.length / 8));
    for (let at = 0; at < indexes.length; at++) {
      bits[at >>> 3]! |= this.bytes[indexes[at]!]! << (at & 7);
    }
    return bits;
  }
}

/** Encodes each text after its length, and writes the starts into `starts`. */
function encodeTexts(texts: readonly string[], starts: Uint32Array): Uint8Array {
  let units = 0;
  for (const text of texts) units += text.length;
  // A UTF-16 unit takes at most three bytes.
  const bytes = Buffer.allocUnsafeSlow(units * 3 + texts.length * lengthBytes);
  let used = 0;
  for (let at = 0; at < texts.length; at++) {
    const written = bytes.write(texts[at]!, used + lengthBytes);
    bytes.writeUInt32LE(written, used);
    used += lengthBytes + written;
    starts[at + 1] = used;
  }
  return bytes.subarray(0, used);
}

const lengthBytes = 4;

function encodeNumbers(
  type: ParquetType,
  values: readonly Exclude<ParquetValue, null>[],
): Uint8Array {
  switch (type) {
    case 'INT32':
      return bytesOf(Int32Array.from(values as number[]));
    case 'INT64':
      return bytesOf(BigInt64Array.from(values as bigint[]));
    case 'DOUBLE':
      return bytesOf(Float64Array.from(values as number[]));
    case 'BOOLEAN':
      return Uint8Array.from(values, Number);
    default:
      throw new Error(`No field has the Parquet type ${type}.`);
  }
}
