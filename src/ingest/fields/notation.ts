import type { Field } from '../../data/axis.ts';
import { shapes } from '../../data/values/shapes.ts';
import {
  isCertainUnit,
  isSignValid,
  unitFactor,
  type WrittenSign,
} from '../../data/values/written-number.ts';
import type { ColumnProfile } from './column.ts';
import type { WrittenForm } from './written-forms.ts';

/** The unit of a column's numbers, and the meaning of signs and separators in them. */
export type Notation = Pick<Field, 'unit' | 'signs'>;

/**
 * Determines the notation of a column. `words` is its label without blanks, `unit` the unit in its header, `tableWords`
 * the title and the labels of its table.
 */
export function notationOf(
  profile: Pick<ColumnProfile, 'forms' | 'nonNull' | 'hasDegrees' | 'sample'>,
  words: string,
  unit: string | null,
  tableWords: string,
): Notation {
  if (profile.hasDegrees) return { unit, signs: 'degrees' };
  const forms = profile.forms().filter(({ kind }) => kind === 'number');
  if (forms.length === 0) return { unit };
  const isAccounting = hasAccountingSigns(forms, words, tableWords);
  const signs = isAccounting ? 'accounting' : separatorsOf(profile, forms);
  return {
    unit: unit ?? commonUnit(forms, words, profile.nonNull),
    ...(signs === null ? {} : { signs }),
  };
}

/** Factor that turns the numbers of a form into the unit of the column; null if they do not fit its notation. */
export function factorOf({ sign, unit }: WrittenForm, notation: Notation): number | null {
  return isSignValid(sign, notation.signs) ? unitFactor(unit, notation.unit) : null;
}

/**
 * Foreign separators in a column's numbers: blanks between thousands, or commas before decimals. Null if the texts may
 * be lists. An ascending pair, `2,4` or `150 152`, may be a list: among numbers about half of the pairs ascend, among
 * lists all do. If commas separate thousands in the column, no comma is before decimals.
 */
function separatorsOf(
  profile: Pick<ColumnProfile, 'sample'>,
  forms: readonly WrittenForm[],
): 'blanks' | 'commas' | null {
  const rowsWith = (mark: WrittenSign): number =>
    forms.reduce((sum, { sign, rows }) => sum + (sign === mark ? rows : 0), 0);
  const areCertain = (mark: 'blanks' | 'commas'): boolean =>
    rowsWith(mark) >= certainRowsMin && rowsWith(mark) * 4 >= rowsWith(`${mark}OrList`);
  if (areCertain('commas')) {
    const hasThousands = profile
      .sample()
      .some(
        ({ text, shape }) =>
          shape !== shapes.text && shape !== shapes.written && text.includes(','),
      );
    return hasThousands ? null : 'commas';
  }
  return areCertain('blanks') ? 'blanks' : null;
}

/** Minimum number of rows whose text cannot be a list. */
const certainRowsMin = 3;

/**
 * True if △, ▲ and brackets mean minus. △ is minus in every account of the state; beside ▽ or in a table of prices it
 * is a rise. ▲ and brackets are minus only in a table about money or differences: elsewhere ▲ may be a rise, and a
 * number in brackets a note.
 */
function hasAccountingSigns(
  forms: readonly WrittenForm[],
  words: string,
  tableWords: string,
): boolean {
  const marks = new Set(forms.map(({ sign }) => sign));
  if (marks.has('fall') || priceWords.test(words)) return false;
  const isAccount =
    accountWords.test(words) || (accountWords.test(tableWords) && !priceWords.test(tableWords));
  if (marks.has('bracket') || marks.has('solidRise')) return isAccount;
  return marks.has('rise') && (isAccount || !priceWords.test(tableWords));
}

const accountWords =
  /예산|결산|세입|세출|회계|손익|이익|손실|수지|재정|자산|부채|자본|현금|잔액|차액|과부족|증감|추경|순세계|매출/;
const priceWords = /등락|시세|전일|환율|주가|상승|순위변동/;

/**
 * The unit of at least half of the values; 원 if the amounts of money have several units. A letter is a unit only
 * of amounts: `20대` may be an age, `12A` a seat.
 */
function commonUnit(forms: readonly WrittenForm[], words: string, nonNull: number): string | null {
  const isUnit = (unit: string): boolean =>
    isCertainUnit(unit) ||
    amountWords.test(words) ||
    forms.some((form) => form.unit === unit && form.hasThousands);
  const units = [...new Set(forms.flatMap(({ unit }) => unit ?? []))].filter(isUnit);
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

/** Labels of amounts; 차수, 등수, 급수 and 기수 are orders. */
const amountWords = /(?<![차등급기호])수$|(?:량|액|면적|길이|인원|정원)$/;
