import type { FileRange } from '../file-range.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import { bytesOf } from './bytes.ts';
import { Column } from './column.ts';
import { idBytes, readFooter } from './format.ts';

/** The opened columns of an axis. Only the columns that a query names are read. */
export class ColumnsFile implements Disposable {
  readonly rows: number;
  readonly #file: FileRange;
  readonly #ids: number;
  readonly #columns: ReadonlyMap<string, Column>;

  constructor(file: FileRange) {
    const place = readFooter(file);
    this.#file = file;
    this.rows = place.rows;
    this.#ids = place.ids;
    this.#columns = new Map(
      // Maru's columns come last and replace a field of the same name, such as `_total`.
      place.columns.map((column) => [column.name, new Column(file, column, place.rows)]),
    );
  }

  /** The column of a field, or `_sido`, `_sigungu`, `_total`. Throws if there is none. */
  column(name: string): Column {
    const column = this.#columns.get(name);
    if (column === undefined) {
      throw new Error(`There is no column ${name}. Use the name of a field of the axis.`);
    }
    return column;
  }

  get chunks(): number {
    return Math.ceil(this.rows / chunkDocumentsMax);
  }

  /** Ids of records, two numbers each: the high half, then the low one. */
  ids(from: number, count: number): Uint32Array {
    const ids = new Uint32Array(count * 2);
    this.#file.read(bytesOf(ids), this.#ids + from * idBytes);
    return ids;
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }
}
