import { FileRefused } from '../files/refused.ts';
import { openTables, type OpenOptions } from '../files/open.ts';
import type { Cell, FindingKind } from '../files/table.ts';

/**
 * Measures the damage in a file's first rows, done when it was written: cells in quotes of their own, with
 * characters that cannot be read or in a spreadsheet's short numbers, and the cells of rows that cannot be
 * read at all. Infinite for a file that is refused.
 */
export async function lossOf(path: string, options: OpenOptions): Promise<number> {
  let lost = 0;
  let rowsLeft = sampleRows;
  const unreadable = new Set<FindingKind>(['row_unreadable', 'part_not_held']);
  try {
    let broken = 0;
    const sink = ({ kind }: { kind: FindingKind }): void => {
      if (unreadable.has(kind)) broken++;
    };
    for await (const { columns, batches } of openTables(path, options, sink)) {
      for await (const { rows } of batches) {
        for (const cells of rows) lost += cells.filter(isDamaged).length;
        lost += broken * columns.length;
        broken = 0;
        rowsLeft -= rows.length;
        if (rowsLeft <= 0) return lost;
      }
    }
    return lost + broken;
  } catch (error) {
    if (error instanceof FileRefused) return Infinity;
    throw error;
  }
}

/** Enough rows to see the damage that a format does; the others are similar. */
const sampleRows = 20_000;

function isDamaged(cell: Cell): boolean {
  if (typeof cell !== 'string') return false;
  const isQuoted = cell.length > 1 && cell.startsWith('"') && cell.endsWith('"');
  return isQuoted || cell.includes('\ufffd') || shortNumber.test(cell);
}

/** A telephone number or a code that a spreadsheet took for a number: `1.50129E+07`. */
const shortNumber = /^\d(?:\.\d+)?E\+\d\d$/;
