import type { Finding } from '../src/data/finding.ts';
import { openTables, type OpenOptions } from '../src/ingest/files/open.ts';
import { bothLanguages } from '../src/ingest/files/finding-texts.ts';
import type { Cell, FindingKind, FindingSink, Table } from '../src/ingest/files/table.ts';

/** A table with all its rows in memory. */
export interface WholeTable extends Omit<Table, 'batches'> {
  readonly rows: readonly (readonly Cell[])[];
  readonly sourceRows: readonly number[];
}

/** Reads all tables of a file into memory, and its findings in English. */
export async function readWhole(
  path: string,
  options: OpenOptions = {},
): Promise<{ tables: readonly WholeTable[]; findings: readonly Finding<FindingKind>[] }> {
  const findings: Finding<FindingKind>[] = [];
  const tables: WholeTable[] = [];
  const sink: FindingSink = ({ detail, ...rest }) =>
    findings.push({ ...rest, detail: bothLanguages(detail).en });
  for await (const table of openTables(path, options, sink)) {
    const rows: (readonly Cell[])[] = [];
    const sourceRows: number[] = [];
    for await (const batch of table.batches) {
      rows.push(...batch.rows);
      sourceRows.push(...batch.sourceRows);
    }
    const { batches: _, ...rest } = table;
    tables.push({ ...rest, rows, sourceRows });
  }
  return { tables, findings };
}
