import type { Finding } from '../src/data/finding.ts';
import { openTables, type OpenOptions } from '../src/ingest/files/open.ts';
import type { Cell, FindingKind, Table } from '../src/ingest/files/table.ts';

/** A table with all its rows in memory. */
export interface WholeTable extends Omit<Table, 'batches'> {
  readonly rows: readonly (readonly Cell[])[];
  readonly sourceRows: readonly number[];
}

/** Everything a file holds, in memory: a test’s files are small. */
export async function readWhole(
  path: string,
  options: OpenOptions = {},
): Promise<{ tables: readonly WholeTable[]; findings: readonly Finding<FindingKind>[] }> {
  const findings: Finding<FindingKind>[] = [];
  const tables: WholeTable[] = [];
  for await (const table of openTables(path, options, (finding) => findings.push(finding))) {
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
