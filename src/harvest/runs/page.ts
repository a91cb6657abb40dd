import type { Text } from '../../data/axis.ts';
import { hash } from 'node:crypto';
import type { AxisDefinition } from '../operations/definition.ts';
import type { AxisRequest } from '../operations/requests.ts';
import type { Envelope } from '../protocol/envelope.ts';
import { plainRows, rowsOf, type Drift } from '../protocol/rows.ts';

/** One answered page: its records, cell by column. */
export interface Page extends Drift {
  /** Fields of the axis in its order, then those it does not know. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Text[])[];
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
  /** Rows in which bytes were no UTF-8 and became U+FFFD. */
  readonly damaged: number;
  readonly unknown: readonly string[];
  readonly missing: readonly string[];
}

/** The records of an answer; rows of a list keep their own names. */
export function readPage(
  answer: Pick<Envelope, 'rows'>,
  axis: AxisDefinition,
  request: AxisRequest,
): Page {
  if (request.holdsRecords) {
    const { columns, rows, drift } = rowsOf(answer, axis, request.stamps);
    return { columns, rows, ...drift };
  }
  const rows = plainRows(answer);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => columns.map((name) => row[name] ?? null));
  return { columns, rows: cells, unknown: [], missing: [] };
}

export function factsOf({ rows, unknown, missing }: Page, total: number | null): PageFacts {
  const texts = rows.map(lineOf);
  return {
    rows: rows.length,
    total,
    digest: hash('md5', texts.join('\n')),
    first: hash('md5', texts[0] ?? ''),
    last: hash('md5', texts.at(-1) ?? ''),
    repeated: texts.length - new Set(texts).size,
    damaged: texts.filter((text) => text.includes('\uFFFD')).length,
    unknown,
    missing,
  };
}

/** A row as one text: equal rows have equal ones. */
export function lineOf(cells: readonly Text[]): string {
  return cells.join(cellSeparator);
}

const cellSeparator = '\u0001';
