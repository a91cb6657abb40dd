import type { LocatedValue, Place } from './located-value.ts';

/**
 * Watches the numbers of a column for digits that a spreadsheet lost before it wrote the file. A spreadsheet keeps 15
 * digits of a number and writes zeros for the others, or writes the number as it displays it: `1.23E+18`.
 */
export class LostDigits {
  readonly #scientific: LocatedValue[] = [];
  readonly #rounded: LocatedValue[] = [];
  /** True if a number has a digit other than 0 past the 15th: then no spreadsheet rounded the column. */
  #hasExact = false;

  /** Examines the text of a number. */
  add(text: string, place: Place): void {
    if (isScientific(text)) addValue(this.#scientific, text, place);
    else if (text.length > digitsKept && wholeNumber.test(text)) this.#addWhole(text, place);
  }

  /** The first values that lost digits. Amounts such as 1,500,000,000,000,000 end in zeros before the 15th digit, too. */
  values(): readonly LocatedValue[] {
    const withAllDigits = this.#rounded.filter(({ text }) =>
      /[1-9]/u.test(digitsOf(text).slice(12, 15)),
    );
    const areRounded = !this.#hasExact && withAllDigits.length * 2 >= this.#rounded.length;
    return areRounded ? [...this.#scientific, ...this.#rounded] : this.#scientific;
  }

  #addWhole(text: string, place: Place): void {
    const digits = digitsOf(text);
    if (digits.length <= digitsKept) return;
    if (/[1-9]/u.test(digits.slice(digitsKept))) this.#hasExact = true;
    else addValue(this.#rounded, text, place);
  }
}

/** True for a number of eleven digits or more in the notation of `1.23E+18`. */
function isScientific(text: string): boolean {
  return text.charCodeAt(text.length - 3) === plus && scientificNumber.test(text);
}

const plus = 43;
const scientificNumber = /^-?\d(?:\.\d{1,5})?E\+[1-9]\d$/u;
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
