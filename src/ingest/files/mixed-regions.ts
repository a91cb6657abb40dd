import { nameKey } from '../../data/regions/name-key.ts';
import { regionTable, type Region } from '../../data/regions/region-table.ts';
import { sidoOfKey } from '../../data/regions/sido-names.ts';
import { sigunguOfKey } from '../../data/regions/sigungu-names.ts';
import { nameColumns } from './column-names.ts';
import { findingTexts } from './finding-texts.ts';
import { peekBatch } from './peek-batch.ts';
import { isTotalWord } from './total-row.ts';
import type { Batch, Cell, FindingSink, Table } from './table.ts';

/**
 * Adds columns of the 시도 and of the 시군구 to a table that lists each 시도 and, below it, its 시군구 in one column, as
 * statistics of KOSIS do. A 시도 with 시군구 below it is marked as a total. Tables with a column of 시도 stay as they are.
 */
export async function withMixedRegions(table: Table, finding: FindingSink): Promise<Table> {
  if (table.columns.some((name) => sidoColumn.test(name))) return table;
  const { first, batches } = await peekBatch(table.batches);
  const column = table.columns.findIndex((_, at) => areMixedRegions(first, at));
  if (column < 0) return { ...table, batches };
  const { columns } = nameColumns([...table.columns, '시도', '시군구']);
  const { layout } = table;
  const from = table.columns[column]!;
  finding({ kind: 'column_added', row: null, detail: findingTexts.regionsAdded(from) });
  return {
    ...table,
    columns,
    layout: { ...layout, units: [...layout.units, null, null] },
    batches: batchesWithSido(batches, { column, alone: sidoAlone(first, column), finding }),
  };
}

const sidoColumn = /^(?:광역)?시[ ·/]?도(?:명|별)?$/;

/** Place of a row in the column: the country or a 시도 itself, a 시군구 of the 시도 above it, or neither. */
type Level = 'country' | 'sido' | 'sigungu' | null;

/** Follows the rows of a column, each of which may begin a 시도. */
class Levels {
  sido: Region | null = null;
  /** Name of the 시도 as the table has it. */
  name: string | null = null;

  read(cell: Cell): Level {
    if (typeof cell !== 'string') return null;
    if (cell === '전국' || isTotalWord(cell)) {
      [this.sido, this.name] = [null, null];
      return 'country';
    }
    const key = nameKey(cell);
    if (this.sido !== null && sigunguOfKey(this.sido.code, key) !== undefined) return 'sigungu';
    const match = sidoOfKey(key);
    if (match === undefined) return null;
    [this.sido, this.name] = [match.region, cell];
    return 'sido';
  }
}

/** True if a column has several 시도, and nearly all of its other texts are 시군구 of the one above. */
function areMixedRegions(rows: Batch['rows'], column: number): boolean {
  const levels = new Levels();
  const sido = new Set<Region>();
  let parts = 0;
  let others = 0;
  for (const cells of rows) {
    const level = levels.read(cells[column] ?? null);
    if (level === 'sido') sido.add(levels.sido!);
    else if (level === 'sigungu') parts++;
    else if (level === null) others++;
  }
  return sido.size >= sidoMin && parts >= sido.size && others <= (parts + others) * othersShareMax;
}

const sidoMin = 2;
/** Other texts are districts of a city or branch offices. */
const othersShareMax = 0.1;

/** The 시도 of the first rows that are records themselves: no 시군구 is below them. */
function sidoAlone(rows: Batch['rows'], column: number): ReadonlySet<Region> {
  const levels = new Levels();
  const alone = new Set<Region>();
  for (const cells of rows) {
    const level = levels.read(cells[column] ?? null);
    if (level === 'sido') alone.add(levels.sido!);
    else if (level === 'sigungu') alone.delete(levels.sido!);
  }
  // The 시군구 of the last one may follow in the next rows.
  if (levels.sido !== null && hasSigungu(levels.sido)) alone.delete(levels.sido);
  return alone;
}

/** True if a 시도 has 시군구; 세종 has none. */
function hasSigungu({ code }: Region): boolean {
  return regionTable.some(({ parent }) => parent === code);
}

interface MixedRegions {
  readonly column: number;
  readonly alone: ReadonlySet<Region>;
  readonly finding: FindingSink;
}

async function* batchesWithSido(
  batches: AsyncIterable<Batch>,
  { column, alone, finding }: MixedRegions,
): AsyncGenerator<Batch, void> {
  const levels = new Levels();
  for await (const batch of batches) {
    const totals = new Set(batch.totals);
    const rows = batch.rows.map((cells, index) => {
      const level = levels.read(cells[column] ?? null);
      if (level === 'sido' && !alone.has(levels.sido!) && !totals.has(index)) {
        totals.add(index);
        const row = batch.sourceRows[index] ?? null;
        finding({ kind: 'row_total', row, detail: findingTexts.total(levels.name!) });
      }
      return [...cells, levels.name, level === 'sigungu' ? cells[column]! : null];
    });
    yield { ...batch, rows, ...(totals.size > 0 && { totals }) };
  }
}
