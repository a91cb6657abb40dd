import { looksLikeValue } from './head-row.ts';
import type { Cell } from './table.ts';

/**
 * The word for a total in a row; null if the row is not a total. Before the word there may be places or a year, and
 * after it there are numbers. A bus stop may be named 소계: it has a position or a text after it.
 */
export function totalOf(cells: readonly Cell[]): string | null {
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

/** True for a word such as 합계, also with blanks or in brackets. */
export function isTotalWord(cell: Cell): boolean {
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

const totals: ReadonlySet<string> = new Set(['합계', '총계', '소계', '계', '총합계', '누계']);
