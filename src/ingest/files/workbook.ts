import * as library from '@e965/xlsx';
import { CFB, read, utils, type DenseWorkSheet, type WorkBook } from '@e965/xlsx';
import { documentRefusal, oleDocument } from './document.ts';
import { findingTexts } from './finding-texts.ts';
import { pagesOfMhtml } from './mhtml.ts';
import type { Part } from './part.ts';
import { FileRefused } from './refused.ts';
import { gridOf } from './sheet-grid.ts';
import { gridTables } from './sheet-tables.ts';
import { readAll } from './source.ts';
import { nameEqualSections } from './section-column.ts';
import type { Encoding, FileFormat, Table } from './table.ts';
import { readText } from './text.ts';

/** Yields the sheets of a workbook; throws `FileRefused` if it is encrypted, damaged or another document. */
export async function* workbookTables(part: Part, format: FileFormat): AsyncIterable<Table> {
  const bytes = await readAll(part.source, part.limits.workbookBytesMax);
  const { name } = part.source;
  if (format !== 'xlsx' || bytes.length < part.limits.sheetwiseBytesMin) {
    yield* sheetTables(part, parse(name, bytes), format, null);
    return;
  }
  const sheetsOf = zippedWorkbook(name, bytes);
  yield* sheetTables(part, sheetsOf([]), format, null, (index) => sheetsOf([index]));
}

/** Opens an XLSX or XLSB file; the returned function parses it with the cells of the sheets at some positions. */
function zippedWorkbook(name: string, bytes: Buffer): (sheets: number[]) => WorkBook {
  const zip = refusing(name, bytes, () => CFB.read(bytes, { type: 'buffer' }) as object);
  return (sheets) => refusing(name, bytes, () => parseZip(zip, { ...readOptions, sheets }));
}

// The library exports it without a type; `read` would inflate the whole file for each sheet.
const parseZip = (library as unknown as { parse_zip: (zip: object, options: object) => WorkBook })
  .parse_zip;
const readOptions = { dense: true, cellNF: true, cellHTML: false, cellFormula: false } as const;

/** Yields the tables of an HTML page or XML workbook, which many agencies name `.xls`. */
export async function* markupTables(
  part: Part,
  encoding: Encoding,
  format: FileFormat,
): AsyncIterable<Table> {
  const text = await wholeText(part, encoding);
  yield* sheetTables(part, parse(part.source.name, text), format, encoding);
}

/** Yields the tables of the pages in an MHTML text. */
export async function* mhtmlTables(part: Part, encoding: Encoding): AsyncIterable<Table> {
  const { name } = part.source;
  const pages = pagesOfMhtml(await wholeText(part, encoding));
  if (pages.length === 0) {
    throw new FileRefused('not_a_table', `${name} is a web archive (MHTML) without a table.`);
  }
  const workbook = utils.book_new();
  for (const page of pages) {
    const { SheetNames, Sheets } = parse(name, page);
    for (const each of SheetNames) utils.book_append_sheet(workbook, Sheets[each]!, each, true);
  }
  yield* sheetTables(part, workbook, 'html', encoding);
}

async function wholeText({ source, limits }: Part, encoding: Encoding): Promise<string> {
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
  return text;
}

function parse(name: string, content: Buffer | string): WorkBook {
  return refusing(name, content, () =>
    typeof content === 'string'
      ? read(content, { type: 'string', raw: true, dense: true, cellNF: true })
      : read(content, readOptions),
  );
}

/** Calls the library; its error becomes a refusal. */
function refusing<Result>(name: string, content: Buffer | string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw workbookRefusal(name, content, error);
  }
}

function workbookRefusal(name: string, content: Buffer | string, error: unknown): FileRefused {
  const text = error instanceof Error ? error.message : String(error);
  const options = { cause: error };
  if (/password|encrypt/iu.test(text)) {
    const message = `${name} is protected by a password; save it without one and load it again.`;
    return new FileRefused('encrypted', message, options);
  }
  const document = typeof content === 'string' ? null : oleDocument(content);
  if (document !== null) return documentRefusal(name, document);
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
  withCells: (sheet: number) => WorkBook = () => workbook,
): Iterable<Table> {
  const { finding } = part;
  const epoch1904 = workbook.Workbook?.WBProps?.date1904 ?? false;
  const tables: Table[] = [];
  const otherSheets: string[] = [];
  let sheetsRead = 0;
  for (const [index, name] of workbook.SheetNames.entries()) {
    if (part.sheet !== null && part.sheet !== name) {
      otherSheets.push(name);
      continue;
    }
    const isHidden = (workbook.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0;
    if (isHidden && part.sheet === null) {
      finding({ kind: 'part_not_held', row: null, detail: findingTexts.sheetHidden(name) });
      continue;
    }
    // Read with `dense`, every sheet is of the dense kind.
    const sheet = withCells(index).Sheets[name] as DenseWorkSheet;
    const grid = gridOf(sheet, epoch1904, part.limits.columnsMax);
    if (grid === null) throw sizeRefusal(part, name);
    if (grid.rows.length === 0) {
      finding({ kind: 'part_not_held', row: null, detail: findingTexts.sheetEmpty(name) });
      continue;
    }
    sheetsRead += 1;
    tables.push(...gridTables(grid, name, part).map((table) => ({ ...table, format, encoding })));
  }
  if (otherSheets.length > 0 && tables.length > 0) {
    const detail = findingTexts.sheetsNotRequested(otherSheets);
    finding({ kind: 'part_not_held', row: null, detail });
  }
  if (tables.length === 0) {
    throw new FileRefused(
      part.sheet === null ? 'empty' : 'not_a_table',
      `${part.source.name} has no sheet ${part.sheet === null ? 'with cells' : `named ${part.sheet}`}; it has: ${workbook.SheetNames.join(', ')}.`,
    );
  }
  const held = tables.filter((table) => isTableAmong(table, tables));
  for (const { section } of tables.filter((table) => !held.includes(table))) {
    const detail = findingTexts.sheetWithoutTable(section ?? '');
    finding({ kind: 'part_not_held', row: null, detail });
  }
  yield* nameEqualSections(held, tables.length === sheetsRead ? '시트' : '표');
}

/** False for a sheet of notes beside tables: its text is in one column. */
function isTableAmong({ columns }: Table, tables: readonly Table[]): boolean {
  return columns.length > 1 || tables.every((table) => table.columns.length < 2);
}

function sizeRefusal({ source, limits }: Part, sheet: string): FileRefused {
  return new FileRefused(
    'too_large',
    `${source.name} has a cell in the sheet ${sheet} past row 1,048,576 or column ${limits.columnsMax}; ` +
      'delete the cells outside the table and load it again.',
  );
}
