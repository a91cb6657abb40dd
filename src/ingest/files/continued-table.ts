import { headerText } from './column-names.ts';
import {
  columnName,
  countFilled,
  isValueColumn,
  looksLikeValue,
  type HeadRow,
} from './head-row.ts';

/**
 * True for a further part of a table whose first part alone has the header, with its columns. It has a header of its
 * own if the first row has a name of the first part, texts over numbers, or common names of columns.
 */
export function continuesTable(
  head: readonly HeadRow[],
  usedWidth: number,
  columns: readonly string[],
): boolean {
  const [first = [], ...rest] = head;
  const filled = countFilled(first);
  if (columns.length < 2 || usedWidth !== columns.length || filled * 2 < columns.length)
    return false;
  const texts = first.map((cell) => (cell === null ? null : headerText(String(cell))));
  if (texts.some((text) => text !== null && columns.includes(text))) return false;
  const body = rest.filter((row) => countFilled(row) > 0);
  const overValues = [...first.keys()].filter((column) => isValueColumn(body, column));
  const names = overValues.filter((column) => !looksLikeValue(first[column] ?? '-'));
  if (names.length > 0 && names.length * 2 >= overValues.length) return false;
  const known = texts.filter((text) => text !== null && columnName.test(text)).length;
  return known * 2 < filled;
}
