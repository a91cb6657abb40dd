import { matchingText } from '../korean/normalise.ts';
import { dayUnits, readNumber, type ValueFormat } from '../values/read-value.ts';

/** Smallest and largest of the numbers that equal a value in a comparison. */
export interface ValueBounds {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads the value of a comparison by the type of its column, which is not `string`. A date has the precision in which
 * it is written: `2024` is a year, `2024-06` and `202406` are a month, `2024-06-01 10:30` is a minute. Null if the text
 * cannot be read as the type.
 */
export function valueBounds(format: ValueFormat, text: string): ValueBounds | null {
  const { type } = format;
  const value = matchingText(text);
  if (type === 'date' || type === 'datetime') return momentBounds(type, value);
  // Read as written, too, because a unit such as kWh is not recognised in matching form.
  const number = readNumber(format, value) || readNumber(format, text.trim());
  return number === null || Number.isNaN(number) ? null : { first: number, last: number };
}

function momentBounds(type: 'date' | 'datetime', text: string): ValueBounds | null {
  const days = dayBounds(text);
  if (days !== null) {
    if (type === 'date') return days;
    return { first: days.first * dayUnits, last: days.last * dayUnits + (dayUnits - 1) };
  }
  // The matching form has a small `t` between date and time.
  const moment = readNumber({ type }, text.toUpperCase());
  if (moment === null || Number.isNaN(moment)) return null;
  const isMinute = type === 'datetime' && /^(?:\d{12}|.*[ tT]\d{1,2}:\d{1,2})$/.test(text);
  return { first: moment, last: isMinute ? moment + 99 : moment };
}

/** Bounds of a year, a month or a day as `yyyymmdd`; null for any other text. */
function dayBounds(text: string): ValueBounds | null {
  if (/^\d{4}$/.test(text))
    return { first: Number(text) * 10_000, last: Number(text) * 10_000 + 9999 };
  const month = /^(\d{4})(?:[-./] ?(\d{1,2})|(\d{2}))$/.exec(text);
  if (month !== null) {
    const number = Number(month[2] ?? month[3]);
    const first = Number(month[1]) * 10_000 + number * 100;
    return number >= 1 && number <= 12 ? { first, last: first + 99 } : null;
  }
  const day = readNumber({ type: 'date' }, text);
  const isDay = day !== null && !Number.isNaN(day) && !/:|^\d{9,}$/.test(text);
  return isDay ? { first: day, last: day } : null;
}
