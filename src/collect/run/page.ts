import { hash } from 'node:crypto';
import type { FieldType, Row, Value } from '../../data/axis.ts';
import type { AxisDefinition } from '../axes/definition.ts';
import type { AxisRequest } from '../axes/requests.ts';
import type { Envelope } from '../portal/envelope.ts';
import { plainRows, rowsOf } from '../portal/rows.ts';

/** One answered page: its records, cell by column. */
export interface Page {
  /** Fields of the axis in its order, then those it does not know. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  readonly unknown: readonly string[];
  /** Fields that no row of the page has. */
  readonly missing: readonly string[];
}

/** What is remembered of a page to judge it beside its neighbours, small enough for millions of rows. */
export interface PageFacts {
  readonly rows: number;
  /** Rows of the whole question as this page says; null where it does not. */
  readonly total: number | null;
  /** Hash of all rows, of the first and of the last; empty without rows. */
  readonly digest: string;
  readonly first: string;
  readonly last: string;
  /** Rows that the page has more than once. */
  readonly repeated: number;
  readonly unknown: readonly string[];
  readonly missing: readonly string[];
}

/** The records of an answer; rows of a list keep their own names. */
export function readPage(
  answer: Pick<Envelope, 'rows'>,
  axis: AxisDefinition,
  request: AxisRequest,
): Page {
  if (!request.holdsRecords) {
    const rows = plainRows(answer);
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    return { columns, rows: cellsOf(rows, columns, []), unknown: [], missing: [] };
  }
  const { rows, drift } = rowsOf(answer, axis, request.stamps);
  const columns = [...axis.fields.map(({ name }) => name), ...drift.unknown];
  const types = axis.fields.map(({ type }) => type);
  return { columns, rows: cellsOf(rows, columns, types), ...drift };
}

export function factsOf({ rows, unknown, missing }: Page, total: number | null): PageFacts {
  const texts = rows.map((cells) => JSON.stringify(cells));
  return {
    rows: rows.length,
    total,
    digest: hash('md5', texts.join('\n')),
    first: hash('md5', texts[0] ?? ''),
    last: hash('md5', texts.at(-1) ?? ''),
    repeated: texts.length - new Set(texts).size,
    unknown,
    missing,
  };
}

function cellsOf(
  rows: readonly Row[],
  columns: readonly string[],
  types: readonly FieldType[],
): Value[][] {
  return rows.map((row) => columns.map((name, at) => typed(row[name] ?? null, types[at])));
}

/**
 * A value in the one form its field has. Services that turn XML into JSON make a number of whatever looks
 * like one, row by row, and some days every number comes as text: a code stays text, a measure is a number
 * where that loses nothing.
 */
function typed(value: Value, type: FieldType | undefined): Value {
  if (typeof value === 'number') {
    return type === 'number' || type === 'integer' || type === undefined ? value : String(value);
  }
  if (typeof value !== 'string') return value;
  const text = value.includes('\0') ? value.replaceAll('\0', '') : value;
  if (text === '') return null;
  if (type !== 'number' && type !== 'integer') return text;
  const number = Number(text);
  return String(number) === text ? number : text;
}
