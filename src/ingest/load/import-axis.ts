import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { Axis, Field, Quality, QualityFinding } from '../../data/axis.ts';
import { FindingCounts, qualityOf } from '../../data/finding.ts';
import { assumeSido, type AssumedSido } from '../../data/regions/assume-sido.ts';
import { createAxisRegionJoiner, fieldWithoutSido } from '../../data/regions/axis-joiner.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import { ProfiledWriter } from '../fields/profiled-writer.ts';
import { datasetOfFileName } from '../files/dataset-name.ts';
import { FileRefused } from '../files/refused.ts';
import { openTables } from '../files/open.ts';
import type { FindingKind, FindingSink, Table } from '../files/table.ts';
import { withoutHarmless, type FileFindings, type FindingExample } from './findings.ts';

/** One axis to import from data files, several if the data is in parts. */
export interface AxisTask {
  /** The axis without its key fields, which are derived from the records. */
  readonly axis: Omit<Axis, 'keyFields'>;
  readonly files: readonly string[];
  readonly sheet: string | null;
  /** Findings of the stored version of the axis. */
  readonly previousFindings: readonly QualityFinding[];
  /** The empty folder to write to. */
  readonly folder: string;
}

export interface AxisReport {
  readonly written: WrittenAxis;
  readonly findings: FileFindings[];
  readonly parts: readonly string[];
}

/**
 * Reads the files of a task into the folder of an axis. Tables with the same columns and date become one table.
 * If their names have different dates, only the newest is imported. If their columns differ, only the largest
 * is imported. Each table that is not imported is reported as a finding. Throws `FileRefused`.
 */
export async function importAxis(
  task: AxisTask,
  onRows: (rows: number) => void,
): Promise<AxisReport> {
  const general = new FindingCounts<FindingKind, FindingExample>();
  const layouts = new Map<string, Layout>();
  using unfinished = new DisposableStack();
  for (const file of task.files) {
    let current: Layout | null = null;
    const sink: FindingSink = ({ kind, row, detail }) => {
      (current?.findings ?? general).add(kind, [{ file: basename(file), row, detail }]);
    };
    const { impossibleDate } = datasetOfFileName(file);
    if (impossibleDate !== null) {
      const detail = `The file’s name has the date ${impossibleDate}, which does not exist.`;
      sink({ kind: 'date_impossible', row: null, detail });
    }
    const options = task.sheet === null ? {} : { sheet: task.sheet };
    for await (const table of openTables(file, options, sink)) {
      const date = table.part === null ? '' : (datasetOfFileName(table.part).referenceDate ?? '');
      const key = JSON.stringify([table.columns, date]);
      current = layouts.get(key) ?? null;
      if (current === null) {
        const folder = `${task.folder}.layout-${layouts.size}`;
        current = unfinished.use(new Layout(folder, table, date));
        layouts.set(key, current);
      }
      reportHeaderLines(table, sink);
      await current.addTable(basename(file), table, onRows);
      current = null;
    }
  }
  const [chosen, ...others] = byPreference([...layouts.values()]);
  if (chosen === undefined || chosen.rows === 0) {
    throw new FileRefused('empty', `${basename(task.files[0]!)} has no record.`);
  }
  for (const other of others) {
    const detail = other.reasonNotImported(chosen);
    general.add('part_not_held', [{ file: other.parts[0] ?? '', row: null, detail }]);
  }
  const report = chosen.finish(task, general);
  rmSync(task.folder, { recursive: true, force: true });
  renameSync(chosen.folder, task.folder);
  return report;
}

/** Reports title lines and renamed columns, because every line of a file is imported or reported. */
function reportHeaderLines({ layout }: Table, sink: FindingSink): void {
  for (const detail of layout.titleLines) sink({ kind: 'title_line', row: null, detail });
  for (const detail of layout.renamedColumns) sink({ kind: 'column_renamed', row: null, detail });
}

/** Orders layouts by preference: the newest of each set of columns first, and the largest of these before others. */
function byPreference(layouts: readonly Layout[]): Layout[] {
  const newest = [...Map.groupBy(layouts, ({ columns }) => JSON.stringify(columns)).values()].map(
    (group) => group.toSorted((a, b) => (a.date < b.date ? 1 : -1))[0]!,
  );
  const first = newest.toSorted((a, b) => b.rows - a.rows);
  return [...first, ...layouts.filter((layout) => !newest.includes(layout))];
}

/** The records of all tables that have the same columns and date. */
class Layout implements Disposable {
  readonly folder: string;
  readonly columns: readonly string[];
  /** Date in the names of the tables; empty if there is none. */
  readonly date: string;
  readonly parts: string[] = [];
  readonly findings = new FindingCounts<FindingKind, FindingExample>();
  readonly #writer: ProfiledWriter;
  /** Source of the row that is being added. */
  readonly #place: { file: string; row: number | null } = { file: '', row: null };
  #isFinished = false;

  constructor(folder: string, { columns, layout }: Table, date: string) {
    this.folder = folder;
    this.date = date;
    this.columns = columns;
    mkdirSync(folder, { recursive: true });
    this.#writer = new ProfiledWriter(folder, columns, { units: layout.units, place: this.#place });
  }

  get rows(): number {
    return this.#writer.rows;
  }

  async addTable(
    file: string,
    { part, batches }: Table,
    onRows: (rows: number) => void,
  ): Promise<void> {
    if (part !== null) this.parts.push(part);
    this.#place.file = file;
    for await (const { rows, sourceRows } of batches) {
      for (let index = 0; index < rows.length; index++) {
        this.#place.row = sourceRows[index] ?? null;
        this.#writer.add(rows[index]!);
      }
      onRows(rows.length);
    }
  }

  reasonNotImported(chosen: Layout): string {
    const isOlder = JSON.stringify(chosen.columns) === JSON.stringify(this.columns);
    const reason = isOlder
      ? `${chosen.parts[0] ?? 'Another table'} is newer`
      : `other columns: ${this.columns.slice(0, 5).join(', ')}`;
    return `${this.rows} rows (${reason}).`;
  }

  finish(
    { axis, files, previousFindings }: AxisTask,
    general: FindingCounts<FindingKind, FindingExample>,
  ): AxisReport {
    const { profiler } = this.#writer;
    const fields = profiler.fields();
    const names = files.map((file) => basename(file));
    this.#reportImpossibleDates();
    this.#reportStrayCoordinates(names[0]!);
    const assumed = this.#assumedSido(fields, [axis.title, axis.provider?.name ?? '', ...names]);
    if (assumed !== null) {
      const detail = sidoAssumed(assumed);
      this.findings.add('sido_assumed', [{ file: names[0]!, row: null, detail }]);
    }
    const findings = [...general.all(), ...this.findings.all()];
    const written = this.#writer.finish({ ...axis, keyFields: profiler.keyFields() }, fields, {
      joinRegion: createAxisRegionJoiner(fields, assumed?.sido),
      quality: lastingQuality(findings, previousFindings, axis.collectedAt),
    });
    this.#isFinished = true;
    return { written, findings, parts: this.parts };
  }

  #assumedSido(fields: readonly Field[], titles: readonly string[]): AssumedSido | null {
    const index = fieldWithoutSido(fields);
    return index === null ? null : assumeSido(this.#writer.profiler.valuesOf(index), titles);
  }

  #reportImpossibleDates(): void {
    for (const { field, count, examples } of this.#writer.profiler.impossibleDates()) {
      const located = examples.map(({ file, row, text }) => ({
        file,
        row,
        detail: `${field}: the date ${text} does not exist and is stored as written.`,
      }));
      this.findings.add('date_impossible', located, count);
    }
  }

  #reportStrayCoordinates(file: string): void {
    for (const { field, swapped, outside, readAs } of this.#writer.profiler.strayCoordinates()) {
      const kinds = [
        ...(swapped > 0 ? [`${swapped} in the column of the other coordinate`] : []),
        ...(outside > 0 ? [`${outside} outside Korea`] : []),
      ];
      const read = readAs === null ? 'not read as coordinates' : `read as ${readAs}`;
      const detail = `${field}: ${kinds.join(', ')}. Stored as written, ${read}.`;
      this.findings.add('coordinate_odd', [{ file, row: null, detail }], swapped + outside);
    }
  }

  [Symbol.dispose](): void {
    this.#writer[Symbol.dispose]();
    if (!this.#isFinished) rmSync(this.folder, { recursive: true, force: true });
  }
}

function sidoAssumed({ sido, by, names }: AssumedSido): string {
  const source = by === 'title' ? 'the title, provider or file name' : 'the other names';
  return `${names.slice(0, 5).join(', ')}: assumed to be in ${sido.name}, because of ${source}.`;
}

/** The findings that users of an axis must know; undefined if there are none. Known ones keep their date. */
function lastingQuality(
  findings: readonly FileFindings[],
  previous: readonly QualityFinding[],
  now: string,
): Quality | undefined {
  const lasting = withoutHarmless(findings);
  const since = new Map(previous.map((finding) => [finding.kind, finding.since]));
  return lasting.length === 0 ? undefined : qualityOf(lasting, since, now);
}
