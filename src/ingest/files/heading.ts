import type { HeadRow } from './head-row.ts';
import { findHeaderRows, unitsBelowNames, type HeaderRows } from './header-rows.ts';
import { findingTexts } from './finding-texts.ts';
import { headerText, isGeneratedName, nameColumns, unitOf, unitOfLine } from './column-names.ts';
import type { FileLimits } from './limits.ts';
import type { Part } from './part.ts';
import { continuesPart, mayContinuePart } from './part-header.ts';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused } from './refused.ts';
import { isSecondNames, isUnitRow, unitText } from './second-header.ts';
import type { TableLayout } from './table.ts';

/** Header of a table: the names of its columns and the position of its data. */
export interface Heading {
  readonly columns: readonly string[];
  /** Number of columns in the header itself; the rest are for surplus cells. */
  readonly headerWidth: number;
  readonly layout: TableLayout;
  /** Index of the first data row among the given rows. */
  readonly firstDataRow: number;
}

/** The first rows of a part, their lines in the source, and the width of its widest row. */
interface HeadOfPart {
  readonly head: readonly HeadRow[];
  readonly headLines: readonly number[];
  readonly usedWidth: number;
  readonly line: number;
}

/** Number of rows that `findHeading` needs. */
export const headRowsMax = 60;

/**
 * Finds the header among the first rows of a grid. There may be title lines above it, several rows of merged cells, a
 * row of units below it, or no header at all. `usedWidth` is the width of the widest row, without trailing empty
 * cells; `lines` has the position of each row in the source.
 */
export function findHeading(
  head: readonly HeadRow[],
  usedWidth: number,
  limits: FileLimits,
  lines: readonly number[] = head.map((_, index) => index + 1),
): Heading {
  const header = findHeaderRows(head);
  const titles = readTitleLines(head, header.first, lines);
  const { titleLines } = titles;
  if (header.rows.length === 0) {
    checkWidth(usedWidth, limits);
    return headingWithoutNames(head, header.first, usedWidth, titles);
  }
  const writtenRows = header.rows.map((index) => head[index] ?? []);
  const ownUnits = unitsBelowNames(writtenRows, head.slice(header.next));
  const headerRows = withoutUnits(writtenRows, ownUnits);
  const joinedNames = joinNames(headerRows);
  const rowWidth = Math.max(...headerRows.map((row) => row.length));
  const namedWidth = Math.min(rowWidth, Math.max(filledWidth(joinedNames), usedWidth));
  const offset = beginsWithRowNumbers(joinedNames, namedWidth, head.slice(header.next)) ? 1 : 0;
  const headerWidth = namedWidth + offset;
  checkWidth(headerWidth, limits);
  const names = Array.from({ length: headerWidth }, (_, at) => joinedNames[at - offset] ?? null);
  const surplus = Math.min(Math.max(0, usedWidth - headerWidth), limits.surplusColumnsMax);
  const { columns, renamed } = nameColumns(names, surplus);
  const { seconds, unitRow, firstDataRow } = findRowsBelow(head, header);
  const secondNames = joinNames(seconds);
  const layout: TableLayout = {
    ...titles,
    headerRows: header.rows.length + seconds.length + (unitRow === null ? 0 : 1),
    units: unitsOf(columns, unitRow ?? ownUnits, titleLines, head.slice(firstDataRow)),
    renamedColumns: renamed,
    ...(seconds.length === 0
      ? {}
      : {
          secondNames: columns.map((_, at) => secondNames[at - offset] ?? null),
          secondNamesRow: lines[head.indexOf(seconds[0]!)]!,
        }),
  };
  return { columns, headerWidth, layout, firstDataRow };
}

/** Heading of a part's only section; a part without a header gets the header of the first part. */
export function headingOfPart(
  { path, firstHeader, limits, finding }: Pick<Part, 'path' | 'firstHeader' | 'limits' | 'finding'>,
  { head, headLines, usedWidth, line: row }: HeadOfPart,
): Heading {
  if (firstHeader === null || !continuesPart(head, usedWidth, firstHeader)) {
    const heading = findHeading(head, usedWidth, limits, headLines);
    const { columns: names, layout } = heading;
    const isOfSeries = firstHeader?.isOfSeries === true && layout.headerRows > 0;
    if (isOfSeries && mayContinuePart(names, firstHeader)) {
      const detail = findingTexts.headerUnclear(names, firstHeader, path);
      finding({ kind: 'layout_unclear', row, detail });
    }
    return heading;
  }
  const { name, columns } = firstHeader;
  finding({ kind: 'header_inherited', row, detail: findingTexts.headerInherited(name, path) });
  const units = columns.map(() => null);
  const layout = {
    titleLines: [],
    headerRows: 0,
    units,
    renamedColumns: [],
    isContinued: true,
  } as const;
  return { columns, headerWidth: columns.length, layout, firstDataRow: 0 };
}

/** The rows below the names that describe the columns: their names once more, and their units, in any order. */
function findRowsBelow(
  head: readonly HeadRow[],
  { rows, seconds: secondIndexes, next }: HeaderRows,
): { seconds: HeadRow[]; unitRow: HeadRow | null; firstDataRow: number } {
  const names = head[rows.at(-1)!]!;
  const secondsAbove = secondIndexes.map((index) => head[index]!);
  const [below = [], last = [], ...body] = head.slice(next);
  const isSecond = secondsAbove.length === 0 && isSecondNames(names, last, body);
  if (!isUnitRow(below, isSecond ? body : [last, ...body])) {
    return { seconds: secondsAbove, unitRow: null, firstDataRow: next };
  }
  const seconds = isSecond ? [last] : secondsAbove;
  return { seconds, unitRow: below, firstDataRow: isSecond ? next + 2 : next + 1 };
}

/** The cells of a single header row, to recognise its repetitions; null for no header or several rows. */
export function singleHeaderRow({ columns, layout }: Heading): readonly (string | null)[] | null {
  if (layout.headerRows !== 1) return null;
  const renamed = new Set(layout.renamedColumns);
  return columns.map((name) => {
    if (!renamed.has(name)) return name;
    return isGeneratedName(name) ? null : name.replace(/_\d+$/u, '');
  });
}

/** True if each row begins with its number, which has no name in the header: R writes tables so. */
function beginsWithRowNumbers(
  names: readonly (string | null)[],
  width: number,
  body: readonly HeadRow[],
): boolean {
  const rows = body.filter((row) => row.some((cell) => cell !== null));
  if (rows.length < numberedRowsMin || sequenceName.test(names[0] ?? '')) return false;
  return rows.every((row, index) => row.length === width + 1 && String(row[0]) === `${index + 1}`);
}

const numberedRowsMin = 3;
/** With such a first name, the numbers are that column, and the cell without a name is the last of each row. */
const sequenceName = /^(?:연번|순번|번호|일련번호|no\.?|id|seq|index)$/iu;

function checkWidth(width: number, limits: FileLimits): void {
  if (width <= limits.columnsMax) return;
  throw new FileRefused('too_large', refusalTexts.tableTooWide(limits.columnsMax));
}

/** The header rows. Cells of the last row that are units of their columns are left out. */
function withoutUnits(rows: readonly HeadRow[], units: HeadRow | null): readonly HeadRow[] {
  if (units === null) return rows;
  const names = rows.at(-1)!.map((cell, index) => (units[index] === null ? cell : null));
  return [...rows.slice(0, -1), names];
}

/** Joins the header cells of each column by `_`, without repetitions. */
function joinNames(rows: readonly HeadRow[]): (string | null)[] {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const texts = rows.map((row) =>
    Array.from({ length: width }, (_, position) => {
      const cell = row[position] ?? null;
      return cell === null ? null : headerText(String(cell));
    }),
  );
  for (const [depth, row] of texts.entries()) {
    const below = texts.slice(depth + 1);
    const hasChild = (position: number): boolean =>
      below.some((child) => (child[position] ?? null) !== null);
    for (let position = 1; position < width; position++) {
      if (row[position] === null && hasChild(position) && hasChild(position - 1))
        row[position] = row[position - 1] ?? null;
    }
  }
  return Array.from({ length: width }, (_, position) => {
    const parts = texts
      .map((row) => row[position] ?? null)
      .filter((text) => text !== null && text !== '');
    const distinct = parts.filter((text, index) => text !== parts[index - 1]);
    return distinct.length === 0 ? null : distinct.join('_');
  });
}

function headingWithoutNames(
  head: readonly HeadRow[],
  first: number,
  usedWidth: number,
  titles: TitleLines,
): Heading {
  const { columns, renamed } = nameColumns(Array.from({ length: usedWidth }, () => null));
  const layout: TableLayout = {
    ...titles,
    headerRows: 0,
    units: unitsOf(columns, null, titles.titleLines, head.slice(first)),
    renamedColumns: renamed,
  };
  return { columns, headerWidth: usedWidth, layout, firstDataRow: first };
}

type TitleLines = Pick<TableLayout, 'titleLines' | 'titleRows'>;

function readTitleLines(
  head: readonly HeadRow[],
  first: number,
  lines: readonly number[],
): TitleLines {
  const titles = head.slice(0, first).flatMap((row, index) => {
    const text = [...new Set(row.filter((cell) => cell !== null).map(String))].join(' ');
    return text === '' ? [] : [{ text, row: lines[index]! }];
  });
  if (titles.length === 0) return { titleLines: [] };
  return { titleLines: titles.map(({ text }) => text), titleRows: titles.map(({ row }) => row) };
}

/** Units by column; a unit in a line above the table applies to its numeric columns. */
function unitsOf(
  columns: readonly string[],
  unitRow: HeadRow | null,
  titleLines: readonly string[],
  body: readonly HeadRow[],
): (string | null)[] {
  const lineUnit = titleLines.map(unitOfLine).find((unit) => unit !== null) ?? null;
  return columns.map((name, index) => {
    const cell = unitRow?.[index] ?? null;
    const ownUnit = unitText(cell) ?? unitOf(name);
    return ownUnit ?? (lineUnit !== null && isNumeric(body, index) ? lineUnit : null);
  });
}

function isNumeric(body: readonly HeadRow[], index: number): boolean {
  const cells = body.map((row) => row[index] ?? null).filter((cell) => cell !== null);
  return cells.length > 0 && cells.every((cell) => /^-?[\d,]+(?:\.\d+)?$/u.test(String(cell)));
}

function filledWidth(cells: readonly (string | null)[]): number {
  return cells.findLastIndex((cell) => cell !== null) + 1;
}
