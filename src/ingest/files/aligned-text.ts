import { isValueColumn } from './head-row.ts';
import type { FileLimits } from './limits.ts';
import { rewriteLines } from './lines.ts';

/** Columns of a text that is aligned by blanks. */
export interface AlignedColumns {
  readonly bounds: readonly Bounds[];
  /** Positions that a Hangul syllable takes: 2 in most fixed-width files, 1 or the 3 bytes of UTF-8 in others. */
  readonly wide: 1 | 2 | 3;
}

/** Positions of a column in a line. */
interface Bounds {
  readonly start: number;
  /** Start of the next column. */
  readonly end: number;
}

/**
 * Finds the columns of a text without delimiters, such as a fixed-width export. All lines are blank between two columns.
 * Null if the columns are not certain: at least five lines, two columns and one column of numbers or dates are needed.
 * The first line may be a header of other widths, and lines that begin with `#` are remarks.
 */
export function findAlignedColumns(sample: string): AlignedColumns | null {
  const lines = sample.split(/\r\n?|\n/u).filter((line) => line.trim() !== '' && !isRemark(line));
  const body = lines.slice(1, sampleLines + 1);
  if (body.length < linesMin || body.some((line) => line.includes('\t'))) return null;
  const candidates = ([2, 1] as const).map((wide) => ({ wide, bounds: boundsOf(body, wide) }));
  const [asBytes, asCharacters] = candidates.map((each) => alignmentOf(body, each));
  const columns = asCharacters! > asBytes! ? candidates[1]! : candidates[0]!;
  if (columns.bounds.length < 2 || Math.max(asBytes!, asCharacters!) < alignmentMin) return null;
  const rows = body.map((line) => cutLine(line, columns)?.map(({ text }) => text) ?? []);
  return columns.bounds.some((_, index) => isValueColumn(rows, index)) ? columns : null;
}

/** Minimum share of cells that begin or end where their column does; words of sentences do not. */
const alignmentMin = 0.8;

/** Share of cells that begin at the start of their column, or else end at its end, in the worst column. */
function alignmentOf(lines: readonly string[], columns: AlignedColumns): number {
  const rows = lines.map((line) => cutLine(line, columns) ?? []);
  const shares = columns.bounds.map((_, index) => {
    const cells = rows.flatMap((row) => (row[index]?.text ? [row[index]] : []));
    const start = Math.min(...cells.map((cell) => cell.start));
    const end = Math.max(...cells.map((cell) => cell.end));
    const begins = cells.filter((cell) => cell.start === start).length;
    const ends = cells.filter((cell) => cell.end === end).length;
    return Math.max(begins, ends) / cells.length;
  });
  return Math.min(...shares);
}

const linesMin = 5;
const sampleLines = 500;

/** Rewrites pieces of an aligned text with a tab between the cells, line for line. */
export async function* delimitAligned(
  pieces: AsyncIterable<string>,
  columns: AlignedColumns,
  limits: Pick<FileLimits, 'recordUnitsMax'>,
): AsyncIterable<string> {
  const head = new RemarkBuffer(columns);
  yield* rewriteLines(pieces, (line) => head.add(line), limits);
  yield head.end();
}

/** Holds back the remarks above the first row, so that the one with the names of the columns is written last. */
class RemarkBuffer {
  readonly #columns: AlignedColumns;
  #remarks: string[] | null = [];

  constructor(columns: AlignedColumns) {
    this.#columns = columns;
  }

  /** The lines that can be written. */
  add(line: string): string {
    const isAside = isRemark(line) || line.trim() === '';
    if (this.#remarks === null) return isAside ? `${line}\n` : this.#row(line);
    if (isAside) {
      this.#remarks.push(line);
      return '';
    }
    return this.end() + this.#row(line);
  }

  /** The lines that are held back. */
  end(): string {
    const remarks = this.#remarks ?? [];
    this.#remarks = null;
    const count = this.#columns.bounds.length;
    const names = remarks.find((line) => wordsOf(line.replace(/^\s*#/u, '')).length === count);
    const others = remarks.filter((line) => line !== names);
    const header = names === undefined ? '' : joinCells(wordsOf(names.replace(/^\s*#/u, '')));
    return others.map((line) => `${line}\n`).join('') + header;
  }

  #row(line: string): string {
    const cells = cutLine(line, this.#columns);
    if (cells !== null) return joinCells(cells.map(({ text }) => text));
    const words = wordsOf(line);
    return joinCells(words.length === this.#columns.bounds.length ? words : [line.trim()]);
  }
}

/** Joins cells to a line, with tabs between them. */
export function joinCells(cells: readonly string[]): string {
  const quoted = cells.map((cell) =>
    cell.startsWith('"') ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join('\t')}\n`;
}

function wordsOf(line: string): string[] {
  return line.trim().split(/\s+/u);
}

function isRemark(line: string): boolean {
  return line.trimStart().startsWith('#');
}

/** A word or words of a line, with the positions of their start and their end. */
interface AlignedCell {
  text: string;
  start: number;
  end: number;
}

/** The cells of a line; null if a word of it crosses the start of a column. */
export function cutLine(line: string, { bounds, wide }: AlignedColumns): AlignedCell[] | null {
  const cells = bounds.map((): AlignedCell => ({ text: '', start: -1, end: -1 }));
  let position = 0;
  let column = 0;
  let isInWord = false;
  for (const character of line) {
    while (column + 1 < bounds.length && position >= bounds[column]!.end) {
      if (isInWord && !isBlank(character)) return null;
      column += 1;
    }
    const cell = cells[column]!;
    isInWord = !isBlank(character);
    if (isInWord && cell.start < 0) cell.start = position;
    if (cell.start >= 0) cell.text += character;
    position += isWide(character) ? wide : 1;
    if (isInWord) cell.end = position;
  }
  for (const cell of cells) cell.text = cell.text.trimEnd();
  return cells;
}

/** Columns between the positions that are blank in all lines. */
function boundsOf(lines: readonly string[], wide: 1 | 2): Bounds[] {
  const filled: boolean[] = [];
  for (const line of lines) {
    let position = 0;
    for (const character of line) {
      const width = isWide(character) ? wide : 1;
      if (!isBlank(character)) for (let at = 0; at < width; at++) filled[position + at] = true;
      position += width;
    }
  }
  const starts: number[] = [];
  for (let position = 0; position < filled.length; position++) {
    if (filled[position] === true && filled[position - 1] !== true) starts.push(position);
  }
  return starts.map((start, index) => ({
    start: index === 0 ? 0 : start,
    end: starts[index + 1] ?? Infinity,
  }));
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\r' || character === '\u3000';
}

/** True for characters that CP949 writes in two bytes. */
export function isWide(character: string): boolean {
  return character.charCodeAt(0) > 0x7f;
}
