import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { BilingualText } from '../../contract/language.ts';
import type { Axis, Field, Quality, QualityFinding } from '../../data/axis.ts';
import { FindingCounts, qualityOf } from '../../data/finding.ts';
import { assumeSido, type AssumedSido } from '../../data/regions/assume-sido.ts';
import { createAxisRegionJoiner, fieldWithoutSido } from '../../data/regions/axis-joiner.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import { ProfiledWriter } from '../fields/profiled-writer.ts';
import { columnsKey } from '../files/column-names.ts';
import { datasetOfFileName } from '../files/dataset-name.ts';
import { FileRefused } from '../files/refused.ts';
import { bothLanguages, findingTexts } from '../files/finding-texts.ts';
import { openTables } from '../files/open.ts';
import type { PartHeader } from '../files/part-header.ts';
import { tablePath, type FindingKind, type FindingSink, type Table } from '../files/table.ts';
import { addFileFinding, reportHeaderLines, reportOddValues } from './axis-findings.ts';
import { withoutHarmless, type FileFindings, type FindingExample } from './findings.ts';
import { hasSimilarColumns } from './identity.ts';
import { publishedFields } from './published-fields.ts';
import { skipTexts } from './skip-texts.ts';

/** One axis to import from data files, several if the data is in parts. */
export interface AxisTask {
  /** The axis without its key fields, which are derived from the records. */
  readonly axis: Omit<Axis, 'keyFields'>;
  readonly files: readonly string[];
  /** Headers of the files that have the header of the first part instead of one of their own, by path. */
  readonly firstHeaders?: ReadonlyMap<string, PartHeader> | undefined;
  readonly sheet: string | null;
  /** Columns of all parts together; null if every table has its own. */
  readonly columns: readonly string[] | null;
  /** Columns of the stored axis with the code; a table with similar columns keeps the code. Null if no axis has it. */
  readonly storedColumns: readonly string[] | null;
  /** Findings of the stored version of the axis. */
  readonly previousFindings: readonly QualityFinding[];
  /** The empty folder to write to. */
  readonly folder: string;
}

export interface TableReport {
  readonly written: WrittenAxis;
  readonly findings: FileFindings[];
}

export interface AxisReport extends TableReport {
  /** Other tables of the files, ordered by name; each needs an identity of its own. */
  readonly otherTables: readonly OtherTable[];
}

/** An imported table with other columns than the main table of its file. */
export interface OtherTable extends TableReport {
  /** Path inside the file, without dates; null for several tables put together. */
  readonly name: string | null;
  readonly folder: string;
}

/**
 * Reads the files of a task into the folder of an axis. Tables with the same columns and date become one table.
 * If their names have different dates, only the newest is imported. If their columns differ, the main table is the one
 * with the columns of the stored axis, or else the one that represents the file, or else the largest; each of the
 * others becomes an axis of its own. Each table that is not imported is reported as a finding. Throws `FileRefused`.
 */
export async function importAxis(
  task: AxisTask,
  onRows: (rows: number) => void,
): Promise<AxisReport> {
  const fileFindings = new FindingCounts<FindingKind, FindingExample>();
  const joinedTables = new Map<string, JoinedTable>();
  using tables = new DisposableStack();
  let last: JoinedTable | null = null;
  for (const file of task.files) {
    let current: JoinedTable | null = null;
    const sink: FindingSink = ({ kind, row, detail }) => {
      const example = { file: basename(file), row, detail: bothLanguages(detail) };
      (current?.findings ?? fileFindings).add(kind, [example]);
    };
    const { title, titleSource, impossibleDate } = datasetOfFileName(file);
    if (titleSource === 'none' && title === task.axis.title) {
      sink({ kind: 'title_missing', row: null, detail: findingTexts.titleMissing(title) });
    }
    if (impossibleDate !== null) {
      const detail = findingTexts.nameDateImpossible(impossibleDate);
      sink({ kind: 'date_impossible', row: null, detail });
    }
    const firstHeader = task.firstHeaders?.get(file);
    const options = { firstHeader, ...(task.sheet === null ? {} : { sheet: task.sheet }) };
    for await (const table of openTables(file, options, sink)) {
      const date = dateOfPart(table);
      const columns = columnsToJoin(table, task.columns);
      const key = JSON.stringify([columnsKey(columns), date]);
      current = joinedTables.get(key) ?? null;
      if (current === null) {
        const folder = `${task.folder}.layout-${joinedTables.size}`;
        current = tables.use(new JoinedTable(folder, task.axis.title, { ...table, columns }, date));
        joinedTables.set(key, current);
      }
      reportHeaderLines(table, sink);
      if (last !== current) last?.pause();
      last = current;
      await current.addTable(basename(file), table, onRows);
      current = null;
    }
  }
  const { newest, older } = sortByPreference([...joinedTables.values()], task.storedColumns);
  const [best, ...others] = newest;
  if (best === undefined || best.rows === 0) {
    throw new FileRefused('empty', skipTexts.noRecord(basename(task.files[0]!)));
  }
  const otherTables = others.filter(({ rows }) => rows > 0);
  for (const other of [...others, ...older]) {
    if (otherTables.includes(other)) continue;
    const detail = other.reasonNotImported(best);
    addFileFinding(fileFindings, 'part_not_held', other.place, detail);
  }
  const report = best.finish(task, fileFindings);
  rmSync(task.folder, { recursive: true, force: true });
  renameSync(best.folder, task.folder);
  const reports = otherTables.map((table) => ({
    ...table.finish(task, new FindingCounts()),
    name: table.name,
    folder: table.folder,
  }));
  return { ...report, otherTables: reports.sort((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1)) };
}

function orderKey({ name, written }: OtherTable): string {
  return JSON.stringify([name ?? '', written.stored.fields.map((field) => field.name)]);
}

/** Date in the name of a member of an archive. Members whose names became a column are not versions of each other. */
function dateOfPart({ part, isNamedByFile }: Table): string {
  if (part === null || isNamedByFile === true) return '';
  return datasetOfFileName(part).referenceDate ?? '';
}

/** Columns of the joined table that a table belongs to: the columns of all parts if the table has no others. */
function columnsToJoin(
  { columns }: Table,
  columnsOfAllParts: readonly string[] | null,
): readonly string[] {
  if (columnsOfAllParts === null) return columns;
  return columns.every((name) => columnsOfAllParts.includes(name)) ? columnsOfAllParts : columns;
}

/** The newest tables of each set of columns, the main table first and then the largest, and all older ones. */
function sortByPreference(
  tables: readonly JoinedTable[],
  storedColumns: readonly string[] | null,
): { readonly newest: readonly JoinedTable[]; readonly older: readonly JoinedTable[] } {
  const newest = [...Map.groupBy(tables, ({ columns }) => columnsKey(columns)).values()].map(
    (group) => group.toSorted((a, b) => (a.date < b.date ? 1 : -1))[0]!,
  );
  const isStored = ({ columns, rows }: JoinedTable): boolean =>
    storedColumns !== null && rows > 0 && hasSimilarColumns(columns, storedColumns);
  return {
    newest: newest.toSorted(
      (a, b) =>
        Number(isStored(b)) - Number(isStored(a)) ||
        Number(b.isMain) - Number(a.isMain) ||
        b.rows - a.rows,
    ),
    older: tables.filter((table) => !newest.includes(table)),
  };
}

/** The records of all tables that have the same columns, in any order, and the same date. */
class JoinedTable implements Disposable {
  readonly folder: string;
  readonly columns: readonly string[];
  /** Date in the names of the tables; empty if there is none. */
  readonly date: string;
  /** True if one of the tables represents its file. */
  isMain = false;
  readonly parts: string[] = [];
  readonly findings = new FindingCounts<FindingKind, FindingExample>();
  readonly #writer: ProfiledWriter;
  readonly #files: string[] = [];
  /** Source of the row that is being added. */
  readonly #place: { file: string; row: number | null } = { file: '', row: null };
  /** Largest number of records that a response declares. */
  #declaredRecords = 0;
  #isFinished = false;

  constructor(folder: string, title: string, table: Table, date: string) {
    const { columns, layout } = table;
    this.folder = folder;
    this.date = date;
    this.columns = columns;
    mkdirSync(folder, { recursive: true });
    this.#writer = new ProfiledWriter(folder, columns, {
      title,
      units: layout.units,
      place: this.#place,
      publishedFields: publishedFields(table),
    });
  }

  get rows(): number {
    return this.#writer.rows;
  }

  /** Path of the only table, without dates, which differ from version to version; null for several. */
  get name(): string | null {
    const [path, ...others] = this.parts;
    if (path === undefined || others.length > 0) return null;
    return path
      .split('/')
      .map((piece) => datasetOfFileName(piece).title)
      .join('/');
  }

  async addTable(file: string, table: Table, onRows: (rows: number) => void): Promise<void> {
    const { columns, total, batches } = table;
    const path = tablePath(table);
    if (path !== null) this.parts.push(path);
    this.isMain ||= table.isMain === true;
    this.#declaredRecords = Math.max(this.#declaredRecords, total?.declared ?? 0);
    this.#place.file = file;
    this.#files.push(file);
    const order = this.#orderOf(columns);
    for await (const { rows, sourceRows, totals } of batches) {
      for (let index = 0; index < rows.length; index++) {
        this.#place.row = sourceRows[index] ?? null;
        const cells = rows[index]!;
        const ordered = order === null ? cells : order.map((from) => cells[from] ?? null);
        this.#writer.add(ordered, totals?.has(index) === true);
      }
      onRows(rows.length);
    }
  }

  /** Frees the memory of the added records while records of another table are added. */
  pause(): void {
    this.#writer.pause();
  }

  /** Index of each column in the cells of a table; null if the table has the same columns in the same order. */
  #orderOf(columns: readonly string[]): readonly number[] | null {
    const isSame =
      columns.length === this.columns.length &&
      columns.every((name, index) => name === this.columns[index]);
    return isSame ? null : this.columns.map((name) => columns.indexOf(name));
  }

  /** Paths of the tables inside their files, or else the names of the files. */
  get place(): string {
    return [...new Set(this.parts.length > 0 ? this.parts : this.#files)].join(', ');
  }

  reasonNotImported(best: JoinedTable): BilingualText {
    const isOlder = columnsKey(best.columns) === columnsKey(this.columns);
    if (isOlder) return findingTexts.olderPart(this.rows, best.place);
    return findingTexts.otherColumns(this.rows, this.columns.slice(0, 5));
  }

  finish(
    { axis, files, previousFindings }: AxisTask,
    fileFindings: FindingCounts<FindingKind, FindingExample>,
  ): TableReport {
    const { profiler } = this.#writer;
    const fields = profiler.fields();
    const names = files.map((file) => basename(file));
    this.#reportMissingPages(names[0]!);
    reportOddValues(profiler, this.findings, names[0]!);
    const assumption = this.#assumedSido(fields, [axis.title, axis.provider?.name ?? '', ...names]);
    if (assumption !== null) {
      const { sido, by, names: districts } = assumption;
      const detail = findingTexts.sidoAssumed(districts.slice(0, 5), sido.name, by === 'title');
      addFileFinding(this.findings, 'sido_assumed', names[0]!, detail);
    }
    const findings = [...fileFindings.all(), ...this.findings.all()];
    const written = this.#writer.finish({ ...axis, keyFields: profiler.keyFields() }, fields, {
      joinRegion: createAxisRegionJoiner(fields, assumption?.sido),
      quality: qualityWithDates(findings, previousFindings, axis.collectedAt),
    });
    this.#isFinished = true;
    return { written, findings };
  }

  #assumedSido(fields: readonly Field[], titles: readonly string[]): AssumedSido | null {
    const index = fieldWithoutSido(fields);
    return index === null ? null : assumeSido(this.#writer.profiler.valuesOf(index), titles);
  }

  #reportMissingPages(file: string): void {
    const missing = this.#declaredRecords - this.rows;
    if (missing <= 0) return;
    const [rows, declared] = [this.rows, this.#declaredRecords].map((each) =>
      each.toLocaleString('en-US'),
    );
    const detail = findingTexts.pagesMissing(rows!, declared!);
    addFileFinding(this.findings, 'pages_missing', file, detail, missing);
  }

  [Symbol.dispose](): void {
    this.#writer[Symbol.dispose]();
    if (!this.#isFinished) rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The findings that users of an axis must know; undefined if there are none. Earlier findings keep their date. */
function qualityWithDates(
  findings: readonly FileFindings[],
  previous: readonly QualityFinding[],
  now: string,
): Quality | undefined {
  const published = withoutHarmless(findings);
  const since = new Map(previous.map((finding) => [finding.kind, finding.since]));
  return published.length === 0 ? undefined : qualityOf(published, since, now);
}
