import type { Field } from '../../data/axis.ts';
import { unitFactor } from '../../data/values/written-number.ts';
import type { ColumnProfile } from './column.ts';
import type { WrittenForm } from './written-forms.ts';

/** Meaning of the values of a column that are no plain numbers. */
export type Notation = Pick<Field, 'unit' | 'signs'>;

/**
 * Determines the notation of a column. `words` is its label without blanks, `unit` that of its header, `document` the
 * labels and the title of its table.
 */
export function notationOf(
  profile: Pick<ColumnProfile, 'forms' | 'nonNull' | 'hasDegrees'>,
  words: string,
  unit: string | null,
  document: string,
): Notation {
  if (profile.hasDegrees) return { unit, signs: 'degrees' };
  const forms = profile.forms().filter(({ kind }) => kind === 'number');
  if (forms.length === 0) return { unit };
  const isAccounting = hasAccountingSigns(forms, words, document);
  return {
    unit: unit ?? commonUnit(forms, profile.nonNull),
    ...(isAccounting ? { signs: 'accounting' } : {}),
  };
}

/** Factor of a form's numbers in a column; null if the column cannot read them. */
export function factorOf({ sign, unit }: WrittenForm, notation: Notation): number | null {
  if (sign === 'fall' || (sign !== null && notation.signs !== 'accounting')) return null;
  return unitFactor(unit, notation.unit);
}

/**
 * True if △, ▲ and brackets mean minus. △ is minus in every account of the state; beside ▽ or in a table of prices it
 * is a rise. ▲ and brackets are minus only in a table about money or differences: elsewhere ▲ may be a rise, and a
 * number in brackets a note.
 */
function hasAccountingSigns(
  forms: readonly WrittenForm[],
  words: string,
  document: string,
): boolean {
  const marks = new Set(forms.map(({ sign }) => sign));
  if (marks.has('fall') || priceWords.test(words)) return false;
  const isAccount =
    accountWords.test(words) || (accountWords.test(document) && !priceWords.test(document));
  if (marks.has('bracket') || marks.has('solidRise')) return isAccount;
  return marks.has('rise') && (isAccount || !priceWords.test(document));
}

const accountWords =
  /예산|결산|세입|세출|회계|손익|이익|손실|수지|재정|자산|부채|자본|현금|잔액|차액|과부족|증감|추경|순세계|매출/;
const priceWords = /등락|시세|전일|환율|주가|상승|순위변동/;

/** The unit of at least half of the values; that of all money is 원 if it is written in several. */
function commonUnit(forms: readonly WrittenForm[], nonNull: number): string | null {
  const units = [...new Set(forms.flatMap(({ unit }) => (unit === null ? [] : [unit])))];
  const rowsIn = (unit: string): number =>
    forms.reduce(
      (sum, form) =>
        form.unit === null || unitFactor(form.unit, unit) === null ? sum : sum + form.rows,
      0,
    );
  const isMoney = units.length > 1 && units.every((unit) => unitFactor(unit, '원') !== null);
  const candidates = isMoney ? ['원'] : units;
  return candidates.find((unit) => rowsIn(unit) * 2 >= nonNull) ?? null;
}
