import type { FieldType, Value } from '../axis.ts';
import { isExactTime, momentMs } from '../values/moment.ts';
import { readNumber } from '../values/read-value.ts';

/** Limit of Excel on the UTF-16 units of a cell. */
export const cellLengthMax = 32_767;

/**
 * XML of a cell. A value is a number only if Excel preserves its digits, up to fifteen. Zeros at the end of a fraction
 * and separators of thousands are no digits that matter. It is a date only if Excel's calendar has it. All else is text,
 * so leading zeros stay and nothing runs as a formula. A text that is too long for Excel is cut, with a note at its end.
 */
export function cellXml(place: string, type: FieldType, value: Exclude<Value, null>): string {
  const text = typeof value === 'string' ? value : String(value);
  switch (type) {
    case 'integer':
    case 'number': {
      const plain = withoutSeparators(text);
      if (isExactNumber(type === 'number' ? withoutLastZeros(plain) : plain))
        return `<c r="${place}"${isSeparatedWhole(text) ? ' s="5"' : ''}><v>${plain}</v></c>`;
      break;
    }
    case 'boolean':
      if (/^true$/i.test(text)) return `<c r="${place}" t="b"><v>1</v></c>`;
      if (/^false$/i.test(text)) return `<c r="${place}" t="b"><v>0</v></c>`;
      break;
    case 'date':
    case 'datetime': {
      const days = serialDays(type, text);
      if (days !== null) return `<c r="${place}" s="${type === 'date' ? 2 : 3}"><v>${days}</v></c>`;
      break;
    }
    default:
  }
  return `<c r="${place}" s="1" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cutText(text))}</t></is></c>`;
}

function cutText(text: string): string {
  if (text.length <= cellLengthMax) return text;
  const start = text.slice(0, cellLengthMax - cutNote.length);
  return start.replace(/[\ud800-\udbff]$/, '') + cutNote;
}

const cutNote = ' … (이하 잘림, cut here)';

/** Escapes text for XML. Characters that XML does not allow are written as in ECMA-376, 22.9.2.19: `_x0008_`. */
export function escapeXml(text: string): string {
  if (!unsafe.test(text)) return text;
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>"]/g, (character) => entities[character]!)
    .replace(notInXml, (character) => {
      const code = character.charCodeAt(0).toString(16).toUpperCase();
      return `_x${code.padStart(4, '0')}_`;
    });
}

/* oxlint-disable no-control-regex -- They match control characters on purpose. */
const unsafe = /[&<>"\0-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_x/;
const notInXml = /[\0-\x08\x0b-\x1f\ufffe\uffff]|\p{Cs}/gu;
/* oxlint-enable no-control-regex */
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** A number without separators of thousands and blanks around it: `107,500` of the prices of flats. */
function withoutSeparators(text: string): string {
  if (text.length > numberLengthMax) return text;
  const trimmed = text.trim();
  return /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(trimmed) ? trimmed.replaceAll(',', '') : text;
}

/** True for a whole number with separators, which keeps them in the sheet. */
function isSeparatedWhole(text: string): boolean {
  return text.includes(',') && !text.includes('.');
}

/** A number without zeros at the end of its fraction: coordinates often have ten places, 127.0370162650. */
function withoutLastZeros(text: string): string {
  if (text.length > numberLengthMax) return text;
  return text.replace(/\.0+$|(?<=\.\d*[1-9])0+$/, '');
}

const numberLengthMax = 32;

function isExactNumber(text: string): boolean {
  const number = Number(text);
  if (!Number.isFinite(number) || String(number) !== text) return false;
  return text.includes('.') || text.length <= integerLengthMax;
}

/** Fifteen, as Excel has: a longer whole number, such as an id, would lose its last digits. */
const integerLengthMax = 15;

/** Days since 1899-12-30, as Excel counts; null before 1900-03-01, because Excel's calendar has a false 1900-02-29. */
function serialDays(type: 'date' | 'datetime', text: string): number | null {
  const number = readNumber({ type }, text);
  if (number === null || Number.isNaN(number) || !isExactTime(type, text)) return null;
  const days = momentMs(type, number) / 86_400_000 + daysBefore1970;
  return days >= firstSafeDay ? days : null;
}

const daysBefore1970 = 25_569;
const firstSafeDay = 61;
