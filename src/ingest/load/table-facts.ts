import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { FileRefused } from '../files/refused.ts';
import { openTables, type OpenOptions } from '../files/open.ts';
import type { PartHeader } from '../files/part-header.ts';
import type { Cell, FindingKind } from '../files/table.ts';
import { skipTexts } from './skip-texts.ts';
import { ValueSample } from './value-sample.ts';

/** The columns of a file's first table. */
export interface TableHead {
  readonly columns: readonly string[];
  /** Lines above the header. */
  readonly titleLines: readonly string[];
  /** True if every record carries the names of its values, so that a missing name is a missing value. */
  readonly hasNamedValues: boolean;
  /** Header of the first part that the file was compared with; null if there is none. */
  readonly firstHeader: PartHeader | null;
  /** True if the file has no header and takes the header of the first part. */
  readonly isContinued: boolean;
}

/** Reads the columns of a file. Throws `FileRefused`. */
export async function readTableHead(path: string, options: OpenOptions): Promise<TableHead> {
  for await (const { columns, format, layout } of openTables(path, options, () => {})) {
    const hasNamedValues = (format === 'json' || format === 'xml') && layout.headerRows === 0;
    return {
      columns,
      titleLines: layout.titleLines,
      hasNamedValues,
      firstHeader: options.firstHeader ?? null,
      isContinued: layout.isContinued === true,
    };
  }
  throw new FileRefused('empty', skipTexts.noTable(basename(path)));
}

/** Facts about the rows of files, which show whether two files have the same data. */
export interface TableContent {
  readonly rows: number;
  /** Digest that is equal for the same rows in any order of rows and columns; null if a file is refused. */
  readonly digest: string | null;
  /** Number of damaged cells; infinite for a file that is refused. */
  readonly damaged: number;
  readonly values: ValueSample;
}

/** A file, with the header of the first part that it may continue. */
export interface FileToRead {
  readonly path: string;
  readonly firstHeader?: PartHeader | undefined;
}

/** Reads the rows of files as one table. */
export async function readTableContent(
  files: readonly FileToRead[],
  options: OpenOptions,
): Promise<TableContent> {
  const values = new ValueSample();
  const digest = [0, 0, 0, 0, 0];
  let rows = 0;
  let damaged = 0;
  for (const { path, firstHeader } of files) {
    try {
      let unreadableRows = 0;
      const sink = ({ kind }: { kind: FindingKind }): void => {
        if (unreadableKinds.has(kind)) unreadableRows++;
      };
      for await (const { columns, batches } of openTables(
        path,
        { ...options, firstHeader },
        sink,
      )) {
        const order = sortedIndexes(columns);
        for await (const batch of batches) {
          for (const cells of batch.rows) {
            rows++;
            damaged += cells.filter(isDamaged).length;
            addRow(digest, order, columns, cells);
            for (const [index, name] of columns.entries()) values.add(name, cells[index] ?? null);
          }
        }
        damaged += unreadableRows * columns.length;
        unreadableRows = 0;
      }
      damaged += unreadableRows;
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      damaged = Infinity;
    }
  }
  const isWhole = damaged < Infinity;
  return { rows, digest: isWhole ? `${rows} ${digest.join(' ')}` : null, damaged, values };
}

const unreadableKinds = new Set<FindingKind>(['row_unreadable', 'part_not_held']);

function sortedIndexes(columns: readonly string[]): number[] {
  return [...columns.keys()].sort((a, b) => (columns[a]! < columns[b]! ? -1 : 1));
}

/** Adds the hash of a row to a sum, so that the order of rows does not count. */
function addRow(
  digest: number[],
  order: readonly number[],
  columns: readonly string[],
  cells: readonly Cell[],
): void {
  const row = order.map((index) => [columns[index], textOf(cells[index] ?? null)]);
  const bytes = createHash('sha256').update(JSON.stringify(row)).digest();
  for (const index of digest.keys()) {
    digest[index] = (digest[index]! + bytes.readUIntBE(index * 6, 6)) % 2 ** 48;
  }
}

function textOf(cell: Cell): string | null {
  return cell === null ? null : String(cell);
}

/** True for literal quotes, an unreadable character, or a number that a spreadsheet shortened. */
function isDamaged(cell: Cell): boolean {
  if (typeof cell !== 'string') return false;
  const isQuoted = cell.length > 1 && cell.startsWith('"') && cell.endsWith('"');
  return isQuoted || cell.includes('\ufffd') || shortNumber.test(cell);
}

/** A telephone number or a code that a spreadsheet turned into a number: `1.50129E+07`. */
const shortNumber = /^\d(?:\.\d+)?E\+\d\d$/;
