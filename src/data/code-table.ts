import type { Field, StoredAxis } from './axis.ts';

/**
 * True for a list of codes, such as zip codes, codes of 법정동 and codes of trades: each of its fields is a code, or the
 * name, the position or a date of one. Its records only name things; none is at a place.
 */
export function isCodeTable({ fields, rows }: Pick<StoredAxis, 'fields' | 'rows'>): boolean {
  const codeNames = new Set(fields.flatMap(({ label }) => /^(.+)코드$/.exec(label)?.[1] ?? []));
  const isNameOfCode = ({ label }: Field): boolean => codeNames.has(label.replace(/명$/, ''));
  return (
    rows >= rowsMin &&
    fields.some(({ label }) => codeLabel.test(label)) &&
    fields.every((field) => isPartOfCodes(field) || isNameOfCode(field))
  );
}

const codeLabel = /코드$|우편번호$/;

/** With fewer records every field has few values, of whatever kind. */
const rowsMin = 10;

function isPartOfCodes({ label, role, stats }: Field): boolean {
  const isConstant = stats.distinct !== null && stats.distinct <= constantMax;
  return (
    isConstant || role === 'date' || role === 'lat' || role === 'lon' || codePartLabel.test(label)
  );
}

/** Most values of a field that is the same for all records, except for a note. */
const constantMax = 2;

const codePartLabel =
  /코드|우편번호|^(?:rnum|연번|일련번호|순번|순위|서열|구분|이름|도시|지역)|(?:시도|시군구|구역|읍면동|읍면|동리|법정동|행정동|행정기관|도로)(?:명|명칭|이름)?$|^리명?$|\d단계$|일자$|여부$|격자|[경위]도/;
