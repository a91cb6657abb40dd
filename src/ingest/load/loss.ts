import { FileRefused } from '../files/refused.ts';
import { openTables, type OpenOptions } from '../files/open.ts';
import type { Cell, FindingKind } from '../files/table.ts';

/**
 * Counts the damaged cells in the first rows of a file. A cell is damaged if it has literal quotes, an unreadable
 * character or a number that a spreadsheet shortened. Every cell of an unreadable row counts. Infinite for a file
 * that is refused.
 */
export async function countDamage(path: string, options: OpenOptions): Promise<number> {
  let damaged = 0;
  let rowsLeft = sampleRows;
  const unreadableKinds = new Set<FindingKind>(['row_unreadable', 'part_not_held']);
  try {
    let unreadableRows = 0;
    const sink = ({ kind }: { kind: FindingKind }): void => {
      if (unreadableKinds.has(kind)) unreadableRows++;
    };
    for await (const { columns, batches } of openTables(path, options, sink)) {
      for await (const { rows } of batches) {
        for (const cells of rows) damaged += cells.filter(isDamaged).length;
        damaged += unreadableRows * columns.length;
        unreadableRows = 0;
        rowsLeft -= rows.length;
        if (rowsLeft <= 0) return damaged;
      }
    }
    return damaged + unreadableRows;
  } catch (error) {
    if (error instanceof FileRefused) return Infinity;
    throw error;
  }
}

/** Number of rows that show the typical damage of a file. */
const sampleRows = 20_000;

function isDamaged(cell: Cell): boolean {
  if (typeof cell !== 'string') return false;
  const isQuoted = cell.length > 1 && cell.startsWith('"') && cell.endsWith('"');
  return isQuoted || cell.includes('\ufffd') || shortNumber.test(cell);
}

/** A telephone number or a code that a spreadsheet turned into a number: `1.50129E+07`. */
const shortNumber = /^\d(?:\.\d+)?E\+\d\d$/;
