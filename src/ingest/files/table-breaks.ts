import {
  columnName,
  countFilled,
  distinctFilled,
  isValueColumn,
  looksLikeValue,
  type HeadRow,
} from './head-row.ts';
import { findHeaderRows, isFactLine, isPeriod, isUnitLine } from './header-rows.ts';

/**
 * True if `rows`, which follow a blank row, begin a new table instead of continuing the one that begins with `current`.
 * They must begin with a title and a header, or with a header of other names above numbers.
 */
export function beginsTable(rows: readonly HeadRow[], current: readonly HeadRow[]): boolean {
  const header = findHeaderRows(rows);
  const names = rows[header.rows.at(-1) ?? -1];
  if (names === undefined) return false;
  const titles = rows.slice(0, header.first).filter((row) => countFilled(row) > 0);
  if (titles.some((row) => distinctFilled(row) > 1 && !isUnitLine(row) && !isFactLine(row)))
    return false;
  const body = rows.slice(header.next).filter((row) => countFilled(row) > 0);
  if (!body.some((row) => countFilled(row) > 1) || isPreface(current, names)) return false;
  const isSame = isHeaderOf(names, current);
  const overNumbers = names.filter(
    (name, index) =>
      name !== null && (!looksLikeValue(name) || isPeriod(name)) && isValueColumn(body, index),
  ).length;
  const isDistinct = distinctFilled(names) === countFilled(names);
  if (titles.length === 0) return !isSame && isDistinct && overNumbers > 1;
  const common = names.filter((name) => typeof name === 'string' && columnName.test(name)).length;
  return isSame || overNumbers > 1 || common >= countFilled(names) / 2;
}

function isHeaderOf(names: HeadRow, rows: readonly HeadRow[]): boolean {
  const own = rows[findHeaderRows(rows).rows.at(-1) ?? -1] ?? [];
  return own.length > 0 && names.every((name, index) => name === (own[index] ?? null));
}

/** True for lines such as `기관,○○청` above a table, which are not a table themselves. */
function isPreface(rows: readonly HeadRow[], names: HeadRow): boolean {
  const isShort = rows.length < prefaceRowsMax;
  return isShort && rows.every((row) => countFilled(row) < 3) && countFilled(names) > 3;
}

const prefaceRowsMax = 20;
