import { read, utils, type CellObject, type DenseWorkSheet, type WorkBook } from '@e965/xlsx';
import { documentRefusal, oleDocument } from './document.ts';
import { pagesOfMhtml } from './mhtml.ts';
import type { Part } from './part.ts';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused } from './refused.ts';
import { isAddress, isScaled, scaledNumber, sheetCellText } from './sheet-cell.ts';
import { fillCell, sheetRowsMax, type SheetCells, type CellText } from './sheet-grid.ts';
import { sheetTables, type Sheet } from './sheets.ts';
import { readAll } from './source.ts';
import type { Cell, Encoding, FileFormat, Table } from './table.ts';
import { readText } from './text.ts';

/** Yields the tables of an XLS, XLSB or ODS file; throws `FileRefused` if it is encrypted, damaged or another document. */
export async function* workbookTables(part: Part, format: FileFormat): AsyncIterable<Table> {
  const bytes = await readAll(part.source, part.limits.workbookBytesMax);
  const { name } = part.source;
  yield* workbookSheets(part, parse(name, bytes), format, null);
}

const readOptions = { dense: true, cellNF: true, cellHTML: false, cellFormula: false } as const;

/** Yields the tables of an HTML page or XML workbook, which many agencies name `.xls`. */
export async function* markupTables(
  part: Part,
  encoding: Encoding,
  format: FileFormat,
): AsyncIterable<Table> {
  const text = await wholeText(part, encoding);
  yield* workbookSheets(part, parse(part.source.name, text), format, encoding);
}

/** Yields the tables of the pages in an MHTML text. */
export async function* mhtmlTables(part: Part, encoding: Encoding): AsyncIterable<Table> {
  const { name } = part.source;
  const pages = pagesOfMhtml(await wholeText(part, encoding));
  if (pages.length === 0) {
    throw new FileRefused('not_a_table', refusalTexts.archivedPageWithoutTable(name));
  }
  const workbook = utils.book_new();
  for (const page of pages) {
    const { SheetNames, Sheets } = parse(name, page);
    for (const each of SheetNames) utils.book_append_sheet(workbook, Sheets[each]!, each, true);
  }
  yield* workbookSheets(part, workbook, 'html', encoding);
}

async function wholeText({ source, limits }: Part, encoding: Encoding): Promise<string> {
  let text = '';
  for await (const piece of readText(source, encoding)) {
    text += piece;
    if (text.length > limits.documentUnitsMax) {
      throw new FileRefused(
        'too_large',
        refusalTexts.documentTooLong(source.name, limits.documentUnitsMax),
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
    return new FileRefused('encrypted', refusalTexts.workbookEncrypted(name), options);
  }
  const document = typeof content === 'string' ? null : oleDocument(content);
  if (document !== null) return documentRefusal(name, document);
  if (/cannot find|unsupported|unrecognized/iu.test(text)) {
    return new FileRefused('unsupported', refusalTexts.noSheets(name), options);
  }
  return new FileRefused('damaged', refusalTexts.notWorkbook(name), options);
}

/** The tables of the sheets that the library read. */
function workbookSheets(
  part: Part,
  workbook: WorkBook,
  format: FileFormat,
  encoding: Encoding | null,
): AsyncIterable<Table> {
  const epoch1904 = workbook.Workbook?.WBProps?.date1904 ?? false;
  const sheets = workbook.SheetNames.map((name, index): Sheet => {
    const isHidden = (workbook.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0;
    // Read with `dense`, every sheet is of the dense kind.
    const readCells = (): SheetCells | null =>
      textCells(workbook.Sheets[name] as DenseWorkSheet, epoch1904, part.limits.columnsMax);
    return { name, isHidden, readCells };
  });
  return sheetTables(part, sheets, format, encoding);
}

/**
 * Converts the cells of a sheet to text and empties it: both need much memory. Null if a cell is beyond the limits of a
 * sheet: a few bytes can claim a cell in row 99,999,999 and make the grid enormous.
 */
function textCells(
  sheet: DenseWorkSheet,
  epoch1904: boolean,
  columnsMax: number,
): SheetCells | null {
  const data = sheet['!data'] as (readonly (CellObject | undefined)[] | undefined)[];
  if (data.length > sheetRowsMax) return null;
  const rows: Cell[][] = Array.from({ length: data.length }, () => []);
  const errors: CellText[] = [];
  const links: CellText[] = [];
  let scaled: SheetCells['scaled'] = null;
  let isTooWide = false;
  // It visits only existing cells: missing rows and cells are holes in the arrays.
  data.forEach((row, index) => {
    row?.forEach((cell, column) => {
      const text = isTooWide ? null : sheetCellText(cell, epoch1904);
      if (text === null) return;
      const place = (): CellText => ({ row: index + 1, column: column + 1, text });
      if (cell?.t === 'e') errors.push(place());
      if (cell?.l !== undefined && !isAddress(text)) links.push(place());
      if (scaled === null && cell?.t === 'n' && isScaled(String(cell.z ?? 'General')))
        scaled = scaledNumber(index, column, String(cell.v), String(cell.z));
      if (column >= columnsMax) isTooWide = true;
      else fillCell(rows[index]!, column, text);
    });
    data[index] = undefined;
  });
  return isTooWide ? null : { rows, merges: sheet['!merges'] ?? [], errors, links, scaled };
}
