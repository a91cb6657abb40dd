/**
 * A table as a file holds it: a header and rows of cells, read once, in order, with bounded memory.
 * Every reader of a format ends here, and everything later (types, roles, records) starts here.
 */
export interface Table {
  /** Where in the file it was: the path inside an archive, the sheet's name; null for the whole file. */
  readonly part: string | null;
  /** Unique, non-empty names in the source's order; a nameless column is `열3`, a repeated one `이름_2`. */
  readonly columns: readonly string[];
  readonly format: FileFormat;
  /** What the text was decoded from; null for workbooks, whose text is Unicode already. */
  readonly encoding: Encoding | null;
  /** What the header says beside the names: units, titles above it, columns that had to be named. */
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

/** What the content is, whatever the file's name says. */
export type FileFormat = 'csv' | 'xlsx' | 'xls' | 'ods' | 'html' | 'json' | 'xml';

export const encodings = ['utf-8', 'cp949', 'utf-16le', 'utf-16be'] as const;
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

/** What was odd in a file, with a place a person can find. Counted always, kept up to a bound. */
export interface Finding {
  readonly kind: FindingKind;
  /**
   * 1-based: the line in a text editor or the row in a spreadsheet, the ordinal of the record in JSON and
   * XML; null for the file as a whole.
   */
  readonly row: number | null;
  readonly detail: string;
}

export type FindingKind =
  /** A row wider than the header: its surplus cells are kept in the columns `추가열1`… */
  | 'row_wider'
  /** A row narrower than the header: its missing cells are null. */
  | 'row_narrower'
  /** A row that cannot be read at all; not held. */
  | 'row_unreadable'
  /** A blank line; not held. */
  | 'row_blank'
  /** A total (합계, 소계) among the records; held, and said. */
  | 'row_total'
  /** A line above the header, such as a title or a unit; not held as a record. */
  | 'title_line'
  /** The header again between the rows; not held. */
  | 'header_repeated'
  /** A column without a name of its own, or with one that was taken: it was given one. */
  | 'column_renamed'
  /** A foot note under the table; not held. */
  | 'row_note'
  /** Quotes that do not pair or are doubled; read as they were meant. */
  | 'quote_broken'
  /** Element names and tags that XML does not allow; read as they were meant. */
  | 'markup_broken'
  /** A line in another encoding than the rest of the file; read in its own. */
  | 'encoding_mixed'
  /** Bytes that are no character in the file's encoding, shown as U+FFFD. */
  | 'character_unreadable'
  /** An impossible date such as 2015-09-31; held as written. */
  | 'date_impossible'
  /** Latitudes and longitudes that are none of Korea, or stand in each other’s column; held as written. */
  | 'coordinate_odd'
  /** Names of 구 or 시 that several 시도 have, read as those of the one that the title or the other names tell. */
  | 'sido_assumed'
  /** A part of the file that is not held: another sheet, a picture, a member of another layout. */
  | 'part_not_held';

/** Receives findings while rows stream by. */
export type FindingSink = (finding: Finding) => void;
