import type { CatalogEntry } from '../../data/catalog.ts';
import type { Finding } from '../../data/finding.ts';
import { openTables } from '../files/open.ts';
import { bothLanguages } from '../files/finding-texts.ts';
import { FileRefused } from '../files/refused.ts';
import type { FindingKind, FindingSink, Table } from '../files/table.ts';
import {
  catalogColumns,
  catalogEntryOf,
  koreanHeader,
  requiredColumns,
  type ColumnReader,
} from './entry.ts';
import type { EntryTable } from './entry-table.ts';
import { catalogRefusalTexts } from './refusal-texts.ts';

/**
 * Reads the datasets of the portal's list file into a table. If several rows have the same id, the newest is
 * imported. Throws `FileRefused` if the file is not a dataset list.
 */
export async function readCatalog(
  path: string,
  entries: EntryTable,
  report: CatalogReport,
): Promise<void> {
  const sink: FindingSink = ({ detail, ...rest }) =>
    report({ ...rest, detail: bothLanguages(detail).en });
  for await (const table of openTables(path, {}, sink)) {
    for await (const { entry, row } of entriesOf(table, report)) {
      const other = entries.find(entry.id);
      const isNewer = (entry.modified ?? '') > (other?.entry.modified ?? '');
      if (other === null || isNewer) entries.put(entry, row);
      if (other === null) continue;
      const detail = `${entry.id} has a newer row in the list`;
      report({ kind: 'duplicate', row: isNewer ? other.row : row, detail });
    }
  }
}

/** Function that receives every row or value that is changed or left out. */
export type CatalogReport = (finding: Finding<CatalogFindingKind>) => void;

export type CatalogFindingKind =
  /** A finding of the file reader. */
  | FindingKind
  /** A row that is not a dataset; not imported. */
  | 'row_refused'
  /** A row that is imported without one of its values. */
  | 'value_unreadable'
  /** A row that is older than another row with the same id; not imported. */
  | 'duplicate';

async function* entriesOf(
  table: Table,
  report: CatalogReport,
): AsyncIterable<{ readonly entry: CatalogEntry; readonly row: number }> {
  let row = 0;
  const refuse = (detail: string): void => report({ kind: 'row_refused', row, detail });
  const reportUnreadable = (detail: string): void =>
    report({ kind: 'value_unreadable', row, detail });
  const columns = columnsOf(table);
  for await (const batch of table.batches) {
    for (const [index, cells] of batch.rows.entries()) {
      row = batch.sourceRows[index] ?? 0;
      const readColumn: ColumnReader = (column) => cells[columns[column] ?? -1];
      const entry = catalogEntryOf(readColumn, { refuse, reportUnreadable });
      if (entry !== null) yield { entry, row };
    }
  }
}

function columnsOf(table: Table) {
  const columns = catalogColumns(table.columns);
  const missing = requiredColumns.filter((column) => columns[column] === undefined);
  if (missing.length === 0) return columns;
  throw new FileRefused('not_a_table', catalogRefusalTexts.notList(missing.map(koreanHeader)));
}
