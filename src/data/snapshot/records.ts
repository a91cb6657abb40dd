import { join } from 'node:path';
import type { Row, Value } from '../axis.ts';
import { ByteCache } from '../../kernel/byte-cache.ts';
import { ByteSink } from '../byte-sink.ts';
import { FileRange } from '../file-range.ts';
import { fileNames, type FileFacts } from './layout.ts';

/** Writes records as a JSON array, one per line, and a second file with the offset of each record. */
export class RecordsWriter implements Disposable {
  readonly #records: ByteSink;
  readonly #rows: ByteSink;
  readonly #offset = Buffer.alloc(8);
  #count = 0;

  constructor(folder: string) {
    this.#records = new ByteSink(join(folder, fileNames.records));
    this.#rows = new ByteSink(join(folder, fileNames.rows));
    this.#records.writeText('[\n');
  }

  get count(): number {
    return this.#count;
  }

  /** Adds one record as JSON text without a line break. */
  add(json: string): void {
    this.#begin();
    this.#records.writeText(json);
  }

  /** Adds one record as the UTF-8 bytes of its JSON. */
  addBytes(json: Uint8Array): void {
    this.#begin();
    this.#records.write(json);
  }

  close(): Record<string, FileFacts> {
    this.#writePosition(this.#records.position + separator.length);
    this.#records.writeText(this.#count === 0 ? ']\n' : '\n]\n');
    return { [fileNames.records]: this.#records.close(), [fileNames.rows]: this.#rows.close() };
  }

  [Symbol.dispose](): void {
    this.#records[Symbol.dispose]();
    this.#rows[Symbol.dispose]();
  }

  #begin(): void {
    if (this.#count++ > 0) this.#records.writeText(separator);
    this.#writePosition(this.#records.position);
  }

  #writePosition(position: number): void {
    this.#offset.writeUInt32LE(position % 0x1_0000_0000, 0);
    this.#offset.writeUInt32LE(Math.floor(position / 0x1_0000_0000), 4);
    this.#rows.write(this.#offset);
  }
}

/** Returns a function that writes the JSON of a record from its cells; the names are escaped only once. */
export function recordSerialiser(columns: readonly string[]): (cells: readonly Value[]) => string {
  const prefixes = columns.map((name, i) => `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  return (cells) => {
    let json = '';
    for (let i = 0; i < prefixes.length; i++) {
      const cell = cells[i] ?? null;
      json += prefixes[i]! + (typeof cell === 'string' ? quote(cell) : JSON.stringify(cell));
    }
    return json === '' ? '{}' : `${json}}`;
  };
}

/** The records of one axis or of the catalog, read by their row, at the same cost for every row. */
export class RecordsFile implements Disposable {
  readonly count: number;
  readonly #id = ++lastId;
  readonly #records: FileRange;
  readonly #rows: FileRange;

  /** The records in a folder. */
  static in(folder: string): RecordsFile {
    const [records, rows] = [fileNames.records, fileNames.rows].map((name) =>
      FileRange.of(join(folder, name)),
    );
    return new RecordsFile(records!, rows!);
  }

  constructor(records: FileRange, rows: FileRange) {
    this.#records = records;
    this.#rows = rows;
    this.count = rows.size / 8 - 1;
  }

  /** Records `from` to `from + limit` as UTF-8 JSON joined by `,\n`; fewer at the end, none past it. */
  page(from: number, limit: number): { items: Buffer; count: number } {
    const count = Math.max(0, Math.min(limit, this.count - from));
    if (count === 0) return { items: Buffer.alloc(0), count: 0 };
    const offsets = this.#offsets(from, count + 1);
    const start = offsetAt(offsets, 0);
    const items = Buffer.allocUnsafe(offsetAt(offsets, count) - separator.length - start);
    this.#records.read(items, start);
    return { items, count };
  }

  /** One record as UTF-8 JSON; empty past the end. */
  record(row: number): Buffer {
    if (row >= this.count) return Buffer.alloc(0);
    const from = row - (row % offsetRowsMax);
    const offsets = this.#recentOffsets(from);
    const start = offsetAt(offsets, row - from);
    const end = offsetAt(offsets, row - from + 1) - separator.length;
    const record = Buffer.allocUnsafe(end - start);
    this.#records.read(record, start);
    return record;
  }

  /** Reads every record in order, in blocks of up to `blockBytes` unless one record is larger. */
  *blocks(): Generator<{ bytes: Buffer; from: number; ends: Uint32Array; starts: Uint32Array }> {
    for (let from = 0; from < this.count;) {
      const offsets = this.#offsets(from, Math.min(blockRecordsMax, this.count - from) + 1);
      const start = offsetAt(offsets, 0);
      let count = 1;
      while (
        (count + 2) * 8 <= offsets.length &&
        offsetAt(offsets, count + 1) - start <= blockBytes
      ) {
        count++;
      }
      const bytes = Buffer.allocUnsafe(offsetAt(offsets, count) - separator.length - start);
      this.#records.read(bytes, start);
      const starts = new Uint32Array(count);
      const ends = new Uint32Array(count);
      for (let i = 0; i < count; i++) {
        starts[i] = offsetAt(offsets, i) - start;
        ends[i] = offsetAt(offsets, i + 1) - separator.length - start;
      }
      yield { bytes, from, starts, ends };
      from += count;
    }
  }

  [Symbol.dispose](): void {
    this.#records[Symbol.dispose]();
    this.#rows[Symbol.dispose]();
  }

  /** Offsets of `offsetRowsMax` records and of the one behind them: the hits of a search are in few such blocks. */
  #recentOffsets(from: number): Buffer {
    const key = `${this.#id} ${from}`;
    let offsets = recentOffsets.get(key);
    if (offsets === undefined) {
      offsets = this.#offsets(from, Math.min(offsetRowsMax, this.count - from) + 1);
      recentOffsets.set(key, offsets, offsets.length);
    }
    return offsets;
  }

  #offsets(from: number, count: number): Buffer {
    const offsets = Buffer.allocUnsafe(count * 8);
    this.#rows.read(offsets, from * 8);
    return offsets;
  }
}

/** Offsets of all files that are open. A file has an id, because its descriptor is used again. */
const recentOffsets = new ByteCache<Buffer>(1 << 22);
const offsetRowsMax = 512;
let lastId = 0;

const separator = ',\n';
const blockBytes = 1 << 20;
const blockRecordsMax = 8_192;

/** Reads a u64 below 2^53 without a BigInt. */
function offsetAt(offsets: Buffer, index: number): number {
  return offsets.readUInt32LE(index * 8) + offsets.readUInt32LE(index * 8 + 4) * 0x1_0000_0000;
}

/** JSON of a string. Most cells need no escape, and checking for that is cheaper than escaping. */
function quote(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || (unit >= 0xd800 && unit <= 0xdfff)) {
      return JSON.stringify(text.toWellFormed());
    }
  }
  return `"${text}"`;
}

/** Every record of a file, in order. */
export function* readRows(records: RecordsFile): Generator<Row> {
  for (const { bytes, starts, ends } of records.blocks()) {
    for (let at = 0; at < starts.length; at++) {
      // A records file contains only rows.
      yield JSON.parse(bytes.toString('utf8', starts[at], ends[at])) as Row;
    }
  }
}
