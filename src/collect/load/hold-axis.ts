import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { Axis } from '../../data/axis.ts';
import { createRegionJoin } from '../../data/regions/join.ts';
import { AxisWriter, type WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import { createFieldProfiler, type FieldProfiler } from '../fields/profiler.ts';
import { schemaFingerprint } from '../fields/fingerprint.ts';
import { datasetOfFileName } from '../files/dataset-name.ts';
import { FileRefused } from '../files/refused.ts';
import { openTables } from '../files/open.ts';
import type { Finding, FindingKind, Table } from '../files/table.ts';

/** One axis to be made from data files: several when the data comes in parts. */
export interface AxisTask {
  /** All of the axis but what only its records tell. */
  readonly axis: Omit<Axis, 'keyFields'>;
  readonly files: readonly string[];
  readonly sheet: string | null;
  /** The empty folder to write. */
  readonly folder: string;
}

export interface AxisReport {
  readonly written: WrittenAxis;
  readonly findings: FindingSummary[];
  readonly parts: readonly string[];
}

/** Findings of one kind: how many, and the first few. */
export interface FindingSummary {
  readonly kind: FindingKind;
  readonly count: number;
  readonly examples: readonly {
    readonly file: string;
    readonly row: number | null;
    readonly detail: string;
  }[];
}

/**
 * Reads the files of a task into the folder of an axis. Tables with the same columns become one; of
 * different ones the largest is held and the others are findings. Throws `FileRefused`.
 */
export async function holdAxis(
  task: AxisTask,
  onRows: (rows: number) => void,
): Promise<AxisReport> {
  const findings = new Findings();
  const layouts = new Map<string, Layout>();
  using unfinished = new DisposableStack();
  for (const file of task.files) {
    const options = task.sheet === null ? {} : { sheet: task.sheet };
    const sink = (finding: Finding): void => findings.add(basename(file), finding);
    const { impossibleDate } = datasetOfFileName(file);
    if (impossibleDate !== null) {
      const detail = `The file’s name says ${impossibleDate}, which is no day.`;
      sink({ kind: 'date_impossible', row: null, detail });
    }
    for await (const table of openTables(file, options, sink)) {
      const key = JSON.stringify(table.columns);
      let layout = layouts.get(key);
      if (layout === undefined) {
        layout = unfinished.use(new Layout(`${task.folder}.layout-${layouts.size}`, table));
        layouts.set(key, layout);
      }
      await layout.take(table, onRows);
    }
  }
  const [held, ...others] = [...layouts.values()].sort((a, b) => b.rows - a.rows);
  if (held === undefined || held.rows === 0) {
    throw new FileRefused('empty', `${basename(task.files[0]!)} holds no record.`);
  }
  for (const other of others) {
    findings.add(other.parts[0] ?? '', {
      kind: 'part_not_held',
      row: null,
      detail: `${other.rows} rows with other columns: ${other.columns.slice(0, 5).join(', ')}`,
    });
  }
  const written = held.finish(task.axis);
  rmSync(task.folder, { recursive: true, force: true });
  renameSync(held.folder, task.folder);
  return { written, findings: findings.all(), parts: held.parts };
}

/** The records of all tables with one set of columns. */
class Layout implements Disposable {
  readonly folder: string;
  readonly columns: readonly string[];
  readonly parts: string[] = [];
  readonly #writer: AxisWriter;
  readonly #profiler: FieldProfiler;
  #isFinished = false;

  constructor(folder: string, { columns, layout }: Table) {
    this.folder = folder;
    this.columns = columns;
    mkdirSync(folder, { recursive: true });
    this.#writer = new AxisWriter(folder, columns);
    this.#profiler = createFieldProfiler(columns, { units: layout.units });
  }

  get rows(): number {
    return this.#writer.rows;
  }

  async take({ part, batches }: Table, onRows: (rows: number) => void): Promise<void> {
    if (part !== null) this.parts.push(part);
    for await (const { rows } of batches) {
      for (const cells of rows) {
        this.#profiler.add(cells);
        this.#writer.add(cells);
      }
      onRows(rows.length);
    }
  }

  finish(axis: AxisTask['axis']): WrittenAxis {
    const fields = this.#profiler.fields();
    const written = this.#writer.finish(
      { ...axis, keyFields: this.#profiler.keyFields() },
      fields,
      schemaFingerprint(fields),
      createRegionJoin(fields),
    );
    this.#isFinished = true;
    return written;
  }

  [Symbol.dispose](): void {
    this.#writer[Symbol.dispose]();
    if (!this.#isFinished) rmSync(this.folder, { recursive: true, force: true });
  }
}

/** How many findings of a kind are kept with their place; all are counted. */
export const findingExamplesMax = 5;

class Findings {
  readonly #byKind = new Map<
    FindingKind,
    { count: number; examples: FindingSummary['examples'][number][] }
  >();

  add(file: string, { kind, row, detail }: Finding): void {
    let found = this.#byKind.get(kind);
    if (found === undefined) {
      found = { count: 0, examples: [] };
      this.#byKind.set(kind, found);
    }
    found.count++;
    if (found.examples.length < findingExamplesMax) found.examples.push({ file, row, detail });
  }

  all(): FindingSummary[] {
    return [...this.#byKind].map(([kind, found]) => ({ kind, ...found }));
  }
}
