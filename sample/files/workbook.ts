import { utils, write, type CellObject, type Range, type WorkSheet } from '@e965/xlsx';
import type { Cells } from './text-file.ts';

interface Sheet {
  readonly name: string;
  readonly cells: Cells;
  readonly merges?: readonly Range[];
  readonly isHidden?: boolean;
  /** Columns, from 0, whose numbers are shown as dates. */
  readonly dateColumns?: readonly number[];
}

/** A workbook as .xlsx, or as .xls (Excel 97). */
export function workbook(sheets: readonly Sheet[], format: 'xlsx' | 'xls'): Buffer {
  const book = utils.book_new();
  for (const sheet of sheets) utils.book_append_sheet(book, sheetOf(sheet), sheet.name);
  book.Workbook = { Sheets: sheets.map(({ isHidden }) => ({ Hidden: isHidden === true ? 1 : 0 })) };
  // Safe: the type `buffer` returns a buffer, which the types of the library do not declare.
  const bytes: Buffer = write(book, {
    type: 'buffer',
    bookType: format === 'xls' ? 'biff8' : 'xlsx',
    compression: true,
  });
  return bytes;
}

function sheetOf({ cells, merges, dateColumns }: Sheet): WorkSheet {
  const sheet = utils.aoa_to_sheet(cells.map((row) => [...row]));
  if (merges !== undefined) sheet['!merges'] = [...merges];
  for (const column of dateColumns ?? []) {
    for (let row = 0; row < cells.length; row++) {
      const cell = sheet[utils.encode_cell({ r: row, c: column })] as CellObject | undefined;
      if (cell?.t === 'n') cell.z = 'yyyy-mm-dd';
    }
  }
  return sheet;
}
