import {
  columnName,
  countFilled,
  distinctFilled,
  type HeadRow,
  isValueColumn,
  looksLikeValue,
  patternOf,
} from './head-row.ts';
import { isSecondNames, isUnitRow } from './second-header.ts';
import type { Cell } from './table.ts';

/** The rows of a grid that are its header. */
export interface HeaderRows {
  /** Index of the first header row, or of the first data row if there is no header. */
  readonly first: number;
  readonly rows: readonly number[];
  /** Indexes of rows that have the names once more: in another language, or as codes. */
  readonly seconds: readonly number[];
  /** Index of the first row after the header. */
  readonly next: number;
}

/**
 * Finds the header rows: the first row that has names and is about as full as the others, rows of merged names above
 * it, and rows below that continue it.
 */
export function findHeaderRows(head: readonly HeadRow[]): HeaderRows {
  const filled = head.map(countFilled);
  const filledCounts = filled.filter((count) => count > 0).sort((a, b) => a - b);
  // The third quartile: titles lower the median, and a broken row raises the maximum.
  const fullCount = filledCounts[Math.floor((filledCounts.length - 1) * 0.75)] ?? 0;
  const distinctMin = Math.min(2, fullCount);
  const filledMin = Math.max(distinctMin, Math.ceil(fullCount / 2));
  const start = prefaceEnd(head, filled);
  const first = head.findIndex(
    (row, position) =>
      position >= start &&
      (filled[position] ?? 0) >= filledMin &&
      distinctFilled(row) >= distinctMin &&
      !isUnitLine(row) &&
      !((isFactLine(row) || isApproval(row)) && (filled[position] ?? 0) < fullCount),
  );
  const candidate = head[first];
  if (candidate === undefined)
    return { first: head.length, rows: [], seconds: [], next: head.length };
  const sparseIndex = sparseHeader(head, first);
  if (sparseIndex !== null)
    return { first: sparseIndex, rows: [sparseIndex], seconds: [], next: sparseIndex + 1 };
  const isList = fullCount === 1 && isLikeRows(candidate, head.slice(first + 1));
  if (isList || !isHeader(candidate, head.slice(first + 1))) {
    return { first, rows: [], seconds: [], next: first };
  }
  const rows = parentRows(head, first);
  rows.push(first);
  const seconds: number[] = [];
  let next = first + 1;
  for (let position = next; position < head.length && rows.length < headerRowsMax; position++) {
    const row = head[position] ?? [];
    if (distinctFilled(row) === 0) continue;
    const header = rows.map((index) => head[index] ?? []);
    const body = head.slice(position + 1);
    if (isSecondNames(header.at(-1) ?? [], row, body)) seconds.push(position);
    else if (isUnitRow(row, body) && !areUnitsNames(header, row)) break;
    else if (continuesHeader(header, row, body)) rows.push(position);
    else break;
    next = position + 1;
  }
  return { first: rows[0] ?? first, rows, seconds, next };
}

/** True if the first line of a list of one column has letters and digits in the same pattern as most other lines. */
function isLikeRows(row: HeadRow, body: readonly HeadRow[]): boolean {
  const pattern = patternOf(row[0] ?? null);
  const others = body.filter((each) => countFilled(each) > 0);
  const alike = others.filter((each) => patternOf(each[0] ?? null) === pattern).length;
  return pattern.includes('0') && others.length >= likeRowsMin && alike >= others.length * 0.8;
}

const likeRowsMin = 4;

/**
 * Index after the facts about a file, which are pairs such as `작성자,홍길동` above a blank row and a table of at least
 * four columns; 0 if there are none.
 */
function prefaceEnd(head: readonly HeadRow[], filled: readonly number[]): number {
  const blank = filled.indexOf(0);
  if (blank < 1 || filled.slice(0, blank).some((count) => count > 2)) return 0;
  const next = filled.findIndex((count, position) => position > blank && count > 0);
  const isPairs = head.slice(0, blank).every((row) => row.every((cell) => !isNumber(cell)));
  return next > 0 && (filled[next] ?? 0) >= 4 && isPairs ? next : 0;
}

function isNumber(cell: Cell): boolean {
  return (
    typeof cell === 'number' || (typeof cell === 'string' && /^-?[\d,]+(?:\.\d+)?$/u.test(cell))
  );
}

/** True for a line of facts about the table, such as `부서명: 총무과` and `작성일:,2024-03-01`. */
export function isFactLine(row: HeadRow): boolean {
  const [first] = row.filter((cell) => cell !== null);
  return typeof first === 'string' && /^[\p{L}][\p{L}\s·]{0,14}[:：]/u.test(first);
}

/** True for a title beside the names of those who sign: `시설 현황,,,담당,과장`. */
function isApproval(row: HeadRow): boolean {
  return row.filter((cell) => approver.test(String(cell))).length > 1;
}

const approver = /^(?:결\s*재|담\s*당|팀\s*장|과\s*장|국\s*장|계\s*장|주무관|부서장)$/u;

/**
 * Index of a header row that names only the first column, as `시도,,` above `서울,강남구,역삼동`; null if there is none. The
 * row below must not look like a header itself: it has no column names, and no numbers below its texts.
 */
function sparseHeader(head: readonly HeadRow[], first: number): number | null {
  const above = head.findIndex((row) => countFilled(row) > 0);
  if (above < 0 || above !== first - 1) return null;
  const [name] = head[above] ?? [];
  if (typeof name !== 'string' || !columnName.test(name)) return null;
  if (distinctFilled(head[above] ?? []) !== 1) return null;
  const row = head[first] ?? [];
  const body = head.slice(first + 1);
  const isNamed = row.some(
    (cell, index) =>
      typeof cell === 'string' && columnName.test(cell) && !isRepeatedBelow(body, index, cell),
  );
  const isAboveNumbers = row.some(
    (cell, position) => !looksLikeValue(cell) && isValueColumn(body, position),
  );
  return isNamed || isAboveNumbers ? null : above;
}

function isRepeatedBelow(body: readonly HeadRow[], index: number, cell: Cell): boolean {
  return body.some((row) => row[index] === cell);
}

/**
 * True if a row has names of columns. A row with numbers is a header only if the numbers are years or consecutive, or
 * if it has a text above a column of numbers.
 */
function isHeader(row: HeadRow, body: readonly HeadRow[]): boolean {
  const values = row.filter((cell) => cell !== null && looksLikeValue(cell));
  if (values.length === 0) return true;
  const hasNameAboveNumbers = row.some(
    (cell, index) => cell !== null && !looksLikeValue(cell) && isValueColumn(body, index),
  );
  if (hasNameAboveNumbers) return true;
  if (values.every(isPeriod)) {
    const areDistinct = new Set(values).size === values.length;
    if (areDistinct || areOverNames(row, body.find((below) => countFilled(below) > 0) ?? []))
      return true;
  }
  const numbers = values.map(Number);
  const isRun = numbers.every(
    (number, position) => position === 0 || number === (numbers[position - 1] ?? 0) + 1,
  );
  return isRun && numbers.length >= 3;
}

/** True for a year, or a month, quarter or half of one, as statistics name their columns: `2016`, `2016.01`, `2016.1/4`. */
export function isPeriod(cell: Cell): boolean {
  return /^(?:19|20)\d\d(?:[./-]?(?:0?[1-9]|1[0-2])(?:\/[24])?)?$/u.test(String(cell));
}

/**
 * True if the periods of a row are over names in the row below: `2016,2016,2017,2017` over `남,여,남,여`. The names below
 * one period differ. Below any other cell, the row repeats the cell or is blank.
 */
function areOverNames(row: HeadRow, below: HeadRow): boolean {
  const seen = new Set<string>();
  let period: Cell = null;
  for (let index = 0; index < Math.max(row.length, below.length); index++) {
    const cell = row[index] ?? null;
    const name = below[index] ?? null;
    if (cell !== null) period = isPeriod(cell) ? cell : null;
    if (period === null) {
      if (name !== null && name !== cell) return false;
      continue;
    }
    const key = `${period} ${name}`;
    if (name === null || (looksLikeValue(name) && !isRange(name)) || seen.has(key)) return false;
    seen.add(key);
  }
  return seen.size > 0;
}

/** True for a name that is a range of numbers, such as the ages `20 - 24` and `85+`. */
function isRange(cell: Cell): boolean {
  return /^\d{1,3}(?:\s*[-~]\s*\d{1,3}|\+)$/u.test(String(cell));
}

/** Header rows above `first` with merged names: `구분,,인구,,` above `시도,시군구,남,여`. */
function parentRows(head: readonly HeadRow[], first: number): number[] {
  const above = head[first - 1];
  if (above === undefined || distinctFilled(above) < 2 || isApproval(above)) return [];
  if (above.some(isPeriod) && areOverNames(above, head[first] ?? [])) return [first - 1];
  const names = above.filter((cell) => cell !== null);
  const areShort = names.every((cell) => typeof cell === 'string' && cell.length <= 30);
  const areNames = names.every(
    (cell) => !looksLikeValue(cell) && !/[:：]|단위|기준|출처|작성/u.test(String(cell)),
  );
  return areShort && areNames && mergedColumns(above).size > 0
    ? [...parentRows(head, first - 1), first - 1]
    : [];
}

/**
 * True if `row` continues a header with merged cells. It must have names below these cells, and either none in other
 * columns, or numbers below most of its names.
 */
function continuesHeader(
  header: readonly HeadRow[],
  row: HeadRow,
  body: readonly HeadRow[],
): boolean {
  const parent = header.at(-1) ?? [];
  const merged = new Set(header.flatMap((above) => [...mergedColumns(above)]));
  let belowMerged = 0;
  let belowOthers = 0;
  for (const [index, cell] of row.entries()) {
    if (cell === null || cell === parent[index]) continue;
    if (looksLikeValue(cell) && !isPeriod(cell) && !isRange(cell)) return false;
    if (merged.has(index)) belowMerged += 1;
    else belowOthers += 1;
  }
  const aboveNumbers = row.filter(
    (cell, position) => cell !== null && isValueColumn(body, position),
  ).length;
  if (belowOthers > 0) return belowMerged > 0 && aboveNumbers >= countFilled(row) / 2;
  const hasUnmergedName = parent.some((cell, position) => cell !== null && !merged.has(position));
  return belowMerged > 0 && (hasUnmergedName || aboveNumbers > 0);
}

/** True if units distinguish the columns of a merged name, as in `인구,` above `(명),(%)`. */
function areUnitsNames(header: readonly HeadRow[], units: HeadRow): boolean {
  return [...units.keys()].some((index) => sharesName(header, units, index));
}

/** True if a column and the one before it both have a unit, and share one merged name. */
function sharesName(header: readonly HeadRow[], units: HeadRow, index: number): boolean {
  const isMerged = header.every(
    (row) => (row[index] ?? null) === null || row[index] === row[index - 1],
  );
  return isMerged && (units[index] ?? null) !== null && (units[index - 1] ?? null) !== null;
}

/**
 * The units in the last header row, for columns with a name of their own; null for a column that its unit distinguishes
 * from another. Null altogether if the row has no units.
 */
export function unitsBelowNames(
  rows: readonly HeadRow[],
  body: readonly HeadRow[],
): HeadRow | null {
  const units = rows.at(-1)!;
  const header = rows.slice(0, -1);
  if (header.length === 0 || !isUnitRow(units, body)) return null;
  return units.map((unit, index) =>
    sharesName(header, units, index) || sharesName(header, units, index + 1) ? null : unit,
  );
}

/** True for a title line with the unit of the table. */
export function isUnitLine(row: HeadRow): boolean {
  return countFilled(row) <= 3 && row.some((cell) => unitNote.test(String(cell)));
}

/** A note of the unit, `(단위: 명)`; 단위 alone names a column. */
const unitNote = /^(?:[([（［]\s*단위|단위\s*[:：]|단위\s+\S)/u;

/** Columns of merged cells: those without a name, and the column before them, which has the name. */
function mergedColumns(row: HeadRow): Set<number> {
  const merged = new Set<number>();
  for (let index = 0; index < row.length; index++) {
    const cell = row[index] ?? null;
    const isGap = cell === null || (index > 0 && cell === row[index - 1]);
    if (!isGap) continue;
    merged.add(index);
    if (index > 0) merged.add(index - 1);
  }
  return merged;
}

/** Maximum number of header rows; rows beyond it are data. */
const headerRowsMax = 4;
