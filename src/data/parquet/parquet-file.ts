import { ByteSink } from '../byte-sink.ts';
import type { Value } from '../axis.ts';
import type { ColumnValues } from '../columns/column-run.ts';
import type { ParquetField } from './parquet-column.ts';
import { ParquetSink } from './parquet-sink.ts';

/** Writes the Parquet file of an axis. Memory is bounded by one group of rows. */
export class ParquetFile implements Disposable {
  readonly #file: ByteSink;
  readonly #sink: ParquetSink;

  /** Throws if the file exists. */
  constructor(path: string, fields: readonly ParquetField[]) {
    this.#file = new ByteSink(path);
    this.#sink = new ParquetSink(fields, (bytes) => this.#file.write(bytes));
  }

  /** Adds a record: a value for each field, and the bytes of its JSON. */
  add(values: readonly Value[], bytes: number): void {
    this.#sink.add(values, bytes);
  }

  /** Writes a group of records: the values of each field. Not for a file with records from `add`. */
  addGroup(columnValues: readonly ColumnValues[], rows: number): void {
    this.#sink.addGroup(columnValues, rows);
  }

  /** Writes the rest and syncs the file. */
  finish(): { bytes: number; sha256: string } {
    this.#sink.finish();
    return this.#file.close();
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }
}
