import type { Part } from './part.ts';
import { sheetTables } from './sheets.ts';
import type { Table } from './table.ts';
import { readBook, type PartFinder } from './xlsx-book.ts';
import { readSheet } from './xlsx-sheet.ts';

/** Yields the tables of an XLSX file, one sheet after the other; throws `FileRefused` if it is damaged. */
export async function* xlsxTables(part: Part, find: PartFinder): AsyncIterable<Table> {
  const book = await readBook(part.source.name, find);
  const sheets = book.sheets.map(({ name, isHidden, source }) => ({
    name,
    isHidden,
    readCells: () => readSheet(source, book, part.limits.columnsMax),
  }));
  yield* sheetTables(part, sheets, 'xlsx', null);
}
