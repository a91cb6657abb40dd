import type { BilingualText } from '../../contract/language.ts';
import type { Finding } from '../../data/finding.ts';

/**
 * A table of a file: a header and rows of cells that are read once, in order, with bounded memory. All format readers
 * produce it; the profiler and the axis writer consume it.
 */
export interface Table {
  /** Path inside an archive; null for the whole file. */
  readonly part: string | null;
  /** Name of the table inside its file: of the sheet, or the title above it. Absent if the file is one table. */
  readonly section?: string;
  /** Unique, non-empty names in the source's order; a nameless column is `열3`, a repeated one `이름_2`. */
  readonly columns: readonly string[];
  /** True for the table that represents the file, whatever the sizes of the others. */
  readonly isMain?: boolean;
  /** True if the last column has the name of the file in the archive. */
  readonly isNamedByFile?: boolean;
  readonly format: FileFormat;
  /** Encoding of the text; null for workbooks, whose text is Unicode already. */
  readonly encoding: Encoding | null;
  /** Korean names that the file itself gives to its columns, by column; absent if it has none. */
  readonly labels?: ReadonlyMap<string, string>;
  /** Further facts about the header: units, titles above it, renamed columns. */
  readonly layout: TableLayout;
  /** For a page of a response: its records among those that the response declares; absent if it has all of them. */
  readonly total?: RecordTotal | undefined;
  /** The rows in order, about a thousand a batch, because a promise for each row would be slow. */
  readonly batches: AsyncIterable<Batch>;
}

/** Path of a table inside its file: in an archive, a workbook and a sheet; null for the only table of a file. */
export function tablePath({ part, section }: Table): string | null {
  return section === undefined ? part : part === null ? section : `${part}/${section}`;
}

/** Number of records in a response, and the larger number that it declares. */
export interface RecordTotal {
  readonly records: number;
  readonly declared: number;
}

export interface Batch {
  /** Rows as wide as `columns`; a missing cell is null, never `""`. */
  readonly rows: readonly (readonly Cell[])[];
  /** Position of each row in the source, as in `Finding.row`. */
  readonly sourceRows: readonly number[];
  /** Indexes of the rows that are totals or subtotals of others; absent if none is. */
  readonly totals?: ReadonlySet<number>;
}

/** Text is trimmed and in NFC, otherwise as written; JSON numbers and booleans keep their type. */
export type Cell = string | number | boolean | null;

/** Format of the content, whatever the file's name. */
export type FileFormat =
  'csv' | 'xlsx' | 'xls' | 'ods' | 'html' | 'json' | 'xml' | 'dbf' | 'parquet';

const encodings = ['utf-8', 'cp949', 'utf-16le', 'utf-16be'] as const;
export type Encoding = (typeof encodings)[number];

export interface TableLayout {
  /** Lines above the header that were read as a title, not as data. */
  readonly titleLines: readonly string[];
  /** Position of each title line in the source, as in `Finding.row`; absent without title lines. */
  readonly titleRows?: readonly number[];
  /** Number of header rows; 0 if records carry their names or the names were generated. */
  readonly headerRows: number;
  /** Unit by column, from `(명)`, `[㎡]` or a unit line; null if none is given. */
  readonly units: readonly (string | null)[];
  /** Columns whose name was generated or made unique. */
  readonly renamedColumns: readonly string[];
  /** True for a part that has the header of the first part instead of one of its own. */
  readonly isContinued?: true;
  /** Names by column in a second row, in another language or as codes; absent if there is none. */
  readonly secondNames?: readonly (string | null)[];
  /** Position of the second row of names in the source; that of the first if there are several. */
  readonly secondNamesRow?: number;
}

/** Kinds of findings in a file. All findings are counted; a bounded number is stored. */
export type FindingKind =
  /** A row wider than the header: its surplus cells are kept in the columns `추가열1`… */
  | 'row_wider'
  /** A row narrower than the header: its missing cells are null. */
  | 'row_narrower'
  /** A row that cannot be read at all; not imported. */
  | 'row_unreadable'
  /** A record that is marked as deleted; not imported. */
  | 'row_deleted'
  /** A blank line; not imported. */
  | 'row_blank'
  /** A total (합계, 소계) among the records; imported, and reported. */
  | 'row_total'
  /** A line above the header, such as a title or a unit; not imported as a record. */
  | 'title_line'
  /** A file whose name is a date, a number or a word such as `download`, and that has no title. */
  | 'title_missing'
  /** A part without a header, which takes the header of the first part. */
  | 'header_inherited'
  /** A header that may be a record, a table that may be several, or a row that may change the columns; read as it looks. */
  | 'layout_unclear'
  /** The header again between the rows; not imported. */
  | 'header_repeated'
  /** A column whose name was missing or repeated; it got a new one. */
  | 'column_renamed'
  /** Columns of the 시도 and the 시군구 beside one that lists each 시도 and then its 시군구. */
  | 'column_added'
  /** A footnote under the table; not imported. */
  | 'row_note'
  /** Unpaired or doubled quotes; repaired. */
  | 'quote_broken'
  /** Words and commas that JSON does not allow, such as NaN; repaired. */
  | 'json_mended'
  /** Element names and tags that XML does not allow; repaired. */
  | 'markup_broken'
  /** HTML escapes such as `&amp;` in a text that needed none; removed. */
  | 'escapes_removed'
  /** A region that is written once for a group of rows, or a mark `〃`; filled with the cell above. */
  | 'cell_filled'
  /** A line in another encoding than the rest of the file; decoded in its own. */
  | 'encoding_mixed'
  /** Korean text that was saved in a wrong encoding; restored. */
  | 'mojibake'
  /** Bytes that encode no character; replaced by U+FFFD. */
  | 'character_unreadable'
  /** An impossible date such as 2015-09-31; stored as written. */
  | 'date_impossible'
  /** Day zero of a spreadsheet, or a date in a far future; stored as written. */
  | 'date_odd'
  /** A number whose last digits a spreadsheet lost before the file was made; stored as written. */
  | 'digits_lost'
  /** A code such as `2-58` that a spreadsheet made a date of, `Feb-58`; stored as written. */
  | 'code_as_date'
  /** A text in a column of numbers or dates, stored as written, or numbers that are shown in other units. */
  | 'value_odd'
  /** Coordinates outside Korea, or in the column of the other coordinate; stored as written. */
  | 'coordinate_odd'
  /** Names of 구 or 시 that exist in several 시도; assigned to one by the title or the other names. */
  | 'sido_assumed'
  /** A response declares more records than it has; the others are on pages that were not given. */
  | 'pages_missing'
  /** A shape that is too long or cannot be read; its record is imported without it. */
  | 'geometry_not_held'
  /** Shapes in coordinates other than WGS84; stored as written. */
  | 'geometry_projected'
  /** Plane coordinates of a Korean system; `lat` and `lon` have them as degrees. */
  | 'position_computed'
  /** Formulas of a workbook without a calculated value, whose cells are null, and errors in place of values. */
  | 'formula_without_value'
  /** A part of the file that is not imported: another sheet, a picture, a member of another layout. */
  | 'part_not_held';

/** A finding in a file. Its sentence is in both languages, or a text of the file itself. */
export interface FileFinding extends Omit<Finding<FindingKind>, 'detail'> {
  readonly detail: BilingualText | string;
}

/** Receives findings while rows are read. */
export type FindingSink = (finding: FileFinding) => void;
