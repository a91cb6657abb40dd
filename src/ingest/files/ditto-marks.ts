import { findingTexts } from './finding-texts.ts';
import { peekBatch } from './peek-batch.ts';
import type { Batch, Cell, FindingSink, Table } from './table.ts';

/**
 * Replaces `〃` by the cell above. The first rows show which columns have the mark: tables with it are made by hand, and
 * short. The word 상동 stays, because it is also the name of a town.
 */
export async function withoutDittoMarks(table: Table, finding: FindingSink): Promise<Table> {
  const { first, batches } = await peekBatch(table.batches);
  const markedColumns = [...table.columns.keys()].filter((column) =>
    first.some((cells) => isMark(cells[column] ?? null)),
  );
  if (markedColumns.length === 0) return { ...table, batches };
  return { ...table, batches: unmarkedBatches(batches, markedColumns, table.columns, finding) };
}

function isMark(cell: Cell): boolean {
  return typeof cell === 'string' && /^[〃″]$/u.test(cell);
}

async function* unmarkedBatches(
  batches: AsyncIterable<Batch>,
  markedColumns: readonly number[],
  names: readonly string[],
  finding: FindingSink,
): AsyncGenerator<Batch, void> {
  const above: Cell[] = [];
  for await (const batch of batches) {
    const rows = batch.rows.map((cells, index) => {
      let filled: Cell[] | null = null;
      for (const column of markedColumns) {
        const cell = cells[column] ?? null;
        const value = above[column] ?? null;
        if (!isMark(cell)) above[column] = cell;
        else if (value !== null) {
          filled ??= [...cells];
          filled[column] = value;
          const detail = findingTexts.markFilled(names[column]!, String(cell), String(value));
          finding({ kind: 'cell_filled', row: batch.sourceRows[index] ?? null, detail });
        }
      }
      return filled ?? cells;
    });
    yield { ...batch, rows };
  }
}
