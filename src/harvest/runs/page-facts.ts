import { hash } from 'node:crypto';
import type { Text } from '../../data/axis.ts';
import type { AxisDefinition } from '../operations/definition.ts';
import type { AxisRequest } from '../operations/requests.ts';
import type { PortalAnswer } from '../protocol/answer.ts';
import type { Envelope } from '../protocol/envelope.ts';
import { listRowsOf, rowsOf, type AnswerRows } from '../protocol/rows.ts';
import { isDamaged } from './damaged-text.ts';
import { RowOwners, type RowHashes } from './row-owners.ts';
import { hash64, type HashWords } from './text-hash.ts';

/** Facts of a page that are compared with the facts of other pages; small enough for millions of rows. */
export interface PageFacts {
  readonly rows: number;
  /** Total of the request's rows that this page states; null if it states none. */
  readonly total: number | null;
  /** Hash of all rows. */
  readonly digest: string;
  /** Hash of the keys of all rows; null if the page has fewer than two rows, or two rows with one key. */
  readonly keyDigest: string | null;
  /** Rows that equal an earlier row of the page. */
  readonly repeatedRows: number;
  /** Rows with U+FFFD, which replaces bytes that are not valid UTF-8. */
  readonly damagedRows: number;
  /** True if two attempts returned the same broken JSON, so that it was mended. */
  readonly isMended: boolean;
  readonly unknownFields: readonly string[];
  readonly missingFields: readonly string[];
  /** True for a page that could not be fetched: its rows are missing. */
  readonly isAbsent?: boolean;
}

/** Facts of a page with the hashes of its rows, which are dropped once its request is settled. */
export interface FetchedFacts extends PageFacts {
  readonly rowHashes: RowHashes;
}

/** Reads the rows of a page: records of the axis, or the rows of a list request. */
export function readPage(
  answer: Pick<Envelope, 'rows'>,
  axis: AxisDefinition,
  { hasRecords, stamps }: AxisRequest,
): AnswerRows {
  return hasRecords ? rowsOf(answer, axis, stamps) : listRowsOf(answer);
}

/** Facts of a fetched page. `keyFields` together identify a row; empty for rows without a key. */
export function factsOf(
  { columns, rows, unknownFields, missingFields }: AnswerRows,
  { total, isMended }: Pick<PortalAnswer, 'total' | 'isMended'>,
  keyFields: readonly string[] = [],
): FetchedFacts {
  const rowHashes = new Uint32Array(rows.length * 2);
  const words: HashWords = [0, 0];
  let damagedRows = 0;
  for (const [at, cells] of rows.entries()) {
    const text = joinCells(cells);
    rowHashes.set(hash64(text, words), at * 2);
    if (isDamaged(text)) damagedRows++;
  }
  return {
    rows: rows.length,
    total,
    digest: hash('md5', rowHashes),
    keyDigest: keyDigestOf(
      rows,
      keyFields.map((name) => columns.indexOf(name)),
    ),
    rowHashes,
    repeatedRows: rows.length - new RowOwners(rows.length).addAll(rowHashes, 0),
    damagedRows,
    isMended,
    unknownFields,
    missingFields,
  };
}

/** Facts of a page that could not be fetched. No other page has its digest. */
export function absentPage(page: number): FetchedFacts {
  return {
    rows: 0,
    total: null,
    digest: `absent ${page}`,
    keyDigest: null,
    rowHashes: new Uint32Array(),
    repeatedRows: 0,
    damagedRows: 0,
    unknownFields: [],
    missingFields: [],
    isMended: false,
    isAbsent: true,
  };
}

function keyDigestOf(rows: readonly (readonly Text[])[], keyAt: readonly number[]): string | null {
  if (rows.length < 2 || keyAt.length === 0 || keyAt.includes(-1)) return null;
  const keys = rows.map((cells) => joinCells(keyAt.map((at) => cells[at] ?? null)));
  return new Set(keys).size < keys.length ? null : hash('md5', keys.join('\n'));
}

/** Joins a row's cells to one text; equal rows have equal texts. */
export function joinCells(cells: readonly Text[]): string {
  return cells.join(cellSeparator);
}

const cellSeparator = '\u0001';
