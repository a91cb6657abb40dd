import type { FieldType, Value } from '../axis.ts';
import { isExactTime, momentMs } from '../values/moment.ts';
import { readNumber } from '../values/read-value.ts';

/** UTF-16 units of a cell. */
export const cellLengthMax = 32_767;

/**
 * XML of a cell. A number is one only if its text is exactly that number in Excel's fifteen digits; a date must be one
 * that Excel can count. All else is text, so zeros in front stay and nothing runs as a formula; a longer text than Excel
 * reads ends with a mark.
 */
export function cellXml(place: string, type: FieldType, value: Exclude<Value, null>): string {
  const text = typeof value === 'string' ? value : String(value);
  switch (type) {
    case 'integer':
    case 'number':
      if (isExactNumber(text)) return `<c r="${place}"><v>${text}</v></c>`;
      break;
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
  const start = text.slice(0, cellLengthMax - cutMark.length);
  return start.replace(/[\ud800-\udbff]$/, '') + cutMark;
}

const cutMark = ' … (이하 잘림, cut here)';

/** Escapes text for XML; characters that XML has not are written as in ECMA-376, 22.9.2.19: `_x0008_`. */
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

/* oxlint-disable no-control-regex -- control characters are the point */
const unsafe = /[&<>"\0-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_x/;
const notInXml = /[\0-\x08\x0b-\x1f\ufffe\uffff]|\p{Cs}/gu;
/* oxlint-enable no-control-regex */
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function isExactNumber(text: string): boolean {
  const number = Number(text);
  if (!Number.isFinite(number) || String(number) !== text) return false;
  return text.includes('.') || text.length <= integerLengthMax;
}

/** Excel shows fifteen digits: a longer whole number, such as an id, would lose its last ones. */
const integerLengthMax = 15;

/** Days since 1899-12-30, as Excel counts; null before 1900-03-01, where its calendar has a day that never was. */
function serialDays(type: 'date' | 'datetime', text: string): number | null {
  const number = readNumber({ type }, text);
  if (number === null || Number.isNaN(number) || !isExactTime(type, text)) return null;
  const days = momentMs(type, number) / 86_400_000 + daysBefore1970;
  return days >= firstSafeDay ? days : null;
}

const daysBefore1970 = 25_569;
const firstSafeDay = 61;
