import type { CellObject, DenseWorkSheet } from '@e965/xlsx';
import type { HeadRow } from './header-rows.ts';
import { headRowsMax } from './heading.ts';
import { sheetCellText } from './sheet-cell.ts';
import type { Cell } from './table.ts';

/** A sheet from its first filled row to its last. */
export interface Grid {
  /** Cells as text, blank rows included, trailing blank rows not. */
  readonly rows: readonly HeadRow[];
  readonly width: number;
  /** 1-based row of the sheet that `rows` starts with. */
  readonly firstRow: number;
  /** The first rows with merged cells filled in both directions, as a header is read. */
  readonly head: readonly HeadRow[];
}

/** A sheet as rows of text, its merged cells filled. */
export function gridOf(sheet: DenseWorkSheet, epoch1904: boolean): Grid {
  const data: readonly (readonly (CellObject | undefined)[] | undefined)[] = sheet['!data'];
  // Rows without cells are holes.
  const rows = Array.from(data, (row) =>
    Array.from(row ?? [], (cell) => sheetCellText(cell, epoch1904)),
  );
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

/** How many cells a row has up to its last filled one. */
export function filledWidth(row: HeadRow): number {
  return row.findLastIndex((cell) => cell !== null) + 1;
}
