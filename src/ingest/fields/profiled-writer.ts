import type { Axis, Field } from '../../data/axis.ts';
import { createRegionJoin } from '../../data/regions/join.ts';
import type { Region } from '../../data/regions/region-table.ts';
import { AxisWriter, type WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import type { Cell } from '../files/table.ts';
import { schemaFingerprint } from './fingerprint.ts';
import { createFieldProfiler, type FieldProfiler, type FieldProfilerOptions } from './profiler.ts';

/** Writes the folder of an axis, and learns from its records what its fields are. */
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

  /** A cell a column. */
  add(cells: readonly Cell[]): void {
    this.profiler.add(cells);
    this.#writer.add(cells);
  }

  /** Names without a sido are read as those of `assumed`. */
  finish(
    axis: Axis,
    fields: readonly Field[] = this.profiler.fields(),
    assumed: Region | null = null,
  ): WrittenAxis {
    const join = createRegionJoin(fields, assumed);
    return this.#writer.finish(axis, fields, schemaFingerprint(fields), join);
  }

  [Symbol.dispose](): void {
    this.#writer[Symbol.dispose]();
  }
}
