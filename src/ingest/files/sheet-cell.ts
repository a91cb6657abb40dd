import { SSF, type CellObject } from '@e965/xlsx';
import { withoutPadding } from './padding.ts';

/** Text of a cell: dates in ISO form, codes with leading zeros, numbers without rounding noise. */
export function sheetCellText(cell: CellObject | undefined, epoch1904: boolean): string | null {
  if (cell === undefined || cell.v === undefined) return null;
  const text = cell.t === 'n' ? numberText(cell, epoch1904) : (cell.w ?? String(cell.v));
  const clean = withoutPadding((cell.t === 's' ? String(cell.v) : text).normalize('NFC'));
  return clean === '' ? null : clean.replaceAll('\0', '\ufffd');
}

function numberText(cell: CellObject, epoch1904: boolean): string {
  const value = Number(cell.v);
  const format = String(cell.z ?? 'General');
  if (elapsedFormat.test(format)) return elapsedText(value);
  if (SSF.is_date(format)) {
    if (value >= 1 && value < 2 && isTimeFormat(format)) return elapsedText(value);
    return dateText(value, epoch1904) ?? cell.w ?? String(value);
  }
  if (/^(?:"[^"]*"|[-\s\\()])*0{2}[0\s\\()-]*$/u.test(format)) return cell.w ?? String(value);
  return plainNumber(value);
}

/** Matches a format of hours, minutes or seconds that go on past a day, such as `[h]:mm`. */
const elapsedFormat = /\[(?:h+|m+|s+)\]/iu;

/** True for a format of hours without a day: 24:00 and later are times past midnight, not days of January 1900. */
function isTimeFormat(format: string): boolean {
  const codes = format.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/gu, '');
  return /h/iu.test(codes) && !/[yde]/iu.test(codes);
}

/** Elapsed time of a number of days, as `36:00:00`. */
function elapsedText(days: number): string {
  const seconds = Math.round(Math.abs(days) * secondsOfDay);
  const minutes = Math.floor(seconds / 60);
  const parts = [Math.floor(minutes / 60), minutes % 60, seconds % 60].map(twoDigits);
  return `${days < 0 ? '-' : ''}${parts.join(':')}`;
}

const secondsOfDay = 86_400;

/** Date parts of SheetJS, whose formatter has no types. */
interface DateCode {
  readonly y: number;
  readonly m: number;
  readonly d: number;
  readonly H: number;
  readonly M: number;
  readonly S: number;
}

/** ISO text of a serial number: `2024-01-31`, `2024-01-31T18:31:00`, or `18:31:00` without a day. */
function dateText(serial: number, epoch1904: boolean): string | null {
  const code = SSF.parse_date_code(serial, { date1904: epoch1904 }) as DateCode | null;
  if (code === null) return null;
  const time = [code.H, code.M, code.S].map(twoDigits).join(':');
  if (serial >= 0 && serial < 1) return time;
  const date = `${String(code.y).padStart(4, '0')}-${twoDigits(code.m)}-${twoDigits(code.d)}`;
  return time === '00:00:00' ? date : `${date}T${time}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** Rounds fractions to 15 digits, the precision of Excel; further digits are binary rounding noise. */
function plainNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  const text = String(Number(value.toPrecision(15)));
  if (!text.includes('e')) return text;
  return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
}
