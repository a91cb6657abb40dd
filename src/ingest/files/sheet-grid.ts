import type { CellObject, DenseWorkSheet } from '@e965/xlsx';
import type { HeadRow } from './header-rows.ts';
import { headRowsMax } from './heading.ts';
import { sheetCellText } from './sheet-cell.ts';
import type { Cell } from './table.ts';

/** A sheet from its first filled row to its last. */
export interface Grid {
  /** Cells as text, with blank rows but without trailing ones. */
  readonly rows: readonly HeadRow[];
  readonly width: number;
  /** 1-based number of the first row in the sheet. */
  readonly firstRow: number;
  /** The first rows, with merged cells filled in both directions, to find the header in. */
  readonly head: readonly HeadRow[];
}

/**
 * Converts a sheet to rows of text with merged cells filled. Null if a cell is beyond the limits of a sheet: a few bytes
 * can claim a cell in row 99,999,999 and make the grid enormous.
 */
export function gridOf(sheet: DenseWorkSheet, epoch1904: boolean, columnsMax: number): Grid | null {
  const rows = textRows(sheet['!data'], epoch1904, columnsMax);
  if (rows === null) return null;
  const firstRow = rows.findIndex(isFilled);
  if (firstRow < 0) return { rows: [], width: 0, firstRow: 1, head: [] };
  const head = rows.slice(0, firstRow + headRowsMax).map((row) => [...row]);
  for (const { s, e } of sheet['!merges'] ?? []) {
    const value = rows[s.r]?.[s.c] ?? null;
    if (value === null) continue;
    // A merged cell applies to the rows below; across columns, it would repeat a text in a row.
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

/** Maximum number of rows in Excel; ECMA-376 sets none. */
const sheetRowsMax = 1_048_576;

/** Text of the cells. It visits only existing cells: missing rows and cells are holes in the arrays. */
function textRows(
  data: readonly (readonly (CellObject | undefined)[] | undefined)[],
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
      else fill(rows, index, column, text);
    });
    if (isTooWide) cells.length = 0;
  });
  return isTooWide ? null : rows;
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

/** Number of cells up to the last filled one. */
export function filledWidth(row: HeadRow): number {
  return row.findLastIndex((cell) => cell !== null) + 1;
}
