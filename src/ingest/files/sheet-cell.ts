import { SSF, type CellObject } from '@e965/xlsx';
import { withoutPadding } from './padding.ts';

/** Text of a cell of the library: dates in ISO form, codes with leading zeros, numbers without rounding noise. */
export function sheetCellText(cell: CellObject | undefined, epoch1904: boolean): string | null {
  if (cell === undefined || cell.v === undefined) return null;
  if (cell.t === 'n')
    return cleanCell(numberText(String(cell.v), String(cell.z ?? 'General'), epoch1904));
  return cleanCell(cell.t === 's' ? String(cell.v) : (cell.w ?? String(cell.v)));
}

/** A text as cells have it: in NFC, without padding and NUL; null if nothing is left. */
export function cleanCell(text: string): string | null {
  const clean = withoutPadding(text.normalize('NFC'));
  return clean === '' ? null : clean.replaceAll('\0', '\ufffd');
}

/** Text of a number by its format. `digits` is as a workbook stores it: whole numbers of any length stay exact. */
export function numberText(digits: string, format: string, epoch1904: boolean): string {
  const kind = kindOf(format);
  if (kind === 'plain') return plainNumber(digits);
  const value = Number(digits);
  // The formatter has no types.
  if (kind === 'padded') return String(SSF.format(format, value));
  const isPastMidnight = kind === 'time' && value >= 1 && value < 2;
  if (kind === 'elapsed' || isPastMidnight) return elapsedText(value);
  return dateText(value, epoch1904) ?? digits;
}

/** True for a format that shows thousands or millions, such as `#,##0,`: a comma after the last digit. */
export function isScaled(format: string): boolean {
  if (!format.includes(',')) return false;
  let scaled = scaledFormats.get(format);
  if (scaled === undefined) {
    if (scaledFormats.size >= kindsMax) scaledFormats.clear();
    scaled = hasScale(format);
    scaledFormats.set(format, scaled);
  }
  return scaled;
}

const scaledFormats = new Map<string, boolean>();

function hasScale(format: string): boolean {
  return /[0#?],+(?![0#?,])/u.test(format.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/gu, ''));
}

/** Place of a number in a scaled format, its text in this format and its stored digits; `row` and `column` count from 0. */
export function scaledNumber(row: number, column: number, stored: string, format: string) {
  // The formatter has no types.
  const text = String(SSF.format(format, Number(stored)));
  return { row: row + 1, column: column + 1, text, stored: plainNumber(stored.trim()) };
}

/** True for the text of a link that is an address of the web or of mail itself. */
export function isAddress(text: string): boolean {
  return /^\S*[\w-]\.[\w-]\S*$|^\S+@\S+$/u.test(text);
}

type FormatKind = 'plain' | 'elapsed' | 'padded' | 'date' | 'time';

/** The kind of a format, from a cache. */
function kindOf(format: string): FormatKind {
  const cached = kinds.get(format);
  if (cached !== undefined) return cached;
  if (kinds.size >= kindsMax) kinds.clear();
  const kind = newKind(format);
  kinds.set(format, kind);
  return kind;
}

const kinds = new Map<string, FormatKind>();
const kindsMax = 1000;

function newKind(format: string): FormatKind {
  if (elapsedFormat.test(format)) return 'elapsed';
  if (SSF.is_date(format)) return isTimeFormat(format) ? 'time' : 'date';
  return /^(?:"[^"]*"|[-\s\\()])*0{2}[0\s\\()-]*$/u.test(format) ? 'padded' : 'plain';
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

/** Day, time or both of an ISO 8601 text, in the form of `dateText`; a time on day zero of a workbook has no day. */
export function isoText(text: string): string {
  const [all, date, time = '', seconds = ':00'] = isoMoment.exec(text) ?? [];
  if (all === undefined) return text;
  if (date === undefined || dayZero.test(date)) return time === '' ? text : time + seconds;
  return time === '' || (time === '00:00' && seconds === ':00')
    ? date
    : `${date}T${time}${seconds}`;
}

const isoMoment = /^(\d{4}-\d\d-\d\d)?(?:T?(\d\d:\d\d)(:\d\d)?(?:\.\d+)?Z?)?$/u;
const dayZero = /^(?:1899-12-3[01]|1904-01-01)$/u;

/** Rounds fractions to 15 digits, the precision of Excel; further digits are binary rounding noise. */
function plainNumber(digits: string): string {
  if (/^(?:0|-?[1-9]\d*)$/u.test(digits)) return digits;
  const value = Number(digits);
  if (Number.isNaN(value)) return digits;
  if (Number.isSafeInteger(value)) return String(value);
  const text = String(Number(value.toPrecision(15)));
  if (!text.includes('e')) return text;
  return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
}
