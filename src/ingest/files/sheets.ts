import { findingTexts } from './finding-texts.ts';
import { looksLikeValue, type HeadRow } from './head-row.ts';
import { restoreCells } from './misread-cells.ts';
import type { Part } from './part.ts';
import { areOfSeries, type PartHeader } from './part-header.ts';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused } from './refused.ts';
import { nameEqualSections } from './section-column.ts';
import { gridOf, type Grid, type SheetCells } from './sheet-grid.ts';
import { gridTables } from './sheet-tables.ts';
import type { Encoding, FileFormat, FindingSink, Table } from './table.ts';

/** A sheet of a workbook. */
export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** Reads its cells; null if one is beyond the limits of a sheet. */
  readonly readCells: () => Promise<SheetCells | null> | SheetCells | null;
}

/** Yields the tables of the sheets of a workbook that are visible, or requested. */
export async function* sheetTables(
  part: Part,
  sheets: readonly Sheet[],
  format: FileFormat,
  encoding: Encoding | null,
): AsyncIterable<Table> {
  const { finding } = part;
  const tables: Table[] = [];
  const otherSheets: string[] = [];
  const noteSheets: { readonly name: string; readonly grid: Grid }[] = [];
  let sheetsRead = 0;
  /** Header of the last sheet that has one; the rows of a large table go on in the next sheet. */
  let header: PartHeader | null = null;
  for (const { name, isHidden, readCells } of sheets) {
    if (part.sheet !== null && part.sheet !== name) {
      otherSheets.push(name);
      continue;
    }
    if (isHidden && part.sheet === null) {
      finding({ kind: 'part_not_held', row: null, detail: findingTexts.sheetHidden(name) });
      continue;
    }
    const cells = await readCells();
    if (cells === null) throw sizeRefusal(part, name);
    restoreCells(cells, finding);
    reportOddCells(cells, name, finding);
    const grid = gridOf(cells);
    if (grid.rows.length === 0) {
      finding({ kind: 'part_not_held', row: null, detail: findingTexts.sheetEmpty(name) });
      continue;
    }
    if (part.sheet === null && isListOfNotes(name, grid)) {
      noteSheets.push({ name, grid });
      continue;
    }
    sheetsRead += 1;
    const firstHeader = part.firstHeader ?? headerFor(name, header);
    const read = gridTables(grid, name, { ...part, firstHeader });
    header = read.header ?? header;
    tables.push(...read.tables.map((table) => ({ ...table, format, encoding })));
  }
  // If no other sheet has a table, the notes are imported.
  const hasOnlyNotes = tables.length === 0;
  for (const { name, grid } of noteSheets) {
    if (hasOnlyNotes) {
      sheetsRead += 1;
      const read = gridTables(grid, name, part);
      tables.push(...read.tables.map((table) => ({ ...table, format, encoding })));
    } else finding({ kind: 'part_not_held', row: null, detail: findingTexts.sheetOfNotes(name) });
  }
  if (otherSheets.length > 0 && tables.length > 0) {
    const detail = findingTexts.sheetsNotRequested(otherSheets);
    finding({ kind: 'part_not_held', row: null, detail });
  }
  if (tables.length === 0) {
    const { sheet, source } = part;
    const names = sheets.map(({ name }) => name);
    if (sheet === null)
      throw new FileRefused('empty', refusalTexts.sheetsEmpty(source.name, names));
    throw new FileRefused('not_a_table', refusalTexts.sheetMissing(source.name, sheet, names));
  }
  const mainTables = tables.filter((table) => isTableAmong(table, tables));
  for (const { section } of tables.filter((table) => !mainTables.includes(table))) {
    const detail = findingTexts.sheetOfNotes(section ?? '');
    finding({ kind: 'part_not_held', row: null, detail });
  }
  yield* nameEqualSections(mainTables, tables.length === sheetsRead ? '시트' : '표');
}

function reportOddCells(cells: SheetCells, sheet: string, finding: FindingSink): void {
  for (const { row, column, text } of cells.errors) {
    const detail = findingTexts.errorValue(column, text);
    finding({ kind: 'formula_without_value', row, detail });
  }
  const [link] = cells.links;
  if (link !== undefined) {
    const detail = findingTexts.linksNotRead(sheet, cells.links.length, link.text);
    finding({ kind: 'part_not_held', row: link.row, detail });
  }
  if (cells.scaled === null) return;
  const { row, column, text, stored } = cells.scaled;
  finding({ kind: 'value_odd', row, detail: findingTexts.shownScaled(column, text, stored) });
}

function headerFor(sheet: string, header: PartHeader | null): PartHeader | null {
  return header === null ? null : { ...header, isOfSeries: areOfSeries(header.name, sheet) };
}

/** True for a sheet of names and texts about the data, as in each download of KOSIS: `○ 출처 | 통계청`. */
function isListOfNotes(name: string, { rows }: Grid): boolean {
  const filled = rows
    .map((row) => row.filter((cell) => cell !== null))
    .filter(({ length }) => length > 0);
  if (filled.some(({ length }) => length > 2)) return false;
  if (name === '메타정보') return true;
  const values = filled.filter((row) => row.length > 1 && looksLikeValue(row[1]!));
  return (
    isBulleted(filled[0]!) &&
    filled.filter(isBulleted).length * 2 > filled.length &&
    values.length * 2 < filled.length
  );
}

function isBulleted([first]: HeadRow): boolean {
  return /^[○●◦□■▶※*]/u.test(String(first));
}

/** False for a sheet of notes beside tables: its text is in one column. */
function isTableAmong({ columns }: Table, tables: readonly Table[]): boolean {
  return columns.length > 1 || tables.every((table) => table.columns.length < 2);
}

function sizeRefusal({ source, limits }: Part, sheet: string): FileRefused {
  return new FileRefused(
    'too_large',
    refusalTexts.sheetTooLarge(source.name, sheet, limits.columnsMax),
  );
}
