import type { Field, Row } from './axis.ts';
import { shownLabel } from './shown-label.ts';

/** The heading line of a CSV (RFC 4180): CRLF, quotes only where they are needed. */
export function csvHead(fields: readonly Column[], header: 'name' | 'label'): string {
  return `${fields.map((field) => cell(header === 'name' ? field.name : shownLabel(field))).join(',')}\r\n`;
}

/** A CSV line for each row, in the order of the fields; a missing value is empty. */
export function csvLines(fields: readonly Column[], rows: readonly Row[]): string {
  let lines = '';
  for (const row of rows) {
    let line = '';
    for (let i = 0; i < fields.length; i++) {
      const value = row[fields[i]!.name] ?? null;
      if (i > 0) line += ',';
      if (value !== null) line += typeof value === 'string' ? cell(value) : String(value);
    }
    lines += `${line}\r\n`;
  }
  return lines;
}

type Column = Pick<Field, 'name' | 'label'> & Partial<Pick<Field, 'labelSource'>>;

/** Excel reads a CSV as UTF-8 only if it begins with a byte order mark. */
export const byteOrderMark = '\uFEFF';

/** `Content-Disposition` of a download: the code for old clients, the Korean title for others (RFC 5987). */
export function contentDisposition(code: string, title: string, extension: string): string {
  const encodedName = encodeURIComponent(`${title}.${extension}`.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${code}.${extension}"; filename*=UTF-8''${encodedName}`;
}

function cell(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** Escapes a text that a spreadsheet would run as a formula (OWASP, CSV injection). */
export function escapeFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
