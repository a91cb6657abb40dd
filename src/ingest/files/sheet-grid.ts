import type { CellObject, DenseWorkSheet, Range } from '@e965/xlsx';
import type { HeadRow } from './head-row.ts';
import { sheetCellText } from './sheet-cell.ts';
import type { Cell } from './table.ts';

/** A sheet from its first filled row to its last, and from its first filled column. */
export interface Grid {
  /** Cells as text, with blank rows but without trailing ones. */
  readonly rows: readonly HeadRow[];
  /** 1-based number of the first row in the sheet. */
  readonly firstRow: number;
  /** The same rows with merged cells filled across columns too, to find headers in. */
  readonly mergedRows: readonly HeadRow[];
}

/**
 * Converts a sheet to rows of text with merged cells filled, and empties it: both need much memory. Null if a cell is beyond the limits of a sheet: a few bytes
 * can claim a cell in row 99,999,999 and make the grid enormous.
 */
export function gridOf(sheet: DenseWorkSheet, epoch1904: boolean, columnsMax: number): Grid | null {
  const rows = textRows(sheet['!data'], epoch1904, columnsMax);
  if (rows === null) return null;
  const firstRow = rows.findIndex(isFilled);
  const end = rows.findLastIndex(isFilled) + 1;
  const allMerges: readonly Range[] = sheet['!merges'] ?? [];
  const merges = allMerges.filter(({ s }) => (rows[s.r]?.[s.c] ?? null) !== null);
  // A merged cell applies to the rows below; across columns, it would repeat a text in a row.
  for (const { s, e } of merges) {
    for (let row = s.r; row <= e.r && row < end; row++) fill(rows[row]!, s.c, rows[s.r]![s.c]!);
  }
  const mergedRows = [...rows];
  for (const { s, e } of merges.filter(({ s: from, e: to }) => from.c < to.c)) {
    for (let row = s.r; row <= e.r && row < end; row++) {
      if (mergedRows[row] === rows[row]) mergedRows[row] = [...rows[row]!];
      for (let column = s.c; column <= e.c; column++)
        fill(mergedRows[row]!, column, rows[s.r]![s.c]!);
    }
  }
  const first = Math.max(0, firstRow);
  return {
    rows: withoutBlankColumns(rows.slice(first, end)),
    firstRow: first + 1,
    mergedRows: withoutBlankColumns(mergedRows.slice(first, end)),
  };
}

/** Removes the blank columns before the first filled one: many tables of agencies begin in column B. */
function withoutBlankColumns(rows: readonly HeadRow[]): readonly HeadRow[] {
  let blank = Infinity;
  for (const row of rows) {
    const first = row.findIndex((cell) => cell !== null);
    if (first !== -1 && first < blank) blank = first;
    if (blank === 0) return rows;
  }
  return rows.map((row) => row.slice(blank));
}

/** The rows of a sheet from one on, up to another or its last. */
export function rowsOf({ rows, mergedRows, firstRow }: Grid, from: number, to?: number): Grid {
  return {
    rows: rows.slice(from, to),
    firstRow: firstRow + from,
    mergedRows: mergedRows.slice(from, to),
  };
}

/** The columns of a sheet from one on, up to another or its last, without blank rows around them. */
export function columnsOf(grid: Grid, from: number, to?: number): Grid {
  const mergedRows = grid.mergedRows.map((row) => row.slice(from, to));
  const first = mergedRows.findIndex(isFilled);
  const end = mergedRows.findLastIndex(isFilled) + 1;
  return {
    rows: grid.rows.slice(first, end).map((row) => row.slice(from, to)),
    firstRow: grid.firstRow + first,
    mergedRows: mergedRows.slice(first, end),
  };
}

/** Maximum number of rows in Excel; ECMA-376 sets none. */
const sheetRowsMax = 1_048_576;

/** Text of the cells. It visits only existing cells: missing rows and cells are holes in the arrays. */
function textRows(
  data: (readonly (CellObject | undefined)[] | undefined)[],
  epoch1904: boolean,
  columnsMax: number,
): Cell[][] | null {
  if (data.length > sheetRowsMax) return null;
  const rows: Cell[][] = Array.from({ length: data.length }, () => []);
  let isTooWide = false;
  data.forEach((row, index) => {
    if (row === undefined || isTooWide) return;
    const cells = rows[index]!;
    row.forEach((cell, column) => {
      const text = sheetCellText(cell, epoch1904);
      if (text === null) return;
      if (column >= columnsMax) isTooWide = true;
      else fill(cells, column, text);
    });
    if (isTooWide) cells.length = 0;
    data[index] = undefined;
  });
  return isTooWide ? null : rows;
}

function fill(cells: Cell[], column: number, value: Cell): void {
  while (cells.length <= column) cells.push(null);
  cells[column] ??= value;
}

function isFilled(row: HeadRow): boolean {
  return row.some((cell) => cell !== null);
}

/** Number of cells up to the last filled one. */
export function filledWidth(row: HeadRow): number {
  return row.findLastIndex((cell) => cell !== null) + 1;
}
