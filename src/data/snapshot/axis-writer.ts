import { join } from 'node:path';
import type { Axis, Field, Quality, StoredAxis, Value } from '../axis.ts';
import { ByteSink } from '../byte-sink.ts';
import { AxisColumns } from '../columns/axis-columns.ts';
import { RecordRuns } from '../columns/record-runs.ts';
import { ParquetFile } from '../parquet/parquet-file.ts';
import { RecordHash } from '../record-id.ts';
import { createAxisRegionJoiner } from '../regions/axis-joiner.ts';
import { indexRecords, type RegionJoin } from './index-records.ts';
import { writeJson } from './json-file.ts';
import { fileNames, type FileFacts } from './layout.ts';
import { recordSerialiser, RecordsWriter } from './records.ts';
import { schemaFingerprint } from './schema-fingerprint.ts';

/**
 * Writes the folder of one axis. It writes the records as they arrive and, once the fields are known, the search index,
 * the columns and the Parquet file. Memory does not grow with the number of records.
 */
export class AxisWriter implements Disposable {
  readonly #folder: string;
  readonly #serialise: (cells: readonly Value[]) => string;
  readonly #records: RecordsWriter;
  readonly #recordRuns: RecordRuns;
  readonly #columns: readonly string[];
  readonly #hash = new RecordHash();
  /** Buffer for the JSON of one record. */
  #json = Buffer.allocUnsafe(1 << 12);
  /** Rows that are totals or subtotals of other records. */
  readonly #totals = new Set<number>();

  /** `folder` exists and is empty; `columns` are the source's own field names, in order. */
  constructor(folder: string, columns: readonly string[]) {
    this.#folder = folder;
    this.#serialise = recordSerialiser(columns);
    this.#records = new RecordsWriter(folder);
    this.#columns = columns;
    this.#recordRuns = new RecordRuns(join(folder, `${fileNames.columns}.records`), columns.length);
  }

  get rows(): number {
    return this.#records.count;
  }

  /** Adds a record: one cell per column, null if it is missing. `isTotal` marks a total or subtotal of other records. */
  add(cells: readonly Value[], isTotal = false): void {
    if (isTotal) this.#totals.add(this.rows);
    const json = this.#serialise(cells);
    // A UTF-16 unit takes at most three bytes.
    if (json.length * 3 > this.#json.length) this.#json = Buffer.allocUnsafe(json.length * 4);
    const bytes = this.#json.write(json);
    this.#records.addBytes(this.#json.subarray(0, bytes));
    this.#hash.hashBytes(this.#json, 0, bytes);
    this.#recordRuns.add(cells, this.#hash.high, this.#hash.low);
  }

  /** Frees memory before other axes are written: moves the records added so far to a temporary file. */
  pause(): void {
    this.#recordRuns.spill();
  }

  /** Indexes the records and writes `axis.json`. `fields` describe the columns, in their order. */
  finish(
    axis: Axis,
    fields: readonly Field[],
    { joinRegion = createAxisRegionJoiner(fields), quality }: FinishOptions = {},
  ): WrittenAxis {
    if (fields.some(({ name }, at) => name !== this.#columns[at])) {
      throw new Error('The fields of an axis must be those of its columns, in their order.');
    }
    const recordFiles = this.#records.close();
    using sink = new ByteSink(join(this.#folder, fileNames.search));
    using parquet = new ParquetFile(join(this.#folder, fileNames.parquet), fields);
    const columnsPath = join(this.#folder, fileNames.columns);
    using columns = new AxisColumns(columnsPath, fields, axis.keyFields);
    const totals = this.#totals;
    const files = { sink, columns, parquet, totals };
    const regions = indexRecords(this.#recordRuns.take(), fields, joinRegion, files);
    // Deletes the temporary file now: the caller may move the folder before it disposes of the writer.
    this.#recordRuns[Symbol.dispose]();
    const stored: StoredAxis = {
      axis,
      rows: this.rows,
      fields,
      schemaFingerprint: schemaFingerprint(fields),
      regions,
      hasCoordinates: ['lat', 'lon'].every((role) => fields.some((field) => field.role === role)),
      ...(quality === undefined ? {} : { quality }),
    };
    return {
      stored,
      files: {
        ...recordFiles,
        [fileNames.search]: sink.close(),
        [fileNames.columns]: columns.finish(),
        [fileNames.parquet]: parquet.finish(),
        [fileNames.axis]: writeJson(join(this.#folder, fileNames.axis), stored),
      },
    };
  }

  [Symbol.dispose](): void {
    this.#records[Symbol.dispose]();
    this.#recordRuns[Symbol.dispose]();
  }
}

export interface FinishOptions {
  /** Finds the region of a record, by default from the roles of the fields; null for data without regions. */
  readonly joinRegion?: RegionJoin | null;
  /** Findings to publish with the axis. */
  readonly quality?: Quality | undefined;
}

export interface WrittenAxis {
  readonly stored: StoredAxis;
  /** By file name within the axis's folder. */
  readonly files: Readonly<Record<string, FileFacts>>;
}
