import { read, type DenseWorkSheet, type WorkBook } from '@e965/xlsx';
import { countFilled } from './header-rows.ts';
import { findHeading, singleHeaderRow, type Heading } from './heading.ts';
import type { Part } from './part.ts';
import { FileRefused } from './refused.ts';
import { filledWidth, gridOf, type Grid } from './sheet-grid.ts';
import { readAll } from './source.ts';
import { TableBody } from './table-body.ts';
import type { Batch, Encoding, FileFormat, FindingSink, Table } from './table.ts';
import { readText } from './text.ts';

/** Yields the sheets of a workbook; throws `FileRefused` if it is encrypted, damaged or another document. */
export async function* workbookTables(part: Part, format: FileFormat): AsyncIterable<Table> {
  const bytes = await readAll(part.source, part.limits.workbookBytesMax);
  yield* sheetTables(part, parse(part.source.name, bytes), format, null);
}

/** Yields the tables of an HTML page or XML workbook, which many agencies name `.xls`. */
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
  const options = { cause: error };
  if (/password|encrypt/iu.test(text)) {
    const message = `${name} is protected by a password; save it without one and load it again.`;
    return new FileRefused('encrypted', message, options);
  }
  if (/cannot find|unsupported|unrecognized/iu.test(text)) {
    const message = `${name} is an Office document without readable sheets; save the table as XLSX or CSV.`;
    return new FileRefused('unsupported', message, options);
  }
  const message = `${name} is not a readable workbook; download it again.`;
  return new FileRefused('damaged', message, options);
}

function* sheetTables(
  part: Part,
  workbook: WorkBook,
  format: FileFormat,
  encoding: Encoding | null,
): Iterable<Table> {
  const { finding } = part;
  const epoch1904 = workbook.Workbook?.WBProps?.date1904 ?? false;
  let sheetsRead = 0;
  for (const [index, name] of workbook.SheetNames.entries()) {
    const isHidden = (workbook.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0;
    const isOther = part.sheet !== null && part.sheet !== name;
    const skipReason =
      isHidden && part.sheet !== name ? 'hidden' : isOther ? 'not requested' : null;
    // Read with `dense`, every sheet is of the dense kind.
    const sheet = workbook.Sheets[name] as DenseWorkSheet;
    const grid = skipReason === null ? gridOf(sheet, epoch1904, part.limits.columnsMax) : null;
    if (skipReason === null && grid === null) throw sizeRefusal(part, name);
    if (grid === null || grid.rows.length === 0) {
      const detail = `The sheet ${name} is ${skipReason ?? 'empty'}.`;
      finding({ kind: 'part_not_held', row: null, detail });
      continue;
    }
    sheetsRead += 1;
    const path = part.path === null ? name : `${part.path}/${name}`;
    yield gridTable(grid, path, format, encoding, part);
  }
  if (sheetsRead > 0) return;
  throw new FileRefused(
    part.sheet === null ? 'empty' : 'not_a_table',
    `${part.source.name} has no sheet ${part.sheet === null ? 'with cells' : `named ${part.sheet}`}; it has: ${workbook.SheetNames.join(', ')}.`,
  );
}

function sizeRefusal({ source, limits }: Part, sheet: string): FileRefused {
  return new FileRefused(
    'too_large',
    `${source.name} has a cell in the sheet ${sheet} past row 1,048,576 or column ${limits.columnsMax}; ` +
      'delete the cells outside the table and load it again.',
  );
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
  heading: Heading,
  finding: FindingSink,
): AsyncIterable<Batch> {
  const { columns, headerWidth, firstDataRow } = heading;
  const width = columns.length;
  const body = new TableBody(width, finding, singleHeaderRow(heading));
  for (let index = firstDataRow; index < grid.rows.length; index++) {
    const row = grid.rows[index] ?? [];
    const cells = Array.from({ length: width }, (_, column) => row[column] ?? null);
    const filled = countFilled(cells);
    const used = filledWidth(row);
    if (used > width) {
      const detail = `${used} cells under ${headerWidth} names; the row is too wide and not imported.`;
      finding({ kind: 'row_unreadable', row: grid.firstRow + index, detail });
      continue;
    }
    if (used > headerWidth) {
      const detail = `${used} cells under ${headerWidth} names; the surplus is in 추가열1 and on.`;
      finding({ kind: 'row_wider', row: grid.firstRow + index, detail });
    }
    body.add(cells, filled, grid.firstRow + index);
    if (body.isFull) yield body.takeBatch();
  }
  yield body.endBatch();
}
