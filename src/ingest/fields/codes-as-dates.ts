import type { LocatedValue, Place } from './located-value.ts';

/**
 * Watches the texts of a column of numbers with a hyphen, such as lot numbers (`12-3`), for those that a spreadsheet
 * made a date of: `2-58` became `Feb-58`, and `3-12` became `12-Mar` or `03월 12일`.
 */
export class CodesAsDates {
  #codes = 0;
  #others = 0;
  readonly #dates: LocatedValue[] = [];

  /** Examines a text that is neither a number nor a date. */
  add(text: string, { file, row }: Place): void {
    // Most columns of texts have no such code.
    if (this.#others > othersMin && this.#others > this.#codes) return;
    if (code.test(text)) this.#codes++;
    else if (!spreadsheetDate.test(text)) this.#others++;
    else if (this.#dates.length < datesMax) this.#dates.push({ file, row, text });
  }

  /** The first values that a spreadsheet changed; none if the column is not one of codes. */
  values(): readonly LocatedValue[] {
    const isOfCodes = this.#codes >= codesMin && this.#codes >= this.#dates.length * 2;
    return isOfCodes && this.#others * 10 <= this.#codes ? this.#dates : [];
  }
}

const code = /^\d{1,5}-\d{1,4}$/u;
const spreadsheetDate =
  /^(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-\d\d|\d{1,2}-(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|\d{1,2}월 ?\d{1,2}일)$/u;
/** With fewer codes, the dates may be meant. */
const codesMin = 10;
const othersMin = 100;
const datesMax = 1000;
