import type { Field, StoredAxis } from './axis.ts';

/** First and last date of a field that dates the records of an axis. */
interface Period {
  readonly field: Field;
  readonly from: string;
  readonly to: string;
}

/**
 * The period of an axis by its base date (데이터기준일자), else by the date of its events, else by its years; null if no
 * field has it. Dates outside of 1900–2100 are markers such as 9999-12-31, and do not count.
 */
export function periodOf({ fields }: Pick<StoredAxis, 'fields'>): Period | null {
  const dateFields = fields.filter(
    ({ type, label }) => (type === 'date' || type === 'datetime') && !isOtherDate.test(label),
  );
  const field =
    baseDateField({ fields }) ??
    dateFields.find(({ role }) => role === 'date') ??
    dateFields[0] ??
    fields.find(({ type, label }) => type === 'integer' && isYear.test(label));
  return field === undefined ? null : periodIn(field);
}

/** The field with the base date (데이터기준일자) of each record; null without one. */
export function baseDateField({ fields }: Pick<StoredAxis, 'fields'>): Field | null {
  return fields.find((one) => isBaseDate.test(one.label) && periodIn(one) !== null) ?? null;
}

const isBaseDate = /기준(?:일자?|일시|[연년]월일?|월|[연년]도?|시점)$/;
const isYear = /^(?:기준|조사|통계|회계|발생)?(?:[연년]도|년)$/;
/** Labels of dates that do not date the data: ends, plans and births. */
const isOtherDate = /만료|종료|마감|예정|생년|출생|폐업|폐지|취소|유효/;

function periodIn(field: Field): Period | null {
  const [from, to] = [field.stats.min, field.stats.max].map((date) => dayOf(date, field));
  return from === undefined || to === undefined || from === null || to === null
    ? null
    : { field, from, to };
}

/** A date without its time, or a year; null for a date that cannot be a date of data. */
function dayOf(value: number | string | null, { type }: Field): string | null {
  if (value === null) return null;
  const text = type === 'integer' ? String(value) : String(value).slice(0, 10);
  const year = Number(text.slice(0, 4));
  const isDate = /^\d{4}(?:-\d\d(?:-\d\d)?)?$/.test(text);
  return isDate && year >= 1900 && year <= 2100 ? text : null;
}
