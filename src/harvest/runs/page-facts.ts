import { hash } from 'node:crypto';
import type { Text } from '../../data/axis.ts';
import type { AxisDefinition } from '../operations/definition.ts';
import type { AxisRequest } from '../operations/requests.ts';
import type { Envelope } from '../protocol/envelope.ts';
import { listRowsOf, rowsOf, type AnswerRows } from '../protocol/rows.ts';

/** Facts by which a page is judged beside its neighbours, small enough for millions of rows. */
export interface PageFacts {
  readonly rows: number;
  /** Rows of the whole request, as this page states; null where it does not. */
  readonly total: number | null;
  /** Hash of all rows, of the first and of the last; empty without rows. */
  readonly digest: string;
  readonly first: string;
  readonly last: string;
  /** Rows that the page has already. */
  readonly repeated: number;
  /** Rows with U+FFFD in place of bytes that are no UTF-8. */
  readonly damaged: number;
  readonly unknown: readonly string[];
  readonly missing: readonly string[];
}

/** Reads a page of the axis, or of a list that its requests follow from. */
export function readPage(
  answer: Pick<Envelope, 'rows'>,
  axis: AxisDefinition,
  { hasRecords, stamps }: AxisRequest,
): AnswerRows {
  return hasRecords ? rowsOf(answer, axis, stamps) : listRowsOf(answer);
}

export function factsOf({ rows, unknown, missing }: AnswerRows, total: number | null): PageFacts {
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

/** Joins a row to one text, equal for equal rows. */
export function lineOf(cells: readonly Text[]): string {
  return cells.join(cellSeparator);
}

const cellSeparator = '\u0001';
