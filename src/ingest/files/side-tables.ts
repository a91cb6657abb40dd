import {
  columnName,
  countFilled,
  distinctFilled,
  isValueColumn,
  looksLikeValue,
  type HeadRow,
} from './head-row.ts';
import { findHeaderRows, isPeriod } from './header-rows.ts';
import { headRowsMax } from './heading.ts';
import { columnsOf, type Grid } from './sheet-grid.ts';
import { haveOwnRecords } from './side-keys.ts';
import { isNote } from './table-body.ts';
import { beginsTable } from './table-breaks.ts';
import { isTotalWord } from './total-row.ts';

/**
 * Divides a sheet at its blank columns into the tables beside each other; nearly always there is one. A blank column may
 * also be a spacer inside a table, so both sides need a header over rows without gaps, and one of these:
 *
 * - a header in another row, or rows that end elsewhere;
 * - the same name of the first column, as of a list that goes on to the right;
 * - records of their own below a single row of names: `haveOwnRecords`;
 * - a title over each.
 */
export function tablesBeside(grid: Grid): readonly Grid[] {
  const [first, ...others] = filledSpans(grid.rows);
  if (first === undefined || others.length === 0) return [grid];
  const spans = [first];
  for (const next of others) {
    const last = spans.at(-1)!;
    const isApart = !isBridged(grid, last.to, next.from) && areApart(grid, last, next);
    if (isApart) spans.push(next);
    else last.to = next.to;
  }
  if (spans.length === 1) return [grid];
  const aligned = withTitlesAligned(grid, spans);
  return spans.map(({ from }, index) => columnsOf(aligned, from, spans[index + 1]?.from));
}

/**
 * Names of the first columns at both sides of a blank column that may be between two tables; null if there is none. Each
 * side has a header and names its rows, as the sides of `tablesBeside` do, but nothing else may divide them.
 */
export function unclearSides(grid: Grid): readonly [left: string, right: string] | null {
  const spans = filledSpans(grid.rows);
  for (const [index, right] of spans.entries()) {
    const left = spans[index - 1];
    if (left === undefined || isBridged(grid, left.to, right.from)) continue;
    const [one, other] = [left, right].map((span) => sideTable(grid, span));
    if (one && other && [one, other].every((table) => hasKey(table) && isNamed(table)))
      return [one.names[0]!, other.names[0]!];
  }
  return null;
}

/** Moves each lone title above the tables to the first column of the table that it is over. */
function withTitlesAligned(grid: Grid, spans: readonly Span[]): Grid {
  const start = firstWideRow(grid.rows);
  const align = (row: HeadRow, index: number): HeadRow => {
    if (index >= start || countFilled(row) !== 1) return row;
    const column = row.findIndex((cell) => cell !== null);
    const { from } = spans.findLast((span) => span.from <= column) ?? spans[0]!;
    return [...Array.from({ length: from }, () => null), row[column]!];
  };
  return { ...grid, rows: grid.rows.map(align), mergedRows: grid.mergedRows.map(align) };
}

/** Index of the first row that is more than a title. */
function firstWideRow(rows: readonly HeadRow[]): number {
  return rows.findIndex((row) => countFilled(row) > 1);
}

/** Columns without a blank one between them; `to` is the one after the last. */
interface Span {
  readonly from: number;
  to: number;
}

/** The columns that are filled somewhere, below the titles: a row of one cell above the table may be over any column. */
function filledSpans(rows: readonly HeadRow[]): Span[] {
  const filled: boolean[] = [];
  for (const row of rows.slice(Math.max(0, firstWideRow(rows)))) {
    for (let column = 0; column < row.length; column++) {
      if (row[column] !== null) filled[column] = true;
    }
  }
  const spans: Span[] = [];
  for (let column = 0; column < filled.length; column++) {
    if (filled[column] !== true) continue;
    if (filled[column - 1] === true) spans.at(-1)!.to = column + 1;
    else spans.push({ from: column, to: column + 1 });
  }
  return spans;
}

/** True if a merged name lies over the columns at both sides of a gap; a title over the whole sheet does not count. */
function isBridged({ mergedRows }: Grid, from: number, to: number): boolean {
  return mergedRows.slice(0, headRowsMax).some((row) => {
    const text = row[from] ?? null;
    const isAcross = text !== null && row[from - 1] === text && row[to] === text;
    return isAcross && distinctFilled(row) > 1;
  });
}

function areApart(grid: Grid, left: Span, right: Span): boolean {
  const tables = [left, right].map((span) => sideTable(grid, span));
  const [one, other] = tables;
  if (!one || !other) return false;
  if (one.names[0] === other.names[0] && hasKey(one) && hasKey(other)) return true;
  const areTitled = one.title !== null && other.title !== null && one.title !== other.title;
  if (areTitled && isTitle(one.title) && isTitle(other.title)) return true;
  if (!tables.every((table) => hasKey(table!) && isNamed(table!))) return false;
  if (one.headerRow !== other.headerRow) return true;
  if (one.hasNamesOnly && other.hasNamesOnly && haveOwnRecords(one, other)) return true;
  const areKeys = [one, other].every(({ names }) => columnName.test(names[0]!));
  const difference = Math.abs(one.end - other.end);
  // The last row of one table may be blank at its right.
  return difference > 1 || (difference === 1 && (areKeys || areTitled));
}

/** A header over rows without gaps, at one side of a blank column. */
interface SideTable {
  readonly names: readonly string[];
  /** Text over its first column, above the header; null if there is none. */
  readonly title: string | null;
  /** True if one row of names is above its rows, and nothing but a title above that. */
  readonly hasNamesOnly: boolean;
  /** Index of its last header row. */
  readonly headerRow: number;
  /** Index after its last record, totals and notes aside. */
  readonly end: number;
  readonly body: readonly HeadRow[];
}

function sideTable({ rows, mergedRows }: Grid, { from, to }: Span): SideTable | null {
  const isFilled = (row: HeadRow): boolean => row.slice(from, to).some((cell) => cell !== null);
  const top = Math.max(0, mergedRows.findIndex(isFilled));
  const head = mergedRows.slice(top, top + headRowsMax).map((row) => row.slice(from, to));
  const header = findHeaderRows(head);
  const names = Array.from({ length: to - from }, (_, column) =>
    header.rows.map((row) => head[row]![column] ?? null).findLast((cell) => cell !== null),
  );
  if (names.length < 2 || names.includes(undefined) || new Set(names).size < names.length)
    return null;
  const start = top + header.next;
  const blank = rows.findIndex((row, index) => index >= start && !isFilled(row));
  let end = blank < 0 ? rows.length : blank;
  const below = rows.slice(end).map((row) => row.slice(from, to));
  if (!isEnd(below, head)) return null;
  while (end > start && isAside(rows[end - 1]!.slice(from, to))) end -= 1;
  if (end - start < bodyRowsMin) return null;
  const titles = head.slice(0, header.first).filter((row) => countFilled(row) > 0);
  const isOver = titles.length > 0 && titles.every((row) => distinctFilled(row) === 1);
  return {
    names: names.map(String),
    title: isOver ? (titles.findLast(([cell]) => typeof cell === 'string')?.[0] as string) : null,
    hasNamesOnly:
      header.rows.length === 1 &&
      mergedRows.slice(0, start - 1).every((row) => distinctFilled(row) < 2),
    headerRow: start - 1,
    end,
    body: head.slice(header.next, end - top),
  };
}

const bodyRowsMin = 2;

/** True if the rows below a table are blank, notes, or another table; others are its own, with gaps. */
function isEnd(below: readonly HeadRow[], head: readonly HeadRow[]): boolean {
  const next = below.findIndex((row) => countFilled(row) > 0 && !isNote(row));
  return next < 0 || beginsTable(below.slice(next, next + headRowsMax), head);
}

/** True for a total or a note below the records. */
function isAside(row: HeadRow): boolean {
  return isNote(row) || isTotalWord(row.find((cell) => cell !== null) ?? null);
}

/** True if the first column names the rows: by texts, or by numbers, days or years. */
function hasKey({ names, body }: SideTable): boolean {
  const [name] = names;
  if (looksLikeValue(name!)) return false;
  return !isValueColumn(body, 0) || columnName.test(name!) || timeName.test(name!);
}

const timeName = /(?:년도?|월|일|날짜|시간|시각|연령|나이|기간|no\.?|id|code|year|month|date)$/iu;

/** True if names are over numbers, or half of them are common ones. */
function isNamed({ names, body }: SideTable): boolean {
  const overNumbers = names.some(
    (name, column) => (!looksLikeValue(name) || isPeriod(name)) && isValueColumn(body, column),
  );
  return overNumbers || names.filter((name) => columnName.test(name)).length >= names.length / 2;
}

/** True for a title of a table; the name of a group of columns, such as 시설현황, may look alike. */
function isTitle(text: string | null): boolean {
  if (text === null || groupName.test(text)) return false;
  return markedTitle.test(text) || /(?:현황|목록|통계|내역|명단|실적|결과|추이|표)$/u.test(text);
}

const groupName =
  /^(?:기본|일반|시설|이용|운영|담당|세부|상세|기타|관리|위치|인적)\s?(?:현황|정보|사항|내역|실적|결과)$/u;
/** Matches `<표 1> …`, `1. …`, `가. …` and `○ …`. */
const markedTitle = /^(?:[<〈《[【■□○●◎▶▷◆◇]|\d{1,2}[.)]\s?\D|[가-하][.)]\s|표\s?\d)/u;
