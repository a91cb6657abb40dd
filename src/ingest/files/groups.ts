import { nameKey } from '../../data/regions/name-key.ts';
import { sidoOfKey } from '../../data/regions/sido-names.ts';
import { allSigunguOfName, sigunguOfKey } from '../../data/regions/sigungu-names.ts';
import { findingTexts } from './finding-texts.ts';
import { looksLikeValue } from './head-row.ts';
import { peekBatch } from './peek-batch.ts';
import { isTotalWord } from './total-row.ts';
import type { Batch, Cell, FindingSink, Table } from './table.ts';

/**
 * Fills the blank cells of a column whose 시도 or 시군구 is written only in the first row of each group, as merged cells
 * are saved. The first rows must show this: every name is that of a region and occurs once, and the rows below it name
 * parts of the region. Totals stay as they are. `finding` receives what is found in rows.
 */
export async function withGroups(table: Table, finding: FindingSink): Promise<Table> {
  if (table.format === 'json' || table.format === 'parquet') return table;
  const sido = table.columns.findIndex((name) => sidoColumn.test(name));
  const sigungu = table.columns.findIndex((name) => sigunguColumn.test(name));
  if (sido < 0 && sigungu < 0) return table;
  const { first, batches } = await peekBatch(table.batches);
  const groupColumns = [
    ...(sido >= 0 && areSidoGroups(first, sido, sigungu) ? [sido] : []),
    ...(sigungu >= 0 && areSigunguGroups(first, sido, sigungu) ? [sigungu] : []),
  ];
  if (groupColumns.length === 0) return { ...table, batches };
  const groups = new Groups(groupColumns, table.columns, finding);
  return { ...table, batches: filledBatches(batches, groups) };
}

const sidoColumn = /^(?:광역)?시[ ·/]?도(?:명|별)?$/;
const sigunguColumn = /^(?:시[ ·/]?군[ ·/]?구|시[ ·/]?군|구[ ·/]?군|자치구)(?:명|별)?$/;

/** True if each 시도 is written once, above its 시군구. Without a column of 시군구, there must be several groups. */
function areSidoGroups(rows: Batch['rows'], sido: number, sigungu: number): boolean {
  const groups = groupsOf(rows, sido);
  if (groups === null || hasRepeats(groups.map(({ name }) => name))) return false;
  if (sigungu < 0 && groups.length < 2) return false;
  return groups.every(({ name, below }) => {
    const region = sidoOfKey(nameKey(name))?.region;
    if (region === undefined) return false;
    const parts = below.flatMap((cells) => (sigungu < 0 ? [] : namesIn(cells, sigungu)));
    const inSido = parts.filter((part) => sigunguOfKey(region.code, nameKey(part)) !== undefined);
    return inSido.length >= parts.length * partsShareMin;
  });
}

/** Minimum share of the parts that are a 시군구 of the 시도; others are branch offices and the like. */
const partsShareMin = 0.9;

/** True if each 시군구 of a 시도 is written once, above rows of its own. */
function areSigunguGroups(rows: Batch['rows'], sido: number, sigungu: number): boolean {
  const groups = groupsOf(rows, sigungu);
  if (groups === null || groups.length < 2) return false;
  let sidoName = '';
  const names = groups.map(({ name, head }) => {
    if (sido >= 0) sidoName = String(head[sido] ?? sidoName);
    return `${sidoName} ${name}`;
  });
  const areRegions = groups.every(({ name }) => allSigunguOfName(nameKey(name)).length > 0);
  return areRegions && !hasRepeats(names);
}

/** A row with the name of a group, and the rows below it without one. */
interface Group {
  readonly name: string;
  readonly head: readonly Cell[];
  readonly below: (readonly Cell[])[];
}

/** The groups of a column. Null if no cell is blank, or if one is blank above all names or in a row that names no part. */
function groupsOf(rows: Batch['rows'], column: number): Group[] | null {
  const groups: Group[] = [];
  let hasBlank = false;
  for (const cells of rows) {
    const cell = cells[column] ?? null;
    if (isTotal(cell)) continue;
    if (cell !== null) groups.push({ name: String(cell), head: cells, below: [] });
    else if (groups.length === 0 || !hasNameAfter(cells, column)) return null;
    else {
      hasBlank = true;
      groups.at(-1)!.below.push(cells);
    }
  }
  return hasBlank ? groups : null;
}

/** True if a text to the right of a column names a part of its region. */
function hasNameAfter(cells: readonly Cell[], column: number): boolean {
  return cells.some((cell, at) => at > column && cell !== null && !looksLikeValue(cell));
}

function namesIn(cells: readonly Cell[], column: number): string[] {
  const cell = cells[column] ?? null;
  return cell === null || isTotal(cell) ? [] : [String(cell)];
}

function isTotal(cell: Cell): boolean {
  return cell === '전국' || isTotalWord(cell);
}

function hasRepeats(names: readonly string[]): boolean {
  return new Set(names).size < names.length;
}

/** Remembers the names of the current groups and fills them into the rows, one after another. */
class Groups {
  readonly #groupColumns: readonly number[];
  readonly #columns: readonly string[];
  readonly #finding: FindingSink;
  readonly #names: Cell[];

  /** `groupColumns` are the columns to fill, the wider region first. */
  constructor(groupColumns: readonly number[], columns: readonly string[], finding: FindingSink) {
    this.#groupColumns = groupColumns;
    this.#columns = columns;
    this.#finding = finding;
    this.#names = groupColumns.map(() => null);
  }

  /** Fills the blank names of a row. The row of a total is not filled, but may end or begin a group. */
  fill(cells: readonly Cell[], sourceRow: number | null, isTotalRow: boolean): readonly Cell[] {
    let filled: Cell[] | null = null;
    for (const [level, column] of this.#groupColumns.entries()) {
      const cell = cells[column] ?? null;
      if (cell !== null) {
        this.#names[level] = isTotal(cell) ? null : cell;
        this.#names.fill(null, level + 1);
        continue;
      }
      const name = this.#names[level] ?? null;
      if (isTotalRow || name === null || !hasNameAfter(cells, column)) continue;
      filled ??= [...cells];
      filled[column] = name;
      const detail = findingTexts.cellFilled(this.#columns[column]!, String(name));
      this.#finding({ kind: 'cell_filled', row: sourceRow, detail });
    }
    return filled ?? cells;
  }
}

async function* filledBatches(
  batches: AsyncIterable<Batch>,
  groups: Groups,
): AsyncGenerator<Batch, void> {
  for await (const batch of batches) {
    const rows = batch.rows.map((cells, index) =>
      groups.fill(cells, batch.sourceRows[index] ?? null, batch.totals?.has(index) === true),
    );
    yield { ...batch, rows };
  }
}
