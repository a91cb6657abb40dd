import type { Axis, Field } from '../../data/axis.ts';
import {
  AxisWriter,
  type FinishOptions,
  type WrittenAxis,
} from '../../data/snapshot/axis-writer.ts';
import type { Cell } from '../files/table.ts';
import { createFieldProfiler, type FieldProfiler, type FieldProfilerOptions } from './profiler.ts';

/** Writes the folder of an axis and profiles its records: their types, roles and statistics. */
export class ProfiledWriter implements Disposable {
  readonly profiler: FieldProfiler;
  readonly #writer: AxisWriter;

  /** `folder` exists and is empty. */
  constructor(folder: string, columns: readonly string[], options: FieldProfilerOptions = {}) {
    this.#writer = new AxisWriter(folder, columns);
    this.profiler = createFieldProfiler(columns, options);
  }

  get rows(): number {
    return this.#writer.rows;
  }

  /** Adds a record: one cell for each column. `isTotal` marks a total or subtotal of other records. */
  add(cells: readonly Cell[], isTotal = false): void {
    this.profiler.add(cells);
    this.#writer.add(cells, isTotal);
  }

  /** Frees the memory of the added records before records of other axes are read. */
  pause(): void {
    this.#writer.pause();
  }

  /** Indexes the records and writes `axis.json`. The fields are by default those of the profiler. */
  finish(
    axis: Axis,
    fields: readonly Field[] = this.profiler.fields(),
    options: FinishOptions = {},
  ): WrittenAxis {
    return this.#writer.finish(axis, fields, options);
  }

  [Symbol.dispose](): void {
    this.#writer[Symbol.dispose]();
  }
}
