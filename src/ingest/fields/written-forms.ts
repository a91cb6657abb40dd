import { readWrittenDate } from '../../data/values/written-date.ts';
import { readWrittenNumber, type WrittenSign } from '../../data/values/written-number.ts';
import type { LocatedValue } from './located-value.ts';

/** A way in which numbers or dates of a column are written beside plain ones: with a unit, a sign, in words. */
export interface WrittenForm {
  /** Identifies the form in its column. */
  readonly key: string;
  /** A short date, `24.3.5` or `2024-03`, is one only if the column's label means a date. */
  readonly kind: 'number' | 'date' | 'shortDate' | 'datetime';
  /** In the spelling of the source; null without one. */
  readonly unit: string | null;
  readonly sign: WrittenSign | null;
  /** Number of rows, apart from those whose values the column still stores. */
  rows: number;
  isWhole: boolean;
  /** True if all values are months. */
  isMonth: boolean;
  /** True if a value has a comma between thousands, which no code has. */
  hasThousands: boolean;
  min: number;
  max: number;
  /** All distinct texts; null if there are more than `oddTextsMax`. */
  examples: LocatedValue[] | null;
}

/** The forms of one column; past a bound, a value of a new form is a text. */
export class WrittenForms {
  readonly #forms = new Map<string, WrittenForm>();

  /** Finds the form of a text and adds its value to the form; null for a plain text. */
  read(text: string): WrittenForm | null {
    if (!mayBeWritten.test(text)) return null;
    const number = readWrittenNumber(text);
    if (number !== null) {
      const { value, unit, sign } = number;
      const form = this.#add('number', unit, sign, value);
      if (form !== null) form.hasThousands ||= text.includes(',');
      return form;
    }
    const date = readWrittenDate(text);
    if (date === null) return null;
    const kind = date.hasTime ? 'datetime' : date.isShort ? 'shortDate' : 'date';
    const form = this.#add(kind, null, null, date.value);
    if (form !== null) form.isMonth &&= date.isMonth === true;
    return form;
  }

  all(): readonly WrittenForm[] {
    return [...this.#forms.values()];
  }

  #add(
    kind: WrittenForm['kind'],
    unit: string | null,
    sign: WrittenSign | null,
    value: number,
  ): WrittenForm | null {
    const key = `${kind} ${sign ?? ''} ${unit ?? ''}`;
    let form = this.#forms.get(key);
    if (form === undefined) {
      if (this.#forms.size === formsMax) return null;
      form = {
        key,
        kind,
        unit,
        sign,
        rows: 0,
        isWhole: true,
        isMonth: true,
        hasThousands: false,
        min: value,
        max: value,
        examples: [],
      };
      this.#forms.set(key, form);
    }
    form.isWhole &&= Number.isSafeInteger(value);
    form.min = Math.min(form.min, value);
    form.max = Math.max(form.max, value);
    return form;
  }
}

/** The first character of a number or a date, after a sign. */
const mayBeWritten = /^[-+△▲▽▼(−－–₩￦$'’‘`]? ?[\d０-９(₩￦$]/;
const formsMax = 20;
