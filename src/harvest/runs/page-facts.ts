import { hash } from 'node:crypto';
import type { Text } from '../../data/axis.ts';
import type { AxisDefinition } from '../operations/definition.ts';
import type { AxisRequest } from '../operations/requests.ts';
import type { PortalAnswer } from '../protocol/answer.ts';
import type { Envelope } from '../protocol/envelope.ts';
import { isDamaged } from './damaged-text.ts';
import { listRowsOf, rowsOf, type AnswerRows } from '../protocol/rows.ts';

/** Facts of a page that are compared with those of other pages; small enough for millions of rows. */
export interface PageFacts {
  readonly rows: number;
  /** Total of the request's rows that this page states; null if it states none. */
  readonly total: number | null;
  /** Hashes of all rows, of the first row and of the last row. */
  readonly digest: string;
  readonly firstDigest: string;
  readonly lastDigest: string;
  /** Rows that equal an earlier row of the page. */
  readonly repeatedRows: number;
  /** Rows with U+FFFD, which replaces bytes that are not valid UTF-8. */
  readonly damagedRows: number;
  /** True if the page was broken JSON, twice the same. */
  readonly isMended: boolean;
  readonly unknownFields: readonly string[];
  readonly missingFields: readonly string[];
  /** True for a page that could not be fetched: its rows are missing. */
  readonly isAbsent?: boolean;
}

/** Reads a page of the axis, or of a list that its requests follow from. */
export function readPage(
  answer: Pick<Envelope, 'rows'>,
  axis: AxisDefinition,
  { hasRecords, stamps }: AxisRequest,
): AnswerRows {
  return hasRecords ? rowsOf(answer, axis, stamps) : listRowsOf(answer);
}

export function factsOf(
  { rows, unknownFields, missingFields }: AnswerRows,
  { total, isMended }: Pick<PortalAnswer, 'total' | 'isMended'>,
): PageFacts {
  const texts = rows.map(joinCells);
  return {
    rows: rows.length,
    total,
    digest: hash('md5', texts.join('\n')),
    firstDigest: hash('md5', texts[0] ?? ''),
    lastDigest: hash('md5', texts.at(-1) ?? ''),
    repeatedRows: texts.length - new Set(texts).size,
    damagedRows: texts.filter(isDamaged).length,
    isMended,
    unknownFields,
    missingFields,
  };
}

/** Facts of a page that could not be fetched. No other page has its digest. */
export function absentPage(page: number): PageFacts {
  const digest = `absent ${page}`;
  const hashes = { digest, firstDigest: digest, lastDigest: digest };
  const fields = { unknownFields: [], missingFields: [] };
  return {
    rows: 0,
    total: null,
    ...hashes,
    repeatedRows: 0,
    damagedRows: 0,
    ...fields,
    isMended: false,
    isAbsent: true,
  };
}

/** Joins a row's cells to one text; equal rows have equal texts. */
export function joinCells(cells: readonly Text[]): string {
  return cells.join(cellSeparator);
}

const cellSeparator = '\u0001';
