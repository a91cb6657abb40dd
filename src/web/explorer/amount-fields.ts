import type { Field, StoredAxis } from '../../data/axis.ts';
import type { AmountCondition, AmountOrder, AmountWords } from '../../data/korean/amount-words.ts';
import { unspacedText } from '../../data/korean/normalise.ts';
import type { SearchTerm } from '../../data/korean/terms.ts';
import { printName } from '../../lookup/where/print.ts';
import type { Expression } from '../../lookup/where/syntax.ts';
import { isCount, isMeasure } from './chart-choices.ts';
import { expressionOf } from './simple-condition.ts';

/** Conditions and the order of a dataset that words of amounts mean. */
export interface AmountReading {
  readonly conditions: readonly Expression[];
  readonly order: FieldOrder | null;
  /** The fields of both. */
  readonly fields: readonly Field[];
}

export interface FieldOrder {
  readonly field: Field;
  readonly isDescending: boolean;
  /** Text of the parameter `sort`. */
  readonly sort: string;
}

/**
 * The readings of the amounts and the order of a query for a dataset: one if a single field fits, several if the reader
 * must choose, none if no field fits.
 */
export function amountReadings(
  amounts: AmountWords,
  stored: StoredAxis,
  terms: readonly SearchTerm[],
): readonly AmountReading[] {
  const { conditions, order } = amounts;
  const isForRecords = order !== null && order.groups === null;
  const fields = isForRecords ? orderFields(order, stored, terms) : [];
  const parts: Field[][] = conditions.map((one) => measuresFor(one, stored, terms));
  if (isForRecords) parts.push(fields);
  const fitting = parts.filter((some) => some.length > 0);
  if (fitting.length === 0) return [];
  const choice = fitting.find((some) => some.length > 1);
  return (choice ?? [undefined]).slice(0, choicesMax).map((chosen) => {
    const fieldOf = (some: readonly Field[]): Field | undefined =>
      chosen !== undefined && some.includes(chosen) ? chosen : some[0];
    const read = conditions.flatMap((one, at) => {
      const field = fieldOf(parts[at]!);
      const { test, value } = one;
      return field === undefined ? [] : [expressionOf({ column: field.name, test, value })];
    });
    const ordered = fieldOf(fields);
    return {
      conditions: read,
      order: ordered === undefined ? null : orderBy(ordered, order!),
      fields: parts.flatMap((some) => fieldOf(some) ?? []),
    };
  });
}

/** True for a term that names a field by its label or a part of it: 사망자 for 사망, 좌석수 for 열람좌석수. */
export function isLabelWord({ text }: SearchTerm, { label }: Field): boolean {
  const [whole, word] = [unspacedText(label), unspacedText(text)];
  return word.length > 1 && (whole.includes(word) || (whole.length > 1 && word.startsWith(whole)));
}

/** The field whose sum is meant by 가장 많은 시군구; null for the number of records. */
export function namedMeasure(
  order: AmountOrder,
  stored: StoredAxis,
  terms: readonly SearchTerm[],
): Field | null {
  const [field, other] = labelled(measuresOf(stored), stored, terms);
  return field === undefined || other !== undefined || order.by !== 'amount' ? null : field;
}

const choicesMax = 4;

function orderBy(field: Field, order: AmountOrder): FieldOrder {
  const isDescending = order.isDescending === true;
  const name = printName(field.name);
  return { field, isDescending, sort: isDescending ? `-${name}` : name };
}

function orderFields(
  order: AmountOrder,
  stored: StoredAxis,
  terms: readonly SearchTerm[],
): Field[] {
  if (order.by === 'amount') return measuresFor(order, stored, terms);
  if (order.by === 'name') return stored.fields.filter(({ role }) => role === 'name').slice(0, 1);
  const dates = stored.fields.filter(
    ({ type, stats: { distinct } }) =>
      (type === 'date' || type === 'datetime') && (distinct === null || distinct > 1),
  );
  const events = dates.filter(({ label }) => !/기준/.test(label));
  return events.length > 0 ? events : dates;
}

function measuresOf({ fields }: StoredAxis): Field[] {
  return fields.filter(
    (field) =>
      isMeasure(field) &&
      !/(?:번호|연번|순번|코드)$/.test(field.label) &&
      (field.stats.distinct === null || field.stats.distinct > 1),
  );
}

/** Fields of amounts: those that fit the unit, else those that the query names, else those that count things. */
function measuresFor(
  { unit }: Pick<AmountCondition, 'unit'>,
  stored: StoredAxis,
  terms: readonly SearchTerm[],
): Field[] {
  const measures = measuresOf(stored);
  const named = labelled(measures, stored, terms);
  if (unit !== null) {
    const ofUnit = (fields: readonly Field[]): Field[] =>
      fields.filter((field) => isOfUnit(field, unit));
    const fitting = ofUnit(named).length > 0 ? ofUnit(named) : ofUnit(measures);
    return fitting.length > 1 ? narrowed(fitting) : fitting;
  }
  if (named.length > 0) return named;
  // If the query names a field without numbers, no other field takes its place.
  return labelled(stored.fields, stored, terms).length > 0 ? [] : narrowed(measures);
}

function narrowed(fields: readonly Field[]): Field[] {
  const counts = fields.filter(isCount);
  return counts.length > 0 ? counts : [...fields];
}

/** The fields that a word of the query names which the title does not have; those of exactly that label first. */
function labelled(
  fields: readonly Field[],
  { axis }: StoredAxis,
  terms: readonly SearchTerm[],
): Field[] {
  const title = unspacedText(axis.title);
  const others = terms.filter(({ text }) => !title.includes(unspacedText(text)));
  const exact = fields.filter(({ label }) =>
    others.some(({ text }) => unspacedText(label) === unspacedText(text)),
  );
  if (exact.length > 0) return exact;
  return fields.filter((field) => others.some((term) => isLabelWord(term, field)));
}

function isOfUnit({ unit, label }: Field, written: string): boolean {
  return unit === written || (labelsOfUnits[written]?.test(unspacedText(label)) ?? false);
}

/** Labels of amounts in a unit, for the many headings that do not name it. */
const labelsOfUnits: Readonly<Record<string, RegExp>> = {
  면: /면수|구획수/,
  대: /대수|구획수|면수|댓수/,
  명: /인원|인구|정원|[자생원]수$/,
  인: /인원|인구|정원|[자생원]수$/,
  원: /요금|금액|가격|단가|[료액]$/,
  건: /건수|횟수/,
  개: /개수|갯수|수량/,
  개소: /개소|개수/,
  곳: /개소|개수/,
  층: /층수/,
  석: /석수/,
  병상: /병상/,
  세대: /세대수/,
  가구: /가구수/,
  '㎡': /면적/,
  km: /연장|거리|길이/,
  m: /연장|거리|길이|높이/,
  '%': /[비확]?[율률]$/,
};
