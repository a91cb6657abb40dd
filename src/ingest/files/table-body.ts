import { looksLikeValue } from './header-rows.ts';
import type { Batch, Cell, FindingSink } from './table.ts';

/**
 * Takes the rows under a header one by one and gives them on in batches: blank rows are left out, foot
 * notes too when nothing but notes follows them, totals are kept and reported.
 */
export class TableBody {
  readonly #columns: number;
  readonly #header: readonly string[] | null;
  readonly #finding: FindingSink;
  #rows: (readonly Cell[])[] = [];
  #sourceRows: number[] = [];
  #held: { cells: readonly Cell[]; sourceRow: number }[] = [];

  /** `header` is the text of a row that repeats it; null if records carry their names. */
  constructor(columns: number, finding: FindingSink, header: readonly string[] | null = null) {
    this.#columns = columns;
    this.#header = header;
    this.#finding = finding;
  }

  /**
   * `cells` is as wide as the table; `filled` is how many of them are not null. A row that cannot be a note,
   * since it names its one cell and no other, is kept whatever its text.
   */
  add(cells: readonly Cell[], filled: number, sourceRow: number, mayBeNote = true): void {
    if (filled === 0) {
      this.#finding({ kind: 'row_blank', row: sourceRow, detail: 'The row is blank.' });
      return;
    }
    if (this.#header !== null && repeats(cells, this.#header)) {
      const detail = 'The header again; it is not imported.';
      this.#finding({ kind: 'header_repeated', row: sourceRow, detail });
      return;
    }
    const isLone = mayBeNote && filled === 1 && this.#columns > 1;
    if (isLone && isNote(cells) && this.#held.length < heldMax) {
      this.#held.push({ cells, sourceRow });
      return;
    }
    if (this.#held.length > 0) this.#release();
    this.#keep(cells, sourceRow);
  }

  /** True if there are enough rows for a batch. */
  get full(): boolean {
    return this.#rows.length >= batchRows;
  }

  /** The rows so far; empties the body. */
  take(): Batch {
    const batch = { rows: this.#rows, sourceRows: this.#sourceRows };
    this.#rows = [];
    this.#sourceRows = [];
    return batch;
  }

  /** The last rows: what still waits is a foot note. */
  end(): Batch {
    for (const { cells, sourceRow } of this.#held) {
      const note = cells.find((cell) => cell !== null);
      this.#finding({ kind: 'row_note', row: sourceRow, detail: `A foot note: ${String(note)}` });
    }
    this.#held = [];
    return this.take();
  }

  #release(): void {
    for (const { cells, sourceRow } of this.#held) this.#keep(cells, sourceRow);
    this.#held = [];
  }

  #keep(cells: readonly Cell[], sourceRow: number): void {
    const total = totalOf(cells);
    if (total !== null) {
      this.#finding({
        kind: 'row_total',
        row: sourceRow,
        detail: `A total among the records: ${total}`,
      });
    }
    this.#rows.push(cells);
    this.#sourceRows.push(sourceRow);
  }
}

/** True if a row repeats the names of its columns: joined files have it between their parts. */
function repeats(cells: readonly Cell[], header: readonly string[]): boolean {
  if (header.length < 2 || cells[0] !== header[0]) return false;
  return header.every((name, index) => cells[index] === name);
}

const batchRows = 1024;
/** Notes under a table are few; past this they are rows. */
const heldMax = 50;

const totals: ReadonlySet<string> = new Set(['합계', '총계', '소계', '계', '총합계', '누계']);
/**
 * The word for a total that a row begins with, or that stands after the place or year it is the total of, over
 * nothing but numbers. A bus stop is called 소계 too: it has a position, or a text behind it.
 */
function totalOf(cells: readonly Cell[]): string | null {
  if (!mayBeTotal(cells)) return null;
  const filled = cells.filter((cell) => cell !== null);
  const index = filled.findIndex((cell, place) => place < totalColumns && isTotalWord(cell));
  if (index < 0 || !filled.slice(0, index).every(namesRows)) return null;
  const rest = filled.slice(index + 1).filter((cell) => !isTotalWord(cell));
  const numbers = rest.filter((cell) => looksLikeValue(cell));
  const texts = rest.length - numbers.length;
  const isOfNumbers = index === 0 ? numbers.length > texts : texts === 0 && numbers.length > 0;
  return isOfNumbers && !isPosition(numbers) ? String(filled[index]) : null;
}

/** True if a cell in front of a total may be what it is the total of: a text, a year, `2017.1/4`. */
function namesRows(cell: Cell): boolean {
  return !looksLikeValue(cell) || /^(?:19|20)\d\d(?!\d)/u.test(String(cell));
}

/** Runs for every row: no copy is made. */
function mayBeTotal(cells: readonly Cell[]): boolean {
  for (let index = 0; index < totalColumns && index < cells.length; index++) {
    if (isTotalWord(cells[index] ?? null)) return true;
  }
  return false;
}

/** Totals stand in the columns that name a row; further right the words mean something else. */
const totalColumns = 3;

function isTotalWord(cell: Cell): boolean {
  if (typeof cell !== 'string' || cell.length > 5) return false;
  return totals.has(cell) || (cell.includes(' ') && totals.has(cell.replaceAll(' ', '')));
}

/** True if a latitude and a longitude of Korea are among the numbers. */
function isPosition(numbers: readonly Cell[]): boolean {
  const within = (from: number, to: number): boolean =>
    numbers.some((cell) => {
      const value = Number(cell);
      return value > from && value < to && !Number.isInteger(value);
    });
  return within(33, 39) && within(124, 132);
}

function isNote(cells: readonly Cell[]): boolean {
  const note = cells.find((cell) => cell !== null);
  return typeof note === 'string' && notePattern.test(note);
}

const notePattern =
  /^(?:[※*＊#■□▶▷●○◦☞]|[-–]\s|주\s*\d*\s*[):：]|註|\(?주\s*[:：)]|\(?(?:자료|출처|비고|참고|작성|문의|기준)[^,]{0,10}[:：]|\d+\)|이하\s*여백|끝\.?$|<끝>)/u;
