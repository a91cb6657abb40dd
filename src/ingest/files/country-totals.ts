import { nameKey } from '../../data/regions/name-key.ts';
import { sidoOfKey } from '../../data/regions/sido-names.ts';
import { findingTexts } from './finding-texts.ts';
import { looksLikeValue } from './head-row.ts';
import { peekBatch } from './peek-batch.ts';
import type { Batch, Cell, FindingSink, Table } from './table.ts';

/**
 * Marks the rows of the whole country (전국) as totals if other rows of the same column name a 시도, as in statistics by
 * region. 전국 may also be the place of a programme: only years may precede it, and most cells after it must be numbers.
 */
export async function withCountryTotals(table: Table, finding: FindingSink): Promise<Table> {
  const { first, batches } = await peekBatch(table.batches);
  const column = first.map(countryColumn).find((each) => each !== null) ?? null;
  if (column === null || countSidoNames(first, column) < sidoMin) return { ...table, batches };
  return { ...table, batches: markedBatches(batches, column, finding) };
}

/** Column with the word 전국 in a row of numbers for the whole country; null in any other row. */
function countryColumn(cells: readonly Cell[]): number | null {
  const column = cells.findIndex((cell) => cell !== null && !isYear(cell));
  if (cells[column] !== '전국') return null;
  const rest = cells.slice(column + 1).filter((cell) => cell !== null);
  const numbers = rest.filter(looksLikeValue).length;
  return numbers * 2 > rest.length ? column : null;
}

function isYear(cell: Cell): boolean {
  return /^(?:19|20)\d\d(?!\d)/u.test(String(cell));
}

function countSidoNames(rows: Batch['rows'], column: number): number {
  const names = new Set(rows.map((cells) => nameKey(String(cells[column] ?? ''))));
  return [...names].filter((name) => sidoOfKey(name) !== undefined).length;
}

const sidoMin = 2;

async function* markedBatches(
  batches: AsyncIterable<Batch>,
  column: number,
  finding: FindingSink,
): AsyncGenerator<Batch, void> {
  for await (const batch of batches) {
    const totals = new Set(batch.totals);
    for (const [index, cells] of batch.rows.entries()) {
      if (totals.has(index) || countryColumn(cells) !== column) continue;
      totals.add(index);
      const row = batch.sourceRows[index] ?? null;
      finding({ kind: 'row_total', row, detail: findingTexts.total('전국') });
    }
    yield totals.size === 0 ? batch : { ...batch, totals };
  }
}
