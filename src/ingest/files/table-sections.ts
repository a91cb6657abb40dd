import { countFilled, distinctFilled, type HeadRow } from './head-row.ts';
import { headRowsMax } from './heading.ts';
import { beginsTable } from './table-breaks.ts';
import { isNote } from './table-body.ts';

/** One table among the rows of a text or a sheet. */
export interface Section {
  /** Index of its first row. */
  readonly start: number;
  /** Line of its first row in the source. */
  readonly line: number;
  /** Its first rows. */
  readonly head: readonly HeadRow[];
  /** Line of each of its first rows in the source. */
  readonly headLines: readonly number[];
  /** Width of its widest row. */
  readonly usedWidth: number;
}

/**
 * Divides the rows of a text or a sheet into tables. Rows are added in order. Those after a blank row wait until it is
 * decided to which table they belong; `needsCells` is false for most rows, so that a reader need not cut them.
 */
export class TableSections {
  #current: GrowingSection = { start: 0, line: 1, head: [], headLines: [], usedWidth: 0 };
  readonly #sections = [this.#current];
  #waiting: WaitingRow[] | null = null;
  #rows = 0;
  #decisionsLeft = decisionsMax;

  /** True if the cells of the next row are needed. */
  get needsCells(): boolean {
    return this.#waiting !== null || this.#current.head.length < headRowsMax;
  }

  /** Width that is known already: `add` needs the exact width of wider rows only. */
  get usedWidth(): number {
    return this.#waiting === null ? this.#current.usedWidth : 0;
  }

  /** Adds a row. `width` leaves out empty cells at its end; it may be too small for a row no wider than `usedWidth`. */
  add(cells: HeadRow, isBlank: boolean, line: number, width: number): void {
    const isSettled = this.#waiting === null && this.#current.head.length === headRowsMax;
    if (isSettled && !isBlank) {
      this.#rows++;
      if (width > this.#current.usedWidth) this.#current.usedWidth = width;
      return;
    }
    const row = { index: this.#rows++, cells: isBlank ? noCells : cells, line, width };
    if (isBlank && hasTable(this.#waiting)) this.#decide();
    const mayEnd = isBlank && this.#waiting === null && this.#decisionsLeft > 0;
    if (mayEnd && hasTable(this.#current.head)) this.#waiting = [];
    if (this.#waiting === null) addRow(this.#current, row);
    else if (this.#waiting.push(row) === waitingMax) this.#decide();
  }

  /** The tables, after the last row. */
  end(): readonly Section[] {
    this.#decide();
    return this.#sections;
  }

  #decide(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    this.#decisionsLeft -= 1;
    // Notes below a table are above the title of the next one.
    const first = waiting.findIndex(({ cells }) => countFilled(cells) > 0 && !isNote(cells));
    const rows = waiting.slice(Math.max(0, first)).map(({ cells }) => cells);
    const isBreak = first >= 0 && this.#sections.length < sectionsMax;
    const start = isBreak && beginsTable(rows, this.#current.head) ? first : waiting.length;
    for (const row of waiting.slice(0, start)) addRow(this.#current, row);
    if (start === waiting.length) return;
    const { index, line } = waiting[start]!;
    this.#current = { start: index, line, head: [], headLines: [], usedWidth: 0 };
    this.#sections.push(this.#current);
    for (const row of waiting.slice(start)) addRow(this.#current, row);
  }
}

interface GrowingSection extends Section {
  readonly head: HeadRow[];
  readonly headLines: number[];
  usedWidth: number;
}

interface WaitingRow {
  readonly index: number;
  readonly cells: HeadRow;
  readonly line: number;
  readonly width: number;
}

/** Maximum number of tables; further ones are rows of the last one. */
const sectionsMax = 100;
/** Most blank rows after which a new table is looked for, so that a text with a blank line after each row costs little. */
const decisionsMax = 1000;
/** Most rows after a blank one in which a header is looked for. */
const waitingMax = 30;
const noCells: HeadRow = [];

function addRow(section: GrowingSection, { cells, line, width }: WaitingRow): void {
  if (section.head.length < headRowsMax) {
    section.head.push(cells);
    section.headLines.push(line);
  }
  if (width > section.usedWidth) section.usedWidth = width;
}

/** True if at least a header and a row are among the rows. */
function hasTable(rows: readonly (HeadRow | WaitingRow)[] | null): boolean {
  let wide = 0;
  for (const row of rows ?? []) {
    const cells = 'cells' in row ? row.cells : row;
    if (distinctFilled(cells) > 1 && ++wide > 1) return true;
  }
  return false;
}
