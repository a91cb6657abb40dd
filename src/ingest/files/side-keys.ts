import type { HeadRow } from './head-row.ts';
import type { Cell } from './table.ts';

/** A header and the rows below it, at one side of a blank column. */
interface NamedRows {
  readonly names: readonly string[];
  readonly body: readonly HeadRow[];
}

/**
 * True if the two sides of a blank column have different records. Each side must have a key in its first column. In
 * addition, the other names must repeat above numbers, or the keys must be of one kind and differ.
 */
export function haveOwnRecords(one: NamedRows, other: NamedRows): boolean {
  if (!isKey(one) || !isKey(other)) return false;
  return repeatNames(one, other) || haveKeysOfOneKind(one, other);
}

function keysOf({ body }: NamedRows): Cell[] {
  return body.map((row) => row[0] ?? null);
}

function isKey(table: NamedRows): boolean {
  const keys = keysOf(table);
  return !keys.includes(null) && new Set(keys).size === keys.length;
}

/** True if all names of the narrower side, its key aside, are at the other side too; no table has numbers of one name twice. */
function repeatNames(one: NamedRows, other: NamedRows): boolean {
  const [narrow, wide] = one.names.length <= other.names.length ? [one, other] : [other, one];
  return narrow.names.slice(1).every((name, index) => {
    const place = wide.names.indexOf(name, 1);
    return place > 0 && areNumbers(narrow.body, index + 1) && areNumbers(wide.body, place);
  });
}

/** Telephone numbers and dates do not count as numbers. */
function areNumbers(body: readonly HeadRow[], column: number): boolean {
  const cells = body.map((row) => row[column] ?? null).filter((cell) => cell !== null);
  return cells.length > 0 && cells.every((cell) => number.test(String(cell)));
}

const number = /^-?[\d,]+(?:\.\d+)?$|^[-–—]$/u;

/** True for keys such as 연도 and 월, or 시도 and 자치구, that differ, and for two columns that number the rows. */
function haveKeysOfOneKind(one: NamedRows, other: NamedRows): boolean {
  const [name, otherName] = [one.names[0]!, other.names[0]!];
  if (sequenceName.test(name) && sequenceName.test(otherName)) return true;
  const isKind = [timeName, regionName].some((kind) => kind.test(name) && kind.test(otherName));
  const otherKeys = keysOf(other);
  return isKind && keysOf(one).some((key, index) => key !== otherKeys[index]);
}

const sequenceName = /^(?:연번|순번|번호|일련번호|no\.?)$/iu;
const timeName =
  /^(?:기준\s?)?(?:연도|년도|연도별|년|월|월별|연월|년월|일자?|날짜|요일|시간대?|분기)$/u;
const regionName =
  /^(?:시도|시도명|시군구|시군구명|자치구|자치구명|구|구명|군|구군|시군|읍면동|읍면동명|동|동명|행정동|지역|지역명|행정구역)$/u;
