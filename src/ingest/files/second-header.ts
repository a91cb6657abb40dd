import { isCertainUnit } from '../../data/values/written-number.ts';
import { isUnit, unitOf } from './column-names.ts';
import {
  columnName,
  countFilled,
  distinctFilled,
  isValueColumn,
  looksLikeValue,
  patternOf,
  type HeadRow,
} from './head-row.ts';
import type { Cell } from './table.ts';

/**
 * True if `row` has the names of its columns once more: English names or codes below Korean ones, or Korean names below
 * Latin ones. `names` is the row above it, `body` the rows below. A first record may look the same, so the names must be
 * above numbers, or unlike all values of their columns.
 */
export function isSecondNames(names: HeadRow, row: HeadRow, body: readonly HeadRow[]): boolean {
  const filled = countFilled(row);
  if (filled < 2 || filled !== countFilled(names)) return false;
  if (numbersColumns(row)) return body.some((each) => countFilled(each) > 0);
  const pairs = row.map((cell, index) => [names[index] ?? null, cell] as const);
  if (pairs.some(([name, cell]) => (name === null) !== (cell === null))) return false;
  const texts = pairs.filter(([, cell]) => cell !== null).map((pair) => pair.map(String));
  const [next = [], ...rest] = body.filter((each) => countFilled(each) > 0);
  const filledBody = isUnitRow(next, rest) ? rest : [next, ...rest];
  const columns = [...row.keys()].filter((column) => row[column] !== null);
  const overValues = columns.filter((column) => isValueColumn(filledBody, column)).length;
  if (texts.every(([name, cell]) => koreanName.test(name!) && isLatinName(cell!))) {
    if (overValues >= filled / 2) return true;
    const isUnlike = columns.every((column) => isUnlikeValues(row[column]!, filledBody, column));
    return isUnlike && filledBody.length >= likeRowsMin && areIdentifiers(row);
  }
  if (!texts.every(([name, cell]) => identifier.test(name!) && koreanName.test(cell!)))
    return false;
  const commonNames = texts.filter(([, cell]) => columnName.test(cell!)).length;
  const isRepeated = columns.some((column) =>
    filledBody.some((each) => each[column] === row[column]),
  );
  return (
    commonNames >= filled / 2 && overValues > 0 && distinctFilled(row) === filled && !isRepeated
  );
}

/** True for `(1),(2),(3)`, `①,②,③` and `A,B,C=A+B`: the columns by number, for the formulas of some of them. */
function numbersColumns(row: HeadRow): boolean {
  const marks = row
    .filter((cell) => cell !== null)
    .map((cell) => columnNumber.exec(String(cell))?.slice(1).find(Boolean));
  // Two may be negative amounts, which are written in brackets.
  return marks.length > 2 && marks.every(isNextMark);
}

function isNextMark(mark: string | undefined, index: number): boolean {
  const marks = [`${index + 1}`, ...['①', 'A'].map((first) => codeAfter(first, index))];
  return mark !== undefined && marks.includes(mark);
}

function codeAfter(first: string, index: number): string {
  return String.fromCodePoint(first.codePointAt(0)! + index);
}

const columnNumber = /^(?:[(（](\d{1,2})[)）]|([①-⑳])|([A-Z]))(?:\s*[=(（].*)?$/u;
const likeRowsMin = 2;
const koreanName = /[가-힣]/u;
/** Matches a word or words of English. */
const englishName = /^[A-Za-z][a-z]+(?:[\s,./&()%-][A-Za-z\s,./&()%-]*)?$/u;
/** Matches a name of a program such as `FCLT_NM`, `fcltNm` and `A01`. */
const identifier = /^[A-Za-z][A-Za-z0-9_.]*$/u;
const missing = /^(?:n\/?a|nan|null|none|nil|tr|x|unknown|total|sum)$/iu;

function isLatinName(text: string): boolean {
  return (englishName.test(text) || identifier.test(text)) && !missing.test(text);
}

/** True for names that no text has by chance: distinct, and either joined by `_` or capitals, or at least three. */
function areIdentifiers(row: HeadRow): boolean {
  const names = row.filter((cell) => cell !== null).map(String);
  if (new Set(names).size < names.length || !names.every((name) => identifier.test(name)))
    return false;
  const joined = names.filter((name) => /_|[a-z][A-Z]/u.test(name)).length;
  const areCapital = names.every((name) => /^[A-Z][A-Z0-9_]+$/u.test(name));
  return joined >= names.length / 2 || (areCapital && names.length > 2);
}

/** True if no value of a column has the kinds of characters that its name has; Y and N are values. */
function isUnlikeValues(name: Cell, body: readonly HeadRow[], column: number): boolean {
  const pattern = patternOf(name);
  return body.every((row) => {
    const cell = row[column] ?? null;
    return cell === null || String(cell).length === 1 || patternOf(cell) !== pattern;
  });
}

/**
 * True if `row` has only units: `(명)`, or 명 above numbers. There may be the word 단위 or a dash above texts, and
 * formulas such as `(A+B)`.
 */
export function isUnitRow(row: HeadRow, body: readonly HeadRow[]): boolean {
  const cells = row.filter((cell) => cell !== null);
  if (cells.length === 0) return false;
  if (cells.every((cell) => isBracketedUnit(String(cell)))) return true;
  let units = 0;
  for (const [column, cell] of row.entries()) {
    if (cell === null) continue;
    const isOverValues = isValueColumn(body, column);
    if (isOverValues && isUnitCell(String(cell))) units += 1;
    else if (!unitWord.test(String(cell)) && (isOverValues || !noUnit.test(String(cell))))
      return false;
  }
  return units > 0;
}

function isBracketedUnit(cell: string): boolean {
  return unitOf(cell) !== null && /^[([（［]/u.test(cell);
}

const unitWord = /^[([（［]?\s*(?:단\s*위|unit)\s*[)\]）］]?$/iu;
const noUnit = /^[-–—]$/u;

function isUnitCell(cell: string): boolean {
  const inBrackets = /^[([（［](.{1,12})[)\]）］]$/u.exec(cell)?.[1];
  if (inBrackets !== undefined) return !looksLikeValue(inBrackets);
  const factors = (unitText(cell) ?? '').split(/[/·]/u);
  return factors.every((factor) => isUnit(factor) || isCertainUnit(factor));
}

/** Unit in a cell of a row of units; null for the words around the units. */
export function unitText(cell: Cell): string | null {
  if (cell === null || looksLikeValue(cell)) return null;
  const text = String(cell)
    .replace(/^[([（［]\s*|\s*[)\]）］]$/gu, '')
    .replace(/^단위\s*[:：]?\s*|^unit$/iu, '');
  return text === '' || /^[A-Z](?:[\s=+×÷/*-]+[A-Z])*$/u.test(text) ? null : text;
}
