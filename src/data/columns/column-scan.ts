import type { Column } from './column.ts';
import type { ColumnsFile } from './columns-file.ts';
import { runWithoutInlining } from './run-without-inlining.ts';

/** Columns as one query reads them, chunk by chunk: each chunk of a column is read once. */
export class ColumnScans {
  readonly #file: ColumnsFile;
  readonly #scans = new Map<string, ColumnScan>();

  constructor(file: ColumnsFile) {
    this.#file = file;
  }

  scanOf(name: string): ColumnScan {
    let scan = this.#scans.get(name);
    if (scan === undefined) {
      scan = new ColumnScan(this.#file.column(name));
      this.#scans.set(name, scan);
    }
    return scan;
  }
}

export class ColumnScan {
  readonly column: Column;
  #codes: Uint32Array | null = null;
  #memberCodes: Uint32Array | null = null;
  #chunk = -1;

  constructor(column: Column) {
    this.column = column;
  }

  /** Codes of the records of a chunk, each less the smallest code of the chunk; valid until another chunk is read. */
  codes(chunk: number): Uint32Array {
    // Most axes are smaller than a chunk, and arrays of its size are what a small query would take longest for.
    const codes = (this.#codes ??= new Uint32Array(this.column.chunkRecordsMax));
    if (this.#chunk !== chunk) {
      this.column.readCodes(chunk, codes);
      this.#chunk = chunk;
    }
    return codes;
  }

  /** As `codes`, but only for the records at the positions `members` of the chunk; valid until the next call. */
  codesOf(chunk: number, members: Uint16Array): Uint32Array {
    const codes = this.codes(chunk);
    if (members.length === this.column.recordCount(chunk)) return codes;
    this.#memberCodes ??= new Uint32Array(this.column.chunkRecordsMax);
    runWithoutInlining(pick, codes, members, this.#memberCodes);
    return this.#memberCodes;
  }
}

function pick(codes: Uint32Array, members: Uint16Array, memberCodes: Uint32Array): void {
  for (let at = 0; at < members.length; at++) memberCodes[at] = codes[members[at]!]!;
}
