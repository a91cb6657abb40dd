import { findingTexts } from './finding-texts.ts';
import { peekBatch } from './peek-batch.ts';
import type { Batch, Cell, FindingSink, Table } from './table.ts';

/**
 * Writes the cell above for `〃`, in the columns that have the mark among the first rows: a table with such marks is made by
 * hand, and short. The word 상동 is left, because it is the name of a town too.
 */
export async function withoutDittoMarks(table: Table, finding: FindingSink): Promise<Table> {
  const { first, batches } = await peekBatch(table.batches);
  const marked = [...table.columns.keys()].filter((column) =>
    first.some((cells) => isMark(cells[column] ?? null)),
  );
  if (marked.length === 0) return { ...table, batches };
  return { ...table, batches: unmarkedBatches(batches, marked, table.columns, finding) };
}

function isMark(cell: Cell): boolean {
  return typeof cell === 'string' && /^[〃″]$/u.test(cell);
}

async function* unmarkedBatches(
  batches: AsyncIterable<Batch>,
  marked: readonly number[],
  names: readonly string[],
  finding: FindingSink,
): AsyncGenerator<Batch, void> {
  const above: Cell[] = [];
  for await (const batch of batches) {
    const rows = batch.rows.map((cells, index) => {
      let filled: Cell[] | null = null;
      for (const column of marked) {
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
