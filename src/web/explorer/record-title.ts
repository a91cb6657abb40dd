import type { Field, Row, StoredAxis } from '../../data/axis.ts';

/** The name of a record; null without one. */
export function recordName({ fields }: Pick<StoredAxis, 'fields'>, row: Row): string | null {
  const name = fields.find(({ role }) => role === 'name')?.name;
  const value = name === undefined ? null : (row[name] ?? null);
  return value === null ? null : String(value);
}

/**
 * The words that distinguish a record without a name in a list: its date, its place and its first words,
 * `경상남도 합천군 청덕면 · 작동기기`; null if it has none of these.
 */
export function recordWords({ fields }: Pick<StoredAxis, 'fields'>, row: Row): string | null {
  const textOf = ({ name }: Field): string[] => {
    const value = row[name] ?? null;
    return value === null ? [] : [String(value).slice(0, partLengthMax).toWellFormed()];
  };
  const place = fields.filter(isPlace).flatMap(textOf).slice(0, placesMax).join(' ');
  const address = fields.filter(({ role }) => role === 'address').flatMap(textOf);
  const date = fields.filter(({ role }) => role === 'date').flatMap(textOf);
  const words = fields.filter(isWord).flatMap(textOf);
  const parts = [date[0], address[0] ?? place, ...words.slice(0, wordsMax)];
  const known = parts.filter((part) => part !== undefined && part !== '');
  return known.length === 0 ? null : known.join(' · ');
}

const placesMax = 3;
const wordsMax = 2;
const partLengthMax = 60;

function isPlace({ role, label }: Field): boolean {
  return role === 'sido' || role === 'sigungu' || isDong.test(label);
}

const isDong = /^(?:법정|행정)?(?:읍면동|동리|동)명?$/;

/** True for a field of words that describe a record: no code, number, place or date. */
function isWord(field: Field): boolean {
  const { role, type, label } = field;
  return type === 'string' && role === null && !isPlace(field) && !isOther.test(label);
}

const isOther = /코드|번호|지번|비고|주소|기관|부서|홈페이지/;
