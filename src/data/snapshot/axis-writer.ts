import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Axis, Field, Quality, StoredAxis, Value } from '../axis.ts';
import { ByteSink } from '../byte-sink.ts';
import { AxisColumns } from '../columns/axis-columns.ts';
import { ParquetFile } from '../parquet/parquet-file.ts';
import { createAxisRegionJoiner } from '../regions/axis-joiner.ts';
import { indexRecords, type RegionJoin } from './index-records.ts';
import { fileNames, type FileFacts } from './layout.ts';
import { recordSerialiser, RecordsFile, RecordsWriter } from './records.ts';
import { schemaFingerprint } from './schema-fingerprint.ts';

/**
 * Writes the folder of one axis: records first, as they arrive, then everything that is computed from them once
 * the fields are known. Memory does not grow with the number of records.
 */
export class AxisWriter implements Disposable {
  readonly #folder: string;
  readonly #serialise: (cells: readonly Value[]) => string;
  readonly #records: RecordsWriter;
  /** Ordinals of totals and subtotals. */
  readonly #totals = new Set<number>();

  /** `folder` exists and is empty; `columns` are the source's own field names, in order. */
  constructor(folder: string, columns: readonly string[]) {
    this.#folder = folder;
    this.#serialise = recordSerialiser(columns);
    this.#records = new RecordsWriter(folder);
  }

  get rows(): number {
    return this.#records.count;
  }

  /** Adds a record: one cell for each column, null if it is missing. `isTotal` marks a total or subtotal of others. */
  add(cells: readonly Value[], isTotal = false): void {
    if (isTotal) this.#totals.add(this.rows);
    this.#records.add(this.#serialise(cells));
  }

  /** Indexes the records and writes `axis.json`. */
  finish(
    axis: Axis,
    fields: readonly Field[],
    { joinRegion = createAxisRegionJoiner(fields), quality }: FinishOptions = {},
  ): WrittenAxis {
    const recordFiles = this.#records.close();
    using records = new RecordsFile(this.#folder);
    using sink = new ByteSink(join(this.#folder, fileNames.search));
    using parquet = new ParquetFile(join(this.#folder, fileNames.parquet), fields);
    const columnsPath = join(this.#folder, fileNames.columns);
    using columns = new AxisColumns(columnsPath, fields, axis.keyFields, (runs) => {
      parquet.addGroup(runs);
    });
    const totals = this.#totals;
    const regions = indexRecords(records, fields, joinRegion, { sink, columns, totals });
    const stored: StoredAxis = {
      axis,
      rows: records.count,
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

/** Writes a small JSON file durably. */
export function writeJson(path: string, value: unknown): FileFacts {
  using sink = new ByteSink(path);
  sink.writeText(`${JSON.stringify(value, null, 1)}\n`);
  return sink.close();
}

/** Replaces the `axis.json` of an axis. */
export function rewriteAxis(folder: string, stored: StoredAxis): FileFacts {
  const path = join(folder, fileNames.axis);
  rmSync(path, { force: true });
  return writeJson(path, stored);
}
