import { groupTexts } from './group-texts.ts';
import { countFilled, isValueColumn, type HeadRow } from './head-row.ts';
import { peekBatch } from './peek-batch.ts';
import { isTotalWord } from './total-row.ts';
import type { Cell, FindingSink, Table } from './table.ts';

/**
 * Reports a first column that may name groups of rows: only in the first row of a group, as saved merged cells do, or in
 * a row above it. Also reports one that numbers records of several rows. Blank cells stay blank, because it is not
 * certain what belongs there.
 */
export async function reportGroupNames(table: Table, finding: FindingSink): Promise<Table> {
  if (table.format === 'json' || table.format === 'parquet' || table.columns.length < 2)
    return table;
  const { first, batches } = await peekBatch(table.batches);
  const [name] = table.columns;
  const subtitle = subtitleOf(first, table.columns.length);
  const details = [
    namesGroups(first) ? groupTexts.groupUnclear(name!) : null,
    numbersRecords(first) ? groupTexts.recordUnclear(name!) : null,
    subtitle === null ? null : groupTexts.subtitleUnclear(subtitle),
  ];
  for (const detail of details) {
    if (detail !== null) finding({ kind: 'layout_unclear', row: null, detail });
  }
  return { ...table, batches };
}

/**
 * True if each text of the first column occurs once, and the rows below without a text have as many other cells as the
 * row with it.
 */
function namesGroups(rows: readonly HeadRow[]): boolean {
  const names = rows.map(([cell = null]) => cell);
  const filled = names.filter((cell) => cell !== null);
  const blank = names.length - filled.length;
  const isOnce = new Set(filled).size === filled.length && filled.length >= groupsMin;
  if (names[0] === null || !isOnce || blank < filled.length / 2) return false;
  if (isValueColumn(rows, 0) || filled.some(isTotalCell)) return false;
  let head: HeadRow = [];
  return rows.every((row) => {
    if ((row[0] ?? null) !== null) head = row;
    return row === head || countFilled(row) === countFilled(head) - 1;
  });
}

function isTotalCell(cell: Cell): boolean {
  return isTotalWord(cell);
}

/** The first of several titles, rows with only a text in the first column above full rows; null if there are none. */
function subtitleOf(rows: readonly HeadRow[], columns: number): string | null {
  const titles = rows.filter(
    (row, index) => isTitleRow(row) && !isTitleRow(rows[index + 1] ?? row),
  );
  const titleRows = rows.filter(isTitleRow).length;
  const full = rows.filter((row) => countFilled(row) > 1).length;
  const areTitles = titles.length > 1 && titles.length === titleRows && full >= titles.length;
  return areTitles && columns > 2 ? String(titles[0]![0]) : null;
}

function isTitleRow(row: HeadRow): boolean {
  return typeof row[0] === 'string' && countFilled(row) === 1;
}

const groupsMin = 2;

/** True if the first column has running numbers in every second or third row. */
function numbersRecords(rows: readonly HeadRow[]): boolean {
  const places = rows.flatMap(([cell = null], index) => (cell === null ? [] : [index]));
  const [first = 0, second = 0] = places;
  const step = second - first;
  const isRegular = places.every((place, at) => place === first + at * step);
  if (step < 2 || step > stepMax || places.length < recordsMin || !isRegular) return false;
  const start = Number(rows[first]![0]);
  return places.every((place, at) => Number(rows[place]![0]) === start + at);
}

const stepMax = 3;
const recordsMin = 3;
