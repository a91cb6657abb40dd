import { findHeading } from './heading.ts';
import { cellOf, isObject } from './json-record.ts';
import type { FileLimits } from './limits.ts';
import type { Cell } from './table.ts';

/** A table of a JSON document that is not a list of objects. */
export interface JsonGrid {
  readonly names: readonly (string | null)[];
  readonly rows: readonly (readonly Cell[])[];
}

/**
 * Finds a table in a JSON document without a list of objects, in one of the forms that programs write: rows as arrays
 * with the names above or beside them, an array or object of values for each column, an object of records. Null if there
 * is none; `limits` bounds the columns.
 */
export function gridOfDocument(document: unknown, limits: FileLimits): JsonGrid | null {
  let level: readonly unknown[] = [document];
  for (let depth = 0; depth < depthMax; depth++) {
    for (const value of level) {
      const grid = gridOf(value, limits);
      if (grid !== null) return grid;
    }
    level = level.filter(isObject).flatMap(Object.values);
  }
  return null;
}

/** Most envelopes around a table, such as `{"result": {"data": …}}`. */
const depthMax = 3;

/**
 * Finds rows as arrays, with a list of objects that name their columns: `{"columns":[{"name":"구"}],
 * "data":[["가람구"]]}`. Both may be in envelopes of their own. Null if the document has no such rows.
 */
export function gridOfNamedColumns(document: unknown): JsonGrid | null {
  const values: unknown[] = [];
  let level: readonly unknown[] = [document];
  for (let depth = 0; depth <= depthMax; depth++) {
    values.push(...level);
    level = level.filter(isObject).flatMap(Object.values);
  }
  for (const matrix of values.filter(isMatrix)) {
    const { length } = matrix[0]!;
    const areEqual = matrix.every((row) => row.length === length);
    const names = areEqual ? values.map((value) => columnNames(value, length)).find(Boolean) : null;
    if (names) return { names, rows: matrix.map(cellsOf) };
  }
  return null;
}

/** The names in a list that has an object for each column; null for any other value. */
function columnNames(value: unknown, width: number): readonly string[] | null {
  if (!Array.isArray(value) || value.length !== width || !value.every(isObject)) return null;
  const objects: readonly Members[] = value;
  for (const member of nameMembers) {
    const names = objects.map((each) => each[member]);
    if (names.every((each) => typeof each === 'string' && each !== '')) return names as string[];
  }
  return null;
}

/** Members with the name of a column, as DataTables, Socrata and grids write them; a label before a name. */
const nameMembers = ['label', 'title', 'headerName', 'caption', 'name', 'field', 'id'];

function gridOf(value: unknown, limits: FileLimits): JsonGrid | null {
  if (isMatrix(value)) return gridWithHeader(value, limits);
  if (!isObject(value)) return null;
  return gridBesideNames(value) ?? gridOfColumns(value) ?? gridOfRecords(value);
}

/** `[["구","인구"],["가람구",1]]` */
function gridWithHeader(matrix: Matrix, limits: FileLimits): JsonGrid | null {
  const rows = matrix.map(cellsOf);
  const width = Math.max(...rows.map((row) => row.length));
  const heading = findHeading(rows, width, limits);
  if (heading.layout.headerRows === 0) return null;
  return { names: heading.columns, rows: rows.slice(heading.firstDataRow) };
}

/** `{"columns":["구","인구"],"data":[["가람구",1]]}`; `index` may have labels of the rows. */
function gridBesideNames(value: Members): JsonGrid | null {
  const { index, ...others } = value;
  const lists = Object.values(others).filter((each) => Array.isArray(each));
  const matrix = lists.find(isMatrix);
  if (matrix === undefined) return null;
  const width = matrix[0]!.length;
  const names = lists.find(
    (list): list is string[] =>
      list.length === width && list.every((each) => typeof each === 'string'),
  );
  if (names === undefined) return null;
  const isLabelled =
    Array.isArray(index) && index.length === matrix.length && !isCount(index.map(String));
  if (!isLabelled) return { names, rows: matrix.map(cellsOf) };
  return {
    names: [keyName, ...names],
    rows: matrix.map((row, at) => [cellOf(index[at], false), ...cellsOf(row)]),
  };
}

/** `{"구":["가람구"],"인구":[1]}`, or with the numbers of rows: `{"구":{"0":"가람구"},"인구":{"0":1}}` */
function gridOfColumns(value: Members): JsonGrid | null {
  const columns = Object.values(value).map((each) => {
    if (Array.isArray(each)) return each as unknown[];
    return isObject(each) && isCount(Object.keys(each)) ? Object.values(each) : null;
  });
  const length = columns[0]?.length ?? 0;
  const isGrid =
    columns.length > 1 &&
    length > 1 &&
    columns.every((each) => each?.length === length && each.every(isScalar));
  if (!isGrid) return null;
  const rows = Array.from({ length }, (_, row) => columns.map((each) => cellOf(each![row], false)));
  return { names: Object.keys(value), rows };
}

/** `{"가람구":{"인구":1,"면적":2},"나루구":{"인구":3,"면적":4}}`: the names of the records become the first column. */
function gridOfRecords(value: Members): JsonGrid | null {
  const records = Object.values(value);
  if (records.length < 2 || !records.every(isFlatRecord)) return null;
  const names = [...new Set(records.flatMap(Object.keys))];
  const areAlike = records.every((each) => Object.keys(each).length * 2 >= names.length);
  if (!areAlike) return null;
  return {
    names: [keyName, ...names],
    rows: Object.keys(value).map((key, at) => [
      key,
      ...names.map((name) => cellOf(records[at]![name], false)),
    ]),
  };
}

/** Name of the column with the labels of records. */
const keyName = '키';

type Members = Readonly<Record<string, unknown>>;
type Matrix = readonly (readonly unknown[])[];

/** True for at least two arrays of values, each with at least two. */
function isMatrix(value: unknown): value is Matrix {
  if (!Array.isArray(value) || value.length < 2) return false;
  return value.every((row) => Array.isArray(row) && row.length > 1 && row.every(isScalar));
}

function isFlatRecord(value: unknown): value is Members {
  if (!isObject(value)) return false;
  const values = Object.values(value);
  return values.length > 0 && values.every(isScalar);
}

function isScalar(value: unknown): boolean {
  return !Array.isArray(value) && !isObject(value);
}

/** True for the numbers from 0 on, in order. */
function isCount(keys: readonly string[]): boolean {
  return keys.length > 0 && keys.every((key, index) => key === String(index));
}

function cellsOf(row: readonly unknown[]): Cell[] {
  return row.map((value) => cellOf(value, false));
}
