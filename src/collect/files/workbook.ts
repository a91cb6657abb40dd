import { read, SSF, type CellObject, type DenseWorkSheet, type WorkBook } from '@e965/xlsx';
import { countFilled, findHeading, headRowsMax, type Heading, type HeadRow } from './heading.ts';
import type { Part } from './part.ts';
import { FileRefused } from './refused.ts';
import { readAll } from './source.ts';
import { TableBody } from './table-body.ts';
import type { Batch, Cell, Encoding, FileFormat, FindingSink, Table } from './table.ts';
import { readText } from './text.ts';

/** The sheets of a workbook, new or old; `FileRefused` where it is encrypted, damaged or another document. */
export async function* workbookTables(part: Part, format: FileFormat): AsyncIterable<Table> {
  const bytes = await readAll(part.source, part.limits.workbookBytesMax);
  yield* sheetTables(part, parse(part.source.name, bytes), format, null);
}

/** The tables of a web page or an XML workbook under a spreadsheet's name: what many agencies call `.xls`. */
export async function* markupTables(
  part: Part,
  encoding: Encoding,
  format: FileFormat,
): AsyncIterable<Table> {
  const { source, limits } = part;
  let text = '';
  for await (const piece of readText(source, encoding)) {
    text += piece;
    if (text.length > limits.documentUnitsMax) {
      throw new FileRefused(
        'too_large',
        `${source.name} is longer than ${limits.documentUnitsMax} characters; save it as CSV.`,
      );
    }
  }
  yield* sheetTables(part, parse(source.name, text), format, encoding);
}

function parse(name: string, content: Buffer | string): WorkBook {
  try {
    return typeof content === 'string'
      ? read(content, { type: 'string', raw: true, dense: true, cellNF: true })
      : read(content, { dense: true, cellNF: true, cellHTML: false, cellFormula: false });
  } catch (error) {
    throw workbookRefusal(name, error);
  }
}

function workbookRefusal(name: string, error: unknown): FileRefused {
  const text = error instanceof Error ? error.message : String(error);
  if (/password|encrypt/iu.test(text)) {
    return new FileRefused(
      'encrypted',
      `${name} is protected by a password; save it without one and load it again.`,
      { cause: error },
    );
  }
  if (/cannot find|unsupported|unrecognized/iu.test(text)) {
    return new FileRefused('unsupported', `${name} is an Office document without sheets we read.`, {
      cause: error,
    });
  }
  return new FileRefused('damaged', `${name} is not a readable workbook; download it again.`, {
    cause: error,
  });
}

function* sheetTables(
  part: Part,
  workbook: WorkBook,
  format: FileFormat,
  encoding: Encoding | null,
): Iterable<Table> {
  const { finding } = part;
  const epoch1904 = workbook.Workbook?.WBProps?.date1904 ?? false;
  let held = 0;
  for (const [at, name] of workbook.SheetNames.entries()) {
    const hidden = (workbook.Workbook?.Sheets?.[at]?.Hidden ?? 0) !== 0;
    const unwanted = part.sheet !== null && part.sheet !== name;
    // Read with `dense`, every sheet is of the dense kind.
    const grid = gridOf(workbook.Sheets[name] as DenseWorkSheet, epoch1904);
    const reason = hidden && part.sheet !== name ? 'hidden' : unwanted ? 'not asked for' : null;
    if (reason !== null || grid.rows.length === 0) {
      const detail = `The sheet ${name} is ${reason ?? 'empty'}.`;
      finding({ kind: 'part_not_held', row: null, detail });
      continue;
    }
    held += 1;
    const path = part.path === null ? name : `${part.path}/${name}`;
    yield gridTable(grid, path, format, encoding, part);
  }
  if (held > 0) return;
  throw new FileRefused(
    part.sheet === null ? 'empty' : 'not_a_table',
    `${part.source.name} has no sheet ${part.sheet === null ? 'with cells' : `named ${part.sheet}`}; it has: ${workbook.SheetNames.join(', ')}.`,
  );
}

interface Grid {
  /** Cells as text, blank rows included, trailing blank rows not. */
  readonly rows: readonly HeadRow[];
  readonly width: number;
  /** 1-based row of the sheet that `rows` starts with. */
  readonly firstRow: number;
  /** The first rows with merged cells filled in both directions, as a header is read. */
  readonly head: readonly HeadRow[];
}

function gridTable(
  grid: Grid,
  path: string,
  format: FileFormat,
  encoding: Encoding | null,
  part: Part,
): Table {
  const heading = findHeading(grid.head, grid.width, part.limits);
  const { columns, layout } = heading;
  return {
    part: path,
    format,
    encoding,
    columns,
    layout,
    batches: gridBatches(grid, heading, part.finding),
  };
}

async function* gridBatches(
  grid: Grid,
  { columns, headerWidth, firstDataRow }: Heading,
  finding: FindingSink,
): AsyncIterable<Batch> {
  const width = columns.length;
  const body = new TableBody(width, finding);
  for (let at = firstDataRow; at < grid.rows.length; at++) {
    const row = grid.rows[at] ?? [];
    const cells = Array.from({ length: width }, (_, column) => row[column] ?? null);
    const filled = countFilled(cells);
    const used = filledWidth(row);
    if (used > headerWidth) {
      const detail = `${used} cells under ${headerWidth} names; the surplus is in 추가열1 and on.`;
      finding({ kind: 'row_wider', row: grid.firstRow + at, detail });
    }
    body.add(cells, filled, grid.firstRow + at);
    if (body.full) yield body.take();
  }
  yield body.end();
}

function gridOf(sheet: DenseWorkSheet, epoch1904: boolean): Grid {
  const data: readonly (readonly (CellObject | undefined)[] | undefined)[] = sheet['!data'];
  // Rows without cells are holes.
  const rows = Array.from(data, (row) => Array.from(row ?? [], (cell) => textOf(cell, epoch1904)));
  const firstRow = rows.findIndex(isFilled);
  if (firstRow < 0) return { rows: [], width: 0, firstRow: 1, head: [] };
  const head = rows.slice(0, firstRow + headRowsMax).map((row) => [...row]);
  for (const { s, e } of sheet['!merges'] ?? []) {
    const value = rows[s.r]?.[s.c] ?? null;
    if (value === null) continue;
    // A merged cell names the rows below it; across, it would say the same thing twice in a row.
    for (let row = s.r; row <= e.r && row < rows.length; row++) fill(rows, row, s.c, value);
    for (let row = s.r; row <= e.r && row < head.length; row++) {
      for (let column = s.c; column <= e.c; column++) fill(head, row, column, value);
    }
  }
  const last = rows.findLastIndex(isFilled);
  const width = rows.reduce((most, row) => Math.max(most, filledWidth(row)), 0);
  return {
    rows: rows.slice(firstRow, last + 1),
    width,
    firstRow: firstRow + 1,
    head: head.slice(firstRow, last + 1),
  };
}

function fill(rows: readonly Cell[][], row: number, column: number, value: Cell): void {
  const cells = rows[row];
  if (cells === undefined) return;
  while (cells.length <= column) cells.push(null);
  cells[column] ??= value;
}

function isFilled(row: HeadRow): boolean {
  return row.some((cell) => cell !== null);
}

function filledWidth(row: HeadRow): number {
  return row.findLastIndex((cell) => cell !== null) + 1;
}

/** A cell as a person would copy it: dates as ISO text, codes with their zeros, numbers without noise. */
function textOf(cell: CellObject | undefined, epoch1904: boolean): string | null {
  if (cell === undefined || cell.v === undefined) return null;
  const text = cell.t === 'n' ? numberText(cell, epoch1904) : (cell.w ?? String(cell.v));
  const clean = (cell.t === 's' ? String(cell.v) : text).normalize('NFC').trim();
  return clean === '' ? null : clean.replaceAll('\0', '\ufffd');
}

function numberText(cell: CellObject, epoch1904: boolean): string {
  const value = Number(cell.v);
  const format = String(cell.z ?? 'General');
  if (SSF.is_date(format)) return dateText(value, epoch1904) ?? cell.w ?? String(value);
  if (/^(?:"[^"]*"|[-\s\\()])*0{2}[0\s\\()-]*$/u.test(format)) return cell.w ?? String(value);
  return plainNumber(value);
}

/** What SheetJS takes a day apart into; its formatter has no types. */
interface DateCode {
  readonly y: number;
  readonly m: number;
  readonly d: number;
  readonly H: number;
  readonly M: number;
  readonly S: number;
}

/** `2024-01-31`, with `T18:31:00` where there is a time; `18:31:00` where there is no day. */
function dateText(serial: number, epoch1904: boolean): string | null {
  const code = SSF.parse_date_code(serial, { date1904: epoch1904 }) as DateCode | null;
  if (code === null) return null;
  const time = [code.H, code.M, code.S].map(twoDigits).join(':');
  if (serial >= 0 && serial < 1) return time;
  const date = `${String(code.y).padStart(4, '0')}-${twoDigits(code.m)}-${twoDigits(code.d)}`;
  return time === '00:00:00' ? date : `${date}T${time}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** Excel keeps 15 digits: what lies beyond is noise of binary fractions. */
function plainNumber(value: number): string {
  const text = String(Number(value.toPrecision(15)));
  if (!text.includes('e')) return text;
  return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
}
