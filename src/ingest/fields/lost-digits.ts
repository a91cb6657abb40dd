import type { LocatedValue, Place } from './located-value.ts';

/**
 * Watches the numbers of a column for digits that a spreadsheet lost before the file was made: it keeps 15 of them and
 * writes zeros after these, or shows `1.23E+18`.
 */
export class LostDigits {
  readonly #shown: LocatedValue[] = [];
  readonly #rounded: LocatedValue[] = [];
  /** True if a number has other digits past the 15th, so that zeros there are its own. */
  #hasExact = false;

  /** Examines a number whose text is at least as long as `1E+11`. */
  add(text: string, place: Place): void {
    if (isShown(text)) addValue(this.#shown, text, place);
    else if (text.length > digitsKept && wholeNumber.test(text)) this.#addWhole(text, place);
  }

  /** The first values that lost digits. Amounts such as 1,500,000,000,000,000 end in zeros before the 15th digit, too. */
  values(): readonly LocatedValue[] {
    const exact = this.#rounded.filter(({ text }) => /[1-9]/u.test(digitsOf(text).slice(12, 15)));
    const areRounded = !this.#hasExact && exact.length * 2 >= this.#rounded.length;
    return areRounded ? [...this.#shown, ...this.#rounded] : this.#shown;
  }

  #addWhole(text: string, place: Place): void {
    const digits = digitsOf(text);
    if (digits.length <= digitsKept) return;
    if (/[1-9]/u.test(digits.slice(digitsKept))) this.#hasExact = true;
    else addValue(this.#rounded, text, place);
  }
}

/** True for a number of twelve digits or more that a spreadsheet wrote as it shows it. */
function isShown(text: string): boolean {
  return text.charCodeAt(text.length - 3) === plus && shownNumber.test(text);
}

const plus = 43;
const shownNumber = /^-?\d(?:\.\d{1,5})?E\+[1-9]\d$/u;
const wholeNumber = /^-?[\d,]+$/u;
/** Digits of a number that Excel keeps. */
const digitsKept = 15;

function digitsOf(text: string): string {
  return text.replace(/\D/gu, '');
}

function addValue(values: LocatedValue[], text: string, { file, row }: Place): void {
  if (values.length < valuesMax) values.push({ file, row, text });
}

const valuesMax = 1000;
