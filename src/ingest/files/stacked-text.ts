import { joinCells } from './aligned-text.ts';
import { columnName, looksLikeValue, patternOf } from './head-row.ts';
import { isNote } from './table-body.ts';

/** A table of which each cell is a line of its own, as tables of Hangul documents are pasted into a text. */
interface StackedText {
  /** Lines above the header. */
  readonly titleLines: number;
  /** Number of names, and of cells in each record. */
  readonly columns: number;
  /** True if blank lines are not cells. */
  readonly skipsBlank: boolean;
}

/**
 * Finds the width of a stacked table. With this width alone, all records are whole, and each column has either only
 * numbers and dates or none. One of the names must be a common column name. Null if no width is right, or several are.
 */
export function findStackedText(text: string): StackedText | null {
  const { lines } = linesOf(text);
  if (!areShort(lines)) return null;
  const candidates = new Map<string, StackedText>();
  for (const skipsBlank of lines.includes('') ? [false, true] : [true]) {
    const cells = skipsBlank ? lines.filter((line) => line !== '') : lines;
    for (let titleLines = 0; titleLines < Math.min(titleLinesMax, cells.length); titleLines++) {
      if (titleLines > 0 && !isTitle(cells[titleLines - 1]!)) break;
      const table = cells.slice(titleLines);
      for (let columns = 2; columns <= columnsMax; columns++) {
        if (!isTable(table, columns)) continue;
        const key = JSON.stringify([columns, table]);
        candidates.set(key, candidates.get(key) ?? { titleLines, columns, skipsBlank });
      }
    }
  }
  const [stacked = null, ...others] = candidates.values();
  return others.length > 0 ? null : stacked;
}

/** True for a text of one column that may be a stacked table: several names above, or numbers among texts. */
export function mayBeStacked(text: string): boolean {
  const lines = linesOf(text).lines.filter((line) => line !== '');
  if (!areShort(lines)) return false;
  const top = lines.slice(0, titleLinesMax + 2);
  if (top.some((line, index) => isColumnName(line) && isColumnName(top[index + 1] ?? '')))
    return true;
  const body = lines.slice(1);
  const values = body.filter(looksLikeValue).length;
  return Math.min(values, body.length - values) >= body.length * mixedShareMin;
}

/**
 * Rewrites a stacked text with a tab between the cells of a record. The last cell of a record ends with the line feeds
 * that were between its cells, so that later records keep their line numbers.
 */
export function unstack(text: string, { titleLines, columns, skipsBlank }: StackedText): string {
  const { lines, notes } = linesOf(text);
  let unstacked = '';
  let titlesLeft = titleLines;
  let cells: string[] = [];
  let gaps = '';
  for (const line of lines) {
    const isTitle = titlesLeft > 0;
    if (line === '' && (skipsBlank || isTitle)) {
      if (cells.length === 0) unstacked += '\n';
      else gaps += '\n';
      if (!skipsBlank) titlesLeft -= 1;
    } else if (isTitle) {
      unstacked += joinCells([line]);
      titlesLeft -= 1;
    } else {
      cells.push(line);
      if (cells.length < columns) continue;
      const last = `"${cells.pop()!.replaceAll('"', '""')}${'\n'.repeat(columns - 1)}${gaps}"`;
      unstacked += `${joinCells(cells).slice(0, -1)}\t${last}\n`;
      cells = [];
      gaps = '';
    }
  }
  return unstacked + notes.map((note) => joinCells([note])).join('');
}

/** The trimmed lines up to the last one with text, and the notes below them. */
function linesOf(text: string): { lines: string[]; notes: string[] } {
  const lines = text
    .trimEnd()
    .split(/\r\n?|\n/u)
    .map((line) => line.trim());
  const end = lines.findLastIndex((line) => line !== '' && !isNote([line])) + 1;
  return { lines: lines.slice(0, end), notes: lines.slice(end) };
}

function areShort(lines: readonly string[]): boolean {
  return lines.length >= linesMin && lines.every(isShort);
}

function isShort(line: string): boolean {
  return line.length <= lineUnitsMax && !line.includes('\t');
}

function isTable(cells: readonly string[], columns: number): boolean {
  const records = cells.length / columns - 1;
  if (!Number.isInteger(records) || records < recordsMin) return false;
  const names = cells.slice(0, columns);
  const areNames = names.every((name) => name !== '' && !looksLikeValue(name) && !isUnit(name));
  if (!areNames || new Set(names).size < columns || !names.some(isColumnName)) return false;
  const kinds = names.map((name, column) => {
    const body = cells.filter(
      (cell, at) => at >= columns && at % columns === column && cell !== '',
    );
    const values = body.filter(looksLikeValue).length;
    const isWhole = body.length >= filledMin && (values === 0 || values === body.length);
    return !isWhole || isCodeLike(name, body) ? null : values > 0;
  });
  return !kinds.includes(null) && kinds.includes(true);
}

/** True for a name with digits that all cells below it have in the same places, as a code has. */
function isCodeLike(name: string, body: readonly string[]): boolean {
  const pattern = patternOf(name);
  return pattern.includes('0') && body.every((cell) => patternOf(cell) === pattern);
}

/** True for a line that may be a title above a table: no column name looks like it. */
function isTitle(line: string): boolean {
  return line === '' || isUnit(line) || titleWord.test(line);
}

const titleWord =
  /^[<〈《[【■□○●◎▶▷◆◇]|^(?:\d{1,2}|[가-하])[.)]\s|(?:현황|목록|통계|내역|명단|실적|추이|표)$/u;

function isUnit(line: string): boolean {
  return /단위|[:：]/u.test(line);
}

function isColumnName(line: string): boolean {
  return columnName.test(line) || otherName.test(line);
}

/** Names of columns in the tables of documents. */
const otherName =
  /^(?:소속|직위|직급|부서|담당|분야|내용|기간|장소|일시|금액|면적|규모|연락처|전화|대표자|담당자|위치|소재지|계|합계|사업비|예산액)$/u;

const linesMin = 8;
const lineUnitsMax = 100;
const titleLinesMax = 5;
const columnsMax = 30;
const recordsMin = 3;
const filledMin = 2;
const mixedShareMin = 0.1;
