import { cutLine, isWide, joinCells, type AlignedColumns } from './aligned-text.ts';
import type { FileLimits } from './limits.ts';
import { rewriteLines } from './lines.ts';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused } from './refused.ts';

/** A text that a database client printed, with dashes below the names of its columns. */
interface SpooledText {
  readonly columns: AlignedColumns;
  /** The line of names, which each page repeats. */
  readonly header: string;
  readonly rule: string;
}

/**
 * Finds the columns of a spool of SQL*Plus, sqlcmd or Db2 by the dashes below their names; null for any other text. Nearly
 * all lines must have blanks where a column begins.
 */
export function findSpooledText(sample: string): SpooledText | null {
  const lines = sample.split(/\r\n?|\n/u, sampleLines);
  const at = lines.findIndex((line) => dashes.test(line));
  const header = lines[at - 1]?.trimEnd() ?? '';
  if (at < 1 || header.trim() === '') return null;
  const starts = [...lines[at]!.matchAll(/-+/gu)].map(({ index }) => index);
  const bounds = starts.map((start, index) => ({ start, end: starts[index + 1] ?? Infinity }));
  const body = lines.slice(at + 1).filter((line) => line.trim() !== '');
  const [best] = ([2, 1, 3] as const)
    .map((wide) => {
      const columns: AlignedColumns = { bounds, wide };
      return { columns, cut: body.filter((line) => cutSpooled(line, columns) !== null).length };
    })
    .sort((a, b) => b.cut - a.cut);
  const { columns, cut } = best!;
  const isCut = cut >= body.length * cutShareMin && cutSpooled(header, columns) !== null;
  return isCut ? { columns, header, rule: lines[at]!.trimEnd() } : null;
}

/** Dashes below two columns at least. */
const dashes = /^ *-{2,}(?: +-+)+\s*$/u;
const sampleLines = 500;
/** Minimum share of lines with blanks where columns begin; the others are titles of pages and messages. */
const cutShareMin = 0.7;

/** The cells of a line, whose blanks may be written as tabs; null if a word crosses the start of a column. */
function cutSpooled(line: string, columns: AlignedColumns): string[] | null {
  let position = 0;
  let expanded = '';
  for (const character of line.trimEnd()) {
    const width = character === '\t' ? 8 - (position % 8) : isWide(character) ? columns.wide : 1;
    expanded += character === '\t' ? ' '.repeat(width) : character;
    position += width;
  }
  return cutLine(expanded, columns)?.map(({ text }) => text) ?? null;
}

/**
 * Rewrites the pieces of a spool with a tab between the cells. Rules, blank lines, the headings of later pages and the
 * messages of the client are left out. Throws `FileRefused` if the client counts other rows than there are lines, or if
 * there are other columns as well.
 */
export async function* delimitSpooled(
  name: string,
  pieces: AsyncIterable<string>,
  spooled: SpooledText,
  limits: Pick<FileLimits, 'recordUnitsMax'>,
): AsyncIterable<string> {
  const pages = new Pages(name, spooled);
  yield* rewriteLines(pieces, (line) => pages.add(line.trimEnd()), limits);
  yield pages.end();
}

/** Holds back the lines at the top of a page, because they may be its title. */
class Pages {
  readonly #name: string;
  readonly #spooled: SpooledText;
  #waiting: string[] | null = [];
  /** Titles of the first page without their digits; null before its header. */
  #titles: ReadonlySet<string> | null = null;
  #rows = 0;

  constructor(name: string, spooled: SpooledText) {
    this.#name = name;
    this.#spooled = spooled;
  }

  /** The lines that can be written. */
  add(line: string): string {
    const { header, rule } = this.#spooled;
    if (line.startsWith('\f')) return this.#beginPage() + this.add(line.slice(1));
    if (line === rule) return '';
    if (line === header) return this.#endTitle();
    if (dashes.test(line))
      throw new FileRefused('unsupported', refusalTexts.spooledColumns(this.#name));
    if (line.trim() === '' || message.test(line) || rowCount.test(line)) {
      const rows = this.#beginPage();
      this.#checkCount(line);
      return rows;
    }
    if (this.#waiting === null) return this.#row(line);
    this.#waiting.push(line);
    return this.#titles !== null && this.#waiting.length > titleLinesMax ? this.end() : '';
  }

  /** The lines that are held back, without the titles of pages. */
  end(): string {
    const rows = (this.#waiting ?? []).filter(
      (line) => this.#titles?.has(withoutDigits(line)) !== true,
    );
    this.#waiting = null;
    return rows.map((line) => this.#row(line)).join('');
  }

  #beginPage(): string {
    if (this.#titles === null) return '';
    const rows = this.end();
    this.#waiting = [];
    return rows;
  }

  #endTitle(): string {
    if (this.#titles !== null) return this.end();
    const titles = this.#waiting ?? [];
    this.#waiting = null;
    this.#titles = new Set(titles.map(withoutDigits));
    const { header, columns } = this.#spooled;
    const names = joinCells(cutSpooled(header, columns) ?? []);
    return titles.map((line) => joinCells([line.trim()])).join('') + names;
  }

  #row(line: string): string {
    this.#rows += 1;
    return joinCells(cutSpooled(line, this.#spooled.columns) ?? [line.trim()]);
  }

  #checkCount(line: string): void {
    const count = rowCount.exec(line)?.[1];
    if (count === undefined) return;
    const rows = this.#rows;
    this.#rows = 0;
    if (Number(count.replaceAll(',', '')) === rows) return;
    throw new FileRefused('unsupported', refusalTexts.spooledCount(this.#name, count, rows));
  }
}

/** Replaces the digits of a title: page numbers and times differ from page to page. */
function withoutDigits(line: string): string {
  return line.replace(/\d+/gu, '0').replace(/\s+/gu, ' ');
}

const titleLinesMax = 5;

/** `12 rows selected.`, `(12 rows affected)`, `12 rows in set (0.01 sec)`, `12 record(s) selected.`, `12 개의 행이 선택되었습니다.` */
export const rowCount =
  /^ *\(?([\d,]+) ?(?:rows?(?: selected| affected)?|rows? in set.*|record\(s\) selected|개? ?행|(?:개의 )?행이 선택되었습니다)\.?\)?$/iu;
const message =
  /^(?:SQL> ?.*|no rows selected|선택된 (?:행|레코드)이? 없습니다\.?|(?:Elapsed|경 *과) ?: [\d:.]+)$/iu;
