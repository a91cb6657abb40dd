import { chunkDocumentsMax } from '../search/postings.ts';
import type { Column } from './column.ts';
import type { ColumnsFile } from './columns-file.ts';
import { runLoop } from './run-loop.ts';

/** Columns as one query reads them, chunk by chunk: each chunk of a column is read once. */
export class ColumnScans {
  readonly #file: ColumnsFile;
  readonly #scans = new Map<string, ColumnScan>();

  constructor(file: ColumnsFile) {
    this.#file = file;
  }

  of(name: string): ColumnScan {
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
  readonly #codes = new Uint32Array(chunkDocumentsMax);
  #ofMembers: Uint32Array | null = null;
  #chunk = -1;

  constructor(column: Column) {
    this.column = column;
  }

  /** Codes of a chunk less its smallest one, one a record; valid until another chunk is read. */
  codes(chunk: number): Uint32Array {
    if (this.#chunk !== chunk) {
      this.column.readCodes(chunk, this.#codes);
      this.#chunk = chunk;
    }
    return this.#codes;
  }

  /** Codes of some records of a chunk less the smallest of the chunk, one a member; valid until the next call. */
  codesOf(chunk: number, members: Uint16Array): Uint32Array {
    const codes = this.codes(chunk);
    if (members.length === this.column.recordsOf(chunk)) return codes;
    this.#ofMembers ??= new Uint32Array(chunkDocumentsMax);
    runLoop(pick, codes, members, this.#ofMembers);
    return this.#ofMembers;
  }
}

function pick(codes: Uint32Array, members: Uint16Array, ofMembers: Uint32Array): void {
  for (let at = 0; at < members.length; at++) ofMembers[at] = codes[members[at]!]!;
}
