import type { Cell } from './table.ts';

/** One of the first rows of a grid, with as many cells as in the source. */
export type HeadRow = readonly Cell[];

/** Counts the filled cells of a row. */
export function countFilled(row: HeadRow): number {
  return row.reduce<number>((sum, cell) => (cell === null ? sum : sum + 1), 0);
}

export function distinctFilled(row: HeadRow): number {
  return new Set(row.filter((cell) => cell !== null)).size;
}

/** True for a value rather than a name: a number, date, time, telephone number, or a dash for a missing value. */
export function looksLikeValue(cell: Cell): boolean {
  return typeof cell !== 'string' || /^(?:[-+~(]?\d[\d\s.,:/%~()+-]*|[-–—]+)$/u.test(cell);
}

/** True if most cells of a column are values such as numbers and dates. */
export function isValueColumn(body: readonly HeadRow[], index: number): boolean {
  const cells = body.map((row) => row[index] ?? null).filter((cell) => cell !== null);
  return cells.length > 0 && cells.filter(looksLikeValue).length >= cells.length * 0.8;
}

/** Matches words that name a column but never a table. */
export const columnName =
  /^(?:시도|시군구|읍면동|구분|분류|종류|유형|지역|연도|연번|순번|번호|이름|성명|명칭|주소|비고|[가-힣]{1,8}(?:명|명칭|주소|번호|코드|일자|구분|여부|도|수|량))$/u;

/** The kinds of characters in a cell: `가람 1-23` is `가 0-0`. */
export function patternOf(cell: Cell): string {
  return String(cell ?? '')
    .replace(/\d+/gu, '0')
    .replace(/[a-z]+/giu, 'a')
    .replace(/[가-힣]+/gu, '가');
}
