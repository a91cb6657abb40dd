import type { Field, StoredAxis } from './axis.ts';

/**
 * True for a list of codes, such as zip codes, codes of 법정동 and codes of trades: each of its fields is a code, or the
 * name, the position or a date of one. Its records name things, and nothing lies there.
 */
export function isCodeTable({ fields, rows }: Pick<StoredAxis, 'fields' | 'rows'>): boolean {
  const named = new Set(fields.flatMap(({ label }) => /^(.+)코드$/.exec(label)?.[1] ?? []));
  const isNameOfCode = ({ label }: Field): boolean => named.has(label.replace(/명$/, ''));
  return (
    rows >= rowsMin &&
    fields.some(({ label }) => isCode.test(label)) &&
    fields.every((field) => isOfCodes(field) || isNameOfCode(field))
  );
}

const isCode = /코드$|우편번호$/;

/** A field of a few records has few values, whatever they are. */
const rowsMin = 10;

function isOfCodes({ label, role, stats }: Field): boolean {
  const isConstant = stats.distinct !== null && stats.distinct <= constantMax;
  return isConstant || role === 'date' || role === 'lat' || role === 'lon' || ofCodes.test(label);
}

/** Values of a column that is the same for all records, or has a note beside. */
const constantMax = 2;

const ofCodes =
  /코드|우편번호|^(?:rnum|연번|일련번호|순번|순위|서열|구분|이름|도시|지역)|(?:시도|시군구|구역|읍면동|읍면|동리|법정동|행정동|행정기관|도로)(?:명|명칭|이름)?$|^리명?$|\d단계$|일자$|여부$|격자|[경위]도/;
