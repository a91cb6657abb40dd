import type { Finding } from '../../data/finding.ts';

/**
 * A table of a file: a header and rows of cells, read once, in order, with bounded memory.
 * Every reader of a format ends here, and everything later (types, roles, records) starts here.
 */
export interface Table {
  /** The part of the file: path inside an archive, or name of a sheet; null for the whole file. */
  readonly part: string | null;
  /** Unique, non-empty names in the source's order; a nameless column is `열3`, a repeated one `이름_2`. */
  readonly columns: readonly string[];
  readonly format: FileFormat;
  /** Encoding of the text; null for workbooks, whose text is Unicode already. */
  readonly encoding: Encoding | null;
  /** Facts of the header beside the names: units, titles above it, columns that had to be named. */
  readonly layout: TableLayout;
  /** The rows in order, a thousand or so at a time: no promise for each of millions. */
  readonly batches: AsyncIterable<Batch>;
}

export interface Batch {
  /** Rows as wide as `columns`; a missing cell is null, never `""`. */
  readonly rows: readonly (readonly Cell[])[];
  /** For each row its place in the source, as in `Finding.row`. */
  readonly sourceRows: readonly number[];
}

/** Text is NFC and without the white space around it, else as written; JSON numbers and booleans stay. */
export type Cell = string | number | boolean | null;

/** Format of the content, whatever the file's name. */
export type FileFormat = 'csv' | 'xlsx' | 'xls' | 'ods' | 'html' | 'json' | 'xml';

const encodings = ['utf-8', 'cp949', 'utf-16le', 'utf-16be'] as const;
export type Encoding = (typeof encodings)[number];

export interface TableLayout {
  /** Lines above the header that were read as a title, not as data. */
  readonly titleLines: readonly string[];
  /** Number of rows the header takes; 0 if records carry their names, or none had any and they were made up. */
  readonly headerRows: number;
  /** Unit by column, from `(명)`, `[㎡]` or a unit line; null if none is given. */
  readonly units: readonly (string | null)[];
  /** Columns whose name was made up or made unique. */
  readonly renamedColumns: readonly string[];
}

/** Kinds of findings in a file. All are counted, a bounded number is kept. */
export type FindingKind =
  /** A row wider than the header: its surplus cells are kept in the columns `추가열1`… */
  | 'row_wider'
  /** A row narrower than the header: its missing cells are null. */
  | 'row_narrower'
  /** A row that cannot be read at all; not imported. */
  | 'row_unreadable'
  /** A blank line; not imported. */
  | 'row_blank'
  /** A total (합계, 소계) among the records; imported, and reported. */
  | 'row_total'
  /** A line above the header, such as a title or a unit; not imported as a record. */
  | 'title_line'
  /** The header again between the rows; not imported. */
  | 'header_repeated'
  /** A column without a name of its own, or with one that was taken: it was given one. */
  | 'column_renamed'
  /** A foot note under the table; not imported. */
  | 'row_note'
  /** Quotes that do not pair or are doubled; read as they were meant. */
  | 'quote_broken'
  /** Element names and tags that XML does not allow; read as they were meant. */
  | 'markup_broken'
  /** A line in another encoding than the rest of the file; read in its own. */
  | 'encoding_mixed'
  /** Bytes that are no character in the file's encoding, shown as U+FFFD. */
  | 'character_unreadable'
  /** An impossible date such as 2015-09-31; stored as written. */
  | 'date_impossible'
  /** Latitudes and longitudes that are none of Korea, or stand in each other’s column; stored as written. */
  | 'coordinate_odd'
  /** Names of 구 or 시 that several 시도 have, read as those of the one in the title or of the other names. */
  | 'sido_assumed'
  /** A part of the file that is not imported: another sheet, a picture, a member of another layout. */
  | 'part_not_held';

/** Receives findings while rows stream by. */
export type FindingSink = (finding: Finding<FindingKind>) => void;
