import type { CatalogEntry } from '../../data/catalog.ts';
import { openTables } from '../files/open.ts';
import { FileRefused } from '../files/refused.ts';
import type { FindingKind, FindingSink, Table } from '../files/table.ts';
import {
  catalogColumns,
  catalogEntryOf,
  headerOf,
  requiredColumns,
  type CatalogColumns,
} from './entry.ts';

/**
 * The datasets of a list file of the portal, in its order, each id once: of several rows with one id the
 * newest counts. The file is read twice, first to learn which row that is, so that a list of any length
 * takes little memory. Throws `FileRefused` for what is no list.
 */
export async function* readCatalog(
  path: string,
  report: CatalogReport,
): AsyncIterable<CatalogEntry> {
  const winners = await newestRows(path);
  const finding: FindingSink = ({ kind, row, detail }) => report({ kind, row, detail });
  for await (const { entry, place, row } of readRows(openTables(path, {}, finding), report)) {
    const winner = winners.get(entry.id)?.place;
    if (winner === place) yield entry;
    else report({ kind: 'duplicate', row, detail: `${entry.id} has a newer row in the list` });
  }
}

/** Called for everything that was not taken as it stood. */
export type CatalogReport = (finding: CatalogFinding) => void;

export interface CatalogFinding {
  readonly kind: CatalogFindingKind;
  /** 1-based row of the source; null for the file. */
  readonly row: number | null;
  readonly detail: string;
}

export type CatalogFindingKind =
  /** What the file's reader met. */
  | FindingKind
  /** No dataset could be made of the row; not held. */
  | 'row_refused'
  /** The row is held, one of its values is not. */
  | 'value_unreadable'
  /** Another row of the same id is newer; this one is not held. */
  | 'duplicate';

interface ReadRow {
  readonly entry: CatalogEntry;
  /** Ordinal among the rows of all tables of the file: the same in both readings. */
  readonly place: number;
  readonly row: number;
}

async function newestRows(
  path: string,
): Promise<ReadonlyMap<string, { readonly place: number; readonly modified: string }>> {
  const winners = new Map<string, { place: number; modified: string }>();
  for await (const { entry, place } of readRows(openTables(path, {}, ignore), ignore)) {
    const modified = entry.modified ?? '';
    const winner = winners.get(entry.id);
    if (winner === undefined || modified > winner.modified) {
      winners.set(entry.id, { place, modified });
    }
  }
  return winners;
}

async function* readRows(
  tables: AsyncIterable<Table>,
  report: CatalogReport,
): AsyncIterable<ReadRow> {
  let place = 0;
  let row = 0;
  const fault = (detail: string): void => report({ kind: 'row_refused', row, detail });
  const doubt = (detail: string): void => report({ kind: 'value_unreadable', row, detail });
  for await (const table of tables) {
    const columns = columnsOf(table);
    for await (const batch of table.batches) {
      for (const [at, cells] of batch.rows.entries()) {
        row = batch.sourceRows[at] ?? 0;
        const entry = catalogEntryOf(cells, columns, { fault, doubt });
        if (entry !== null) yield { entry, place, row };
        place++;
      }
    }
  }
}

function columnsOf(table: Table): CatalogColumns {
  const columns = catalogColumns(table.columns);
  const missing = requiredColumns.filter((column) => columns[column] === undefined);
  if (missing.length === 0) return columns;
  throw new FileRefused(
    'not_a_table',
    `This is no dataset list of the portal: it has no column ${missing.map(headerOf).join(', ')}. ` +
      'Download 목록개방현황 (dataset 15062804) from data.go.kr and load that file.',
  );
}

function ignore(): void {}
