import { basename, dirname, extname } from 'node:path';
import { headerText } from './column-names.ts';
import { datasetOfFileName } from './dataset-name.ts';
import {
  columnName,
  countFilled,
  isValueColumn,
  looksLikeValue,
  patternOf,
  type HeadRow,
} from './head-row.ts';
import { isPeriod } from './header-rows.ts';
import type { Cell, Table } from './table.ts';

/** Header of the first part of a table, by which a further part without a header is recognised and read. */
export interface PartHeader {
  /** Name of the first part: of a file or a sheet. */
  readonly name: string;
  /** False if the further part has the name of another table, so that it may well have another header. */
  readonly isOfSeries: boolean;
  readonly columns: readonly string[];
  /** Form of the values by column; null for free text, and where the name of the column has the form too. */
  readonly forms: readonly (string | null)[];
  /** Texts among the first values by column. */
  readonly values: readonly ReadonlySet<string>[];
}

/** Header of the table that a part begins with; null if it has none above its records. */
export async function readPartHeader(
  name: string,
  tables: AsyncIterable<Table>,
): Promise<PartHeader | null> {
  for await (const { columns, format, section, layout, batches } of tables) {
    const isAlone = format !== 'csv' || section === undefined;
    if (layout.headerRows === 0 || !isAlone) return null;
    for await (const { rows } of batches) return partHeader(name, columns, rows);
    return null;
  }
  return null;
}

/** Header of a part by its first rows. */
export function partHeader(
  name: string,
  columns: readonly string[],
  rows: readonly HeadRow[],
): PartHeader {
  const cellsOf = (column: number): Cell[] => rows.map((row) => row[column] ?? null);
  const forms = columns.map((name, column) => {
    const form = formOf(cellsOf(column));
    return form === null || hasForm(name, form) ? null : form;
  });
  const values = columns.map((_, column) => textsOf(cellsOf(column)));
  return { name, isOfSeries: true, columns, forms, values };
}

/** True for names of sheets that differ in their numbers only, such as `Sheet1` and `Sheet2`, or 목록 and 목록(2). */
export function areOfSeries(one: string, other: string): boolean {
  const [first, second] = [one, other].map((name) => name.replace(/[\s\d()_-]+/gu, ''));
  return first === second;
}

/** The texts of a column, without single syllables: one such as 계 may also be a name in a header. */
function textsOf(cells: readonly Cell[]): Set<string> {
  return new Set(cells.filter(isText));
}

function isText(cell: Cell): cell is string {
  return typeof cell === 'string' && !looksLikeValue(cell) && !/^[가-힣]$/u.test(cell);
}

/** The form of numbers, dates and times, and that of years alone; every other form is a pattern of codes. */
const valueForm = 'value';
const periodForm = 'period';

function formOf(cells: readonly Cell[]): string | null {
  const filled = cells.filter((cell) => cell !== null);
  if (filled.length < valuesMin) return null;
  if (filled.every(isPeriod)) return periodForm;
  if (filled.every(looksLikeValue)) return valueForm;
  const pattern = patternOf(filled[0]!);
  const isCode = filled.length >= codesMin && codePattern.test(pattern);
  return isCode && filled.every((cell) => patternOf(cell) === pattern) ? pattern : null;
}

const valuesMin = 2;
const codesMin = 3;
const codePattern = /^(?=.*0)\S+$/u;

function hasForm(cell: Cell, form: string): boolean {
  if (form === periodForm) return isPeriod(cell);
  return form === valueForm ? looksLikeValue(cell) : patternOf(cell) === form;
}

/**
 * True if the first row of a part is a record of the first part's table. The part must be as wide. Its first row and most
 * others must have the forms of the first part's values, and the first row none of its names. If no column has a form,
 * the first row must have a text that is a value of its column in the first part.
 */
export function continuesPart(
  [first = [], ...rest]: readonly HeadRow[],
  usedWidth: number,
  { columns, forms, values, isOfSeries }: PartHeader,
): boolean {
  const isAsWide = columns.length > 1 && Math.max(first.length, usedWidth) === columns.length;
  if (!isAsWide || countFilled(first) * 2 < columns.length) return false;
  const names = new Set(columns);
  if (first.some((cell) => cell !== null && names.has(headerText(String(cell))))) return false;
  const columnsWithForm = [...forms.keys()].filter((column) => forms[column] !== null);
  const filled = columnsWithForm.filter((column) => (first[column] ?? null) !== null);
  const rows = rest.filter((row) => countFilled(row) * 2 >= columns.length);
  const isRecord =
    filled.every((column) => hasForm(first[column]!, forms[column]!)) &&
    columnsWithForm.every((column) => haveForm(rows, column, forms[column]!));
  if (!isRecord || isScale(first, forms)) return false;
  const isFormed = filled.length > 0 && filled.length * 2 >= columnsWithForm.length;
  return isFormed || (isOfSeries && sharesValue(first, rows, values));
}

/**
 * True if the first row has a text of the first part in the same column, and no columns of texts have become numbers. A
 * list of the columns of the next table has their names as values, so the first row must not have common names.
 */
function sharesValue(
  first: HeadRow,
  rest: readonly HeadRow[],
  values: readonly ReadonlySet<string>[],
): boolean {
  if (first.some((cell) => typeof cell === 'string' && columnName.test(cell))) return false;
  const isOtherKind = values.some((texts, column) => texts.size > 0 && isValueColumn(rest, column));
  return !isOtherKind && first.some((cell, column) => values[column]!.has(String(cell)));
}

/** True for a header that may be a record: it is as wide as the header of the first part, with mostly other names. */
export function mayContinuePart(names: readonly string[], { columns }: PartHeader): boolean {
  const common = names.filter((name) => columns.includes(name)).length;
  return names.length > 1 && names.length === columns.length && common * 2 < names.length;
}

function haveForm(rows: readonly HeadRow[], column: number, form: string): boolean {
  const cells = rows.map((row) => row[column] ?? null).filter((cell) => cell !== null);
  return cells.filter((cell) => hasForm(cell, form)).length >= cells.length * formShareMin;
}

const formShareMin = 0.8;

/** True for names of columns that are years, or consecutive numbers, over values of other kinds. */
function isScale(row: HeadRow, forms: readonly (string | null)[]): boolean {
  const values = [...row.keys()].filter(
    (column) =>
      row[column] !== null && forms[column] !== periodForm && looksLikeValue(row[column]!),
  );
  const numbers = values.map((column) => Number(row[column]));
  const isRun = numbers.every((number, at) => at === 0 || number === numbers[at - 1]! + 1);
  return (
    (isRun && values.length > 2) ||
    (values.length > 1 && values.every((column) => isPeriod(row[column]!)))
  );
}

/**
 * Finds, by their names, the first part of the table that a file may continue: `시설_1.csv` or `시설.csv` for `시설_2.csv`
 * and `시설 (2).csv` in the same folder. Null for a first part itself, and if two files have the lowest number.
 */
export function firstParts<File extends object>(
  files: readonly File[],
  pathOf: (file: File) => string,
): (file: File) => File | null {
  const firsts = new Map<string, { readonly place: number; readonly file: File | null }>();
  for (const file of files) {
    const key = seriesKey(pathOf(file));
    const place = placeAmongParts(pathOf(file));
    const first = firsts.get(key);
    if (first === undefined || place < first.place) firsts.set(key, { place, file });
    else if (place === first.place) firsts.set(key, { place, file: null });
  }
  return (file) => {
    const first = firsts.get(seriesKey(pathOf(file)));
    return first === undefined || first.place === placeAmongParts(pathOf(file)) ? null : first.file;
  };
}

/** A key that is equal for files which are parts of one table by their names. */
function seriesKey(path: string): string {
  const { title, titleSource, referenceDate } = datasetOfFileName(basename(path));
  const name = titleSource === 'name' ? title : basename(path);
  return JSON.stringify([dirname(path), name, referenceDate, extname(path).toLowerCase()]);
}

/** Place of a file among the parts of a table: `_2` and `(1)` are second ones; 1 for a name without a number. */
export function placeAmongParts(path: string): number {
  const copy = /\((\d{1,3})\)\s*\.[^.]*$/u.exec(path)?.[1];
  return datasetOfFileName(path).part ?? (copy === undefined ? 1 : Number(copy) + 1);
}
