import type { BilingualText } from '../../contract/language.ts';
import { findingTexts } from './finding-texts.ts';
import { RunningSums } from './running-sums.ts';
import { totalOf } from './total-row.ts';
import type { Batch, Cell, FileFinding, FindingSink } from './table.ts';

/**
 * Collects the rows below a header into batches. Blank rows and footnotes at the end are left out; totals are
 * imported and marked. All of them are reported.
 */
export class TableBody {
  readonly #columns: number;
  readonly #header: RepeatedHeader | null;
  readonly #finding: FindingSink;
  readonly #titles: ReadonlySet<Cell>;
  readonly #sums = new RunningSums();
  #rows: (readonly Cell[])[] = [];
  #sourceRows: number[] = [];
  #totals: Set<number> | null = null;
  #possibleNotes: PossibleNote[] = [];

  /**
   * `header` has the cells of a row that repeats the header; null if records carry their names. `titles` are the lines
   * above it, which printed tables repeat on each page.
   */
  constructor(
    columns: number,
    finding: FindingSink,
    header: readonly (string | null)[] | null = null,
    titles: readonly string[] = [],
  ) {
    this.#columns = columns;
    this.#header = header === null || header.length < 2 ? null : new RepeatedHeader(header);
    this.#titles = new Set(titles.filter(({ length }) => length >= titleUnitsMin));
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
    if (this.#header?.isRepeated(cells) === true) {
      const detail = this.#header.isReordered
        ? findingTexts.headerReordered()
        : findingTexts.headerRepeated();
      this.#finding({ kind: 'header_repeated', row: sourceRow, detail });
      return;
    }
    if (this.#header?.isSimilar(cells) === true) {
      const detail = findingTexts.headerChanged(cells.filter((cell) => cell !== null).map(String));
      this.#finding({ kind: 'layout_unclear', row: sourceRow, detail });
    }
    if (filled === 1 && this.#titles.size > 0 && this.#columns > 1) {
      const title = cells.find((cell) => cell !== null)!;
      if (this.#titles.has(title)) {
        this.#finding({ kind: 'title_line', row: sourceRow, detail: String(title) });
        return;
      }
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
    this.#addRow(this.#header?.inOrder(cells) ?? cells, sourceRow, odd);
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
    if (this.#sums.isSumRow(cells)) return findingTexts.totalWithoutName();
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

/** The names of the columns, to recognise a row that repeats them: joined files have it between their parts. */
class RepeatedHeader {
  readonly #names: readonly (string | null)[];
  /** False for names that repeat each other, or are missing. */
  readonly #areDistinct: boolean;
  readonly #nameSet: ReadonlySet<Cell>;
  /** Place of each column in the rows below the last repetition; null if it is the same. */
  #order: readonly number[] | null = null;

  constructor(names: readonly (string | null)[]) {
    this.#names = names;
    this.#nameSet = new Set(names);
    this.#areDistinct = this.#nameSet.size === names.length && !this.#nameSet.has(null);
  }

  get isReordered(): boolean {
    return this.#order !== null;
  }

  /** True if a row has all the names, in any order. The rows below it are then read in its order. */
  isRepeated(cells: readonly Cell[]): boolean {
    if (!this.#nameSet.has(cells[0] ?? null)) return false;
    const isSame = this.#names.every((name, index) => cells[index] === name);
    // Two names in the other order may be values: `남,여` below `여,남`.
    if (!isSame && (!this.#areDistinct || cells.length < 3)) return false;
    const order = isSame ? null : this.#names.map((name) => cells.indexOf(name));
    if (order?.includes(-1) === true) return false;
    this.#order = order;
    return true;
  }

  /** True if a row begins with a name, and most of its cells are names: a header with other columns. */
  isSimilar(cells: readonly Cell[]): boolean {
    if (!this.#nameSet.has(cells[0] ?? null) || (cells[0] ?? null) === null) return false;
    const names = cells.filter((cell) => cell !== null && this.#nameSet.has(cell));
    return names.length > 1 && names.length * 2 > this.#names.length;
  }

  inOrder(cells: readonly Cell[]): readonly Cell[] {
    return this.#order?.map((from) => cells[from] ?? null) ?? cells;
  }
}

/** Minimum length of a title that is recognised on later pages; a shorter one may be the name of a record. */
const titleUnitsMin = 6;
const batchRows = 1024;
/** Maximum number of footnotes; if there are more, they are rows. */
const notesMax = 50;

/** True if a row begins like a footnote. */
export function isNote(cells: readonly Cell[]): boolean {
  const note = cells.find((cell) => cell !== null);
  return typeof note === 'string' && notePattern.test(note);
}

const notePattern =
  /^(?:[※*＊#■□▶▷●○◦☞]|[-–]\s|주\s*\d*\s*[):：]|註|\(?주\s*[:：)]|\(?(?:자료|출처|비고|참고|작성|문의|기준|담당)[^,]{0,10}[:：]|\S+\s.*니다\.?$|\d+\)|이하\s*여백|끝\.?$|<끝>)/u;
