import type { FieldType, Value } from '../axis.ts';
import type { FileRange } from '../file-range.ts';
import type { ValueFormat } from '../values/read-value.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import { bytesOf } from './bytes.ts';
import { blockValues, codeBytes, type ChunkCodes, type ColumnPlace } from './format.ts';
import type { PresentValue } from './typed-value.ts';

/**
 * One column of an opened file: the codes of its records, chunk by chunk, and the values of its codes. Codes below
 * `firstReadable` are null and markers of missing data; codes from `firstUnreadable` on cannot be read as the column's type.
 */
export class Column {
  readonly name: string;
  readonly type: FieldType;
  readonly format: ValueFormat;
  /** Number of codes, null included. */
  readonly codeCount: number;
  readonly firstReadable: number;
  readonly firstUnreadable: number;
  /** Number of records with an unreadable value. */
  readonly unreadableRows: number;
  /** Decimal places that make all numbers whole; null if no sum of them is exact. */
  readonly scale: number | null;
  readonly #place: ColumnPlace;
  readonly rows: number;
  readonly #file: FileRange;
  #keyStarts: Uint8Array | null = null;
  #lastBlock: { readonly block: number; readonly values: readonly PresentValue[] } | null = null;

  constructor(file: FileRange, place: ColumnPlace, rows: number) {
    this.#file = file;
    this.#place = place;
    this.rows = rows;
    this.name = place.name;
    this.type = place.type;
    this.format = place;
    this.codeCount = place.codes;
    this.firstReadable = 1 + place.missing;
    this.firstUnreadable = this.firstReadable + place.readable;
    this.unreadableRows = place.unreadRows;
    this.scale = place.scale;
  }

  /** Smallest and largest code of a chunk. */
  chunk(chunk: number): Pick<ChunkCodes, 'min' | 'max'> {
    return this.#place.chunks[chunk]!;
  }

  /** Number of records of a chunk. */
  recordCount(chunk: number): number {
    return Math.min(chunkDocumentsMax, this.rows - chunk * chunkDocumentsMax);
  }

  /** Number of records of its largest chunk, which is the first. */
  get chunkRecordsMax(): number {
    return this.recordCount(0);
  }

  /** Reads the codes of a chunk's records, each less the smallest code of the chunk, to the start of `codes`. */
  readCodes(chunk: number, codes: Uint32Array): void {
    const place = this.#place.chunks[chunk]!;
    const { at } = place;
    const records = this.recordCount(chunk);
    switch (codeBytes(place)) {
      case 0:
        codes.fill(0, 0, records);
        return;
      case 1:
        codes.set(this.#read(at, narrow8.subarray(0, records)));
        return;
      case 2:
        codes.set(this.#read(at, narrow16.subarray(0, records)));
        return;
      case 4:
        this.#read(at, codes.subarray(0, records));
    }
  }

  /** Code of one record. */
  codeOf(row: number): number {
    const place = this.#place.chunks[Math.floor(row / chunkDocumentsMax)]!;
    const bytes = codeBytes(place);
    if (bytes === 0) return place.min;
    const at = place.at + (row % chunkDocumentsMax) * bytes;
    return place.min + this.#read(at, Buffer.alloc(bytes)).readUIntLE(0, bytes);
  }

  /** Value of a code, in the spelling of the source. */
  valueOf(code: number): Value {
    if (code === 0) return null;
    const block = blockOf(code);
    if (this.#lastBlock?.block !== block) {
      this.#lastBlock = { block, values: this.#readBlock(block) };
    }
    return this.#lastBlock.values[(code - 1) % blockValues]!;
  }

  /** The blocks of the dictionary that contain the codes `from` to `to - 1`. */
  *blocks(from: number, to: number): Generator<DictionaryBlock> {
    for (let block = blockOf(from); block * blockValues + 1 < to; block++) {
      yield { first: block * blockValues + 1, values: this.#readBlock(block) };
    }
  }

  /** Numbers of the readable codes; see `TypedValue.number`. */
  numbers(): Float64Array {
    const { numbers, readable } = this.#place;
    if (numbers === null) throw new Error(`The column ${this.name} has texts, not numbers.`);
    return this.#read(numbers, new Float64Array(readable));
  }

  /** Number of one readable code. */
  numberOf(code: number): number {
    const at = this.#place.numbers! + (code - this.firstReadable) * 8;
    return this.#read(at, Buffer.alloc(8)).readDoubleLE(0);
  }

  /** First of the codes whose value equals that of `code`, in any spelling. */
  keyOf(code: number): number {
    const { keyStarts } = this.#place;
    if (keyStarts === null) return code;
    this.#keyStarts ??= this.#read(keyStarts, new Uint8Array((this.codeCount >>> 3) + 1));
    while (((this.#keyStarts[code >>> 3]! >>> (code & 7)) & 1) === 0) code--;
    return code;
  }

  /** True if equal values may have several codes. */
  get hasSpellings(): boolean {
    return this.#place.keyStarts !== null;
  }

  #readBlock(block: number): PresentValue[] {
    const [from, to] = this.#read(this.#place.directory + block * 8, new Float64Array(2));
    const json = this.#read(from!, Buffer.allocUnsafe(to! - from!)).toString();
    // `DictionaryWriter` wrote the block.
    return JSON.parse(`[${json}]`) as PresentValue[];
  }

  #read<Numbers extends ArrayBufferView>(at: number, numbers: Numbers): Numbers {
    this.#file.read(bytesOf(numbers), at);
    return numbers;
  }
}

interface DictionaryBlock {
  /** Code of the first value. */
  readonly first: number;
  readonly values: readonly PresentValue[];
}

function blockOf(code: number): number {
  return Math.floor((code - 1) / blockValues);
}

/** Buffers for the codes of one chunk. All columns share them, because reads are synchronous. */
const narrow8 = new Uint8Array(chunkDocumentsMax);
const narrow16 = new Uint16Array(chunkDocumentsMax);
