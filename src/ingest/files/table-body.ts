import type { BilingualText } from '../../contract/language.ts';
import { findingTexts } from './finding-texts.ts';
import { looksLikeValue } from './header-rows.ts';
import { RunningSums } from './running-sums.ts';
import type { Batch, Cell, FileFinding, FindingSink } from './table.ts';

/**
 * Collects the rows below a header into batches. Blank rows and footnotes at the end are left out; totals are
 * imported and marked. All of them are reported.
 */
export class TableBody {
  readonly #columns: number;
  readonly #header: readonly string[] | null;
  readonly #finding: FindingSink;
  readonly #sums = new RunningSums();
  #rows: (readonly Cell[])[] = [];
  #sourceRows: number[] = [];
  #totals: Set<number> | null = null;
  #possibleNotes: PossibleNote[] = [];

  /** `header` has the cells of a row that repeats the header; null if records carry their names. */
  constructor(columns: number, finding: FindingSink, header: readonly string[] | null = null) {
    this.#columns = columns;
    this.#header = header;
    this.#finding = finding;
  }

  /** Adds a row. `cells` has one cell for each column, and `filled` of them are not null. */
  add(
    cells: readonly Cell[],
    filled: number,
    sourceRow: number,
    { mayBeNote = true, odd = null }: RowFacts = plainRow,
  ): void {
    if (filled === 0) {
      this.#finding({ kind: 'row_blank', row: sourceRow, detail: findingTexts.rowBlank() });
      return;
    }
    if (this.#header !== null && isHeaderRepeated(cells, this.#header)) {
      const detail = findingTexts.headerRepeated();
      this.#finding({ kind: 'header_repeated', row: sourceRow, detail });
      return;
    }
    // A note with commas is several cells of a line that is narrower than the table.
    const isLone = filled === 1 || odd?.kind === 'row_narrower';
    if (isLone && mayBeNote && this.#columns > 1 && isNote(cells)) {
      if (this.#possibleNotes.length < notesMax) {
        this.#possibleNotes.push({ cells, sourceRow, odd });
        return;
      }
    }
    if (this.#possibleNotes.length > 0) this.#importPossibleNotes();
    this.#addRow(cells, sourceRow, odd);
  }

  /** True if there are enough rows for a batch. */
  get isFull(): boolean {
    return this.#rows.length >= batchRows;
  }

  /** Returns the rows so far and removes them. */
  takeBatch(): Batch {
    const rows = { rows: this.#rows, sourceRows: this.#sourceRows };
    const batch = this.#totals === null ? rows : { ...rows, totals: this.#totals };
    this.#rows = [];
    this.#sourceRows = [];
    this.#totals = null;
    return batch;
  }

  /** Returns the last rows and reports the waiting ones as footnotes. */
  endBatch(): Batch {
    for (const { cells, sourceRow } of this.#possibleNotes) {
      const note = cells.filter((cell) => cell !== null).join(', ');
      this.#finding({ kind: 'row_note', row: sourceRow, detail: findingTexts.note(note) });
    }
    this.#possibleNotes = [];
    return this.takeBatch();
  }

  #importPossibleNotes(): void {
    for (const { cells, sourceRow, odd } of this.#possibleNotes)
      this.#addRow(cells, sourceRow, odd);
    this.#possibleNotes = [];
  }

  #addRow(cells: readonly Cell[], sourceRow: number, odd: FileFinding | null): void {
    if (odd !== null) this.#finding(odd);
    const detail = this.#totalDetail(cells);
    if (detail !== null) {
      this.#totals ??= new Set();
      this.#totals.add(this.#rows.length);
      this.#finding({ kind: 'row_total', row: sourceRow, detail });
    }
    this.#rows.push(cells);
    this.#sourceRows.push(sourceRow);
  }

  /** Sentence about a total; null for any other row, which counts for the sums. */
  #totalDetail(cells: readonly Cell[]): BilingualText | null {
    const total = totalOf(cells);
    if (total !== null) return findingTexts.total(total);
    if (this.#sums.isFull) return null;
    if (this.#sums.areIn(cells)) return findingTexts.totalWithoutName();
    this.#sums.add(cells);
    return null;
  }
}

interface RowFacts {
  /** False for a row that is imported whatever its text. */
  readonly mayBeNote?: boolean;
  /** A finding about the row, reported if it is imported. */
  readonly odd?: FileFinding | null;
}

const plainRow: RowFacts = {};

interface PossibleNote {
  readonly cells: readonly Cell[];
  readonly sourceRow: number;
  readonly odd: FileFinding | null;
}

/** True if a row repeats the names of its columns: joined files have it between their parts. */
function isHeaderRepeated(cells: readonly Cell[], header: readonly string[]): boolean {
  if (header.length < 2 || cells[0] !== header[0]) return false;
  return header.every((name, index) => cells[index] === name);
}

const batchRows = 1024;
/** Maximum number of footnotes; if there are more, they are rows. */
const notesMax = 50;

const totals: ReadonlySet<string> = new Set(['합계', '총계', '소계', '계', '총합계', '누계']);
/**
 * The word for a total in a row; null if the row is not a total. Before the word there may be places or a year, and
 * after it there are numbers. A bus stop may be named 소계: it has a position or a text after it.
 */
function totalOf(cells: readonly Cell[]): string | null {
  if (!mayBeTotal(cells)) return null;
  const filled = cells.filter((cell) => cell !== null);
  const index = filled.findIndex(isTotalWord);
  if (index < 0 || !filled.slice(0, index).every(mayNameGroup)) return null;
  const rest = filled.slice(index + 1).filter((cell) => !isTotalWord(cell));
  const numbers = rest.filter((cell) => looksLikeValue(cell));
  const texts = rest.length - numbers.length;
  const isOfNumbers = index === 0 ? numbers.length > texts : texts === 0 && numbers.length > 0;
  return isOfNumbers && !isPosition(numbers) ? String(filled[index]) : null;
}

/** True if a cell before the word may name the group of a total: a text, a year, `2017.1/4`. */
function mayNameGroup(cell: Cell): boolean {
  return !looksLikeValue(cell) || /^(?:19|20)\d\d(?!\d)/u.test(String(cell));
}

/** True if a cell is a word for a total. It runs for every row, so it copies nothing. */
function mayBeTotal(cells: readonly Cell[]): boolean {
  for (let index = 0; index < cells.length; index++) {
    if (isTotalWord(cells[index]!)) return true;
  }
  return false;
}

function isTotalWord(cell: Cell): boolean {
  if (typeof cell !== 'string' || cell.length > 7) return false;
  if (totals.has(cell)) return true;
  const isSpaced = cell.includes(' ') || cell.startsWith('(') || cell.startsWith('[');
  return isSpaced && totals.has(cell.replace(aroundTotal, ''));
}

/** Blanks and brackets, as in `소 계` and `(소계)`. */
const aroundTotal = /[\s()[\]]+/gu;

/** True if a latitude and a longitude of Korea are among the numbers. */
function isPosition(numbers: readonly Cell[]): boolean {
  const within = (from: number, to: number): boolean =>
    numbers.some((cell) => {
      const value = Number(cell);
      return value > from && value < to && !Number.isInteger(value);
    });
  return within(33, 39) && within(124, 132);
}

/** True if a row begins like a footnote. */
export function isNote(cells: readonly Cell[]): boolean {
  const note = cells.find((cell) => cell !== null);
  return typeof note === 'string' && notePattern.test(note);
}

const notePattern =
  /^(?:[※*＊#■□▶▷●○◦☞]|[-–]\s|주\s*\d*\s*[):：]|註|\(?주\s*[:：)]|\(?(?:자료|출처|비고|참고|작성|문의|기준)[^,]{0,10}[:：]|\d+\)|이하\s*여백|끝\.?$|<끝>)/u;
