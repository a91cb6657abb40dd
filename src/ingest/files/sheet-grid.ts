import type { Range } from '@e965/xlsx';
import type { HeadRow } from './head-row.ts';
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

/** The filled cells of a sheet as text, and its merged cells. */
export interface SheetCells {
  /** Rows from the first one of the sheet. */
  readonly rows: Cell[][];
  readonly merges: readonly Range[];
  /** Cells with an error in place of a value, such as `#N/A`. */
  readonly errors: readonly CellText[];
  /** Cells with a link to another address than their text. */
  readonly links: readonly CellText[];
  /** The first number that is shown in thousands or millions, as it is shown and stored; null if there is none. */
  readonly scaled: (CellText & { readonly stored: string }) | null;
}

/** Text of a cell; row and column count from 1. */
export interface CellText {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

/** The rows of a sheet with its merged cells filled. */
export function gridOf({ rows, merges: allMerges }: SheetCells): Grid {
  const firstRow = rows.findIndex(isFilled);
  const end = rows.findLastIndex(isFilled) + 1;
  const merges = allMerges.filter(({ s }) => (rows[s.r]?.[s.c] ?? null) !== null);
  // A merged cell applies to the rows below; across columns, it would repeat a text in a row.
  for (const { s, e } of merges) {
    for (let row = s.r; row <= e.r && row < end; row++) fillCell(rows[row]!, s.c, rows[s.r]![s.c]!);
  }
  const mergedRows = [...rows];
  for (const { s, e } of merges.filter(({ s: from, e: to }) => from.c < to.c)) {
    for (let row = s.r; row <= e.r && row < end; row++) {
      if (mergedRows[row] === rows[row]) mergedRows[row] = [...rows[row]!];
      for (let column = s.c; column <= e.c; column++)
        fillCell(mergedRows[row]!, column, rows[s.r]![s.c]!);
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

/** The rows of a sheet from `from` up to and without `to`, by default up to its last. */
export function rowsOf({ rows, mergedRows, firstRow }: Grid, from: number, to?: number): Grid {
  return {
    rows: rows.slice(from, to),
    firstRow: firstRow + from,
    mergedRows: mergedRows.slice(from, to),
  };
}

/** The columns of a sheet from `from` up to and without `to`, by default up to its last, without blank rows around them. */
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
export const sheetRowsMax = 1_048_576;

/** Adds a cell to its row, with blank ones before it. */
export function fillCell(cells: Cell[], column: number, value: Cell): void {
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
