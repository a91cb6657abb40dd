import type { Field, Row } from '../data/axis.ts';

/** A heading line and lines of CSV (RFC 4180): CRLF, quotes only where they are needed. */
export function csvHead(fields: readonly Field[], header: 'name' | 'label'): string {
  return `${fields.map((field) => cell(field[header])).join(',')}\r\n`;
}

/** A line for each row, in the order of the fields; a missing value is empty. */
export function csvLines(fields: readonly Field[], rows: readonly Row[]): string {
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

/** Excel takes a file for UTF-8 only when it begins with this. */
export const byteOrderMark = '\uFEFF';

/** A name for saving the answer: plain for old clients, and the Korean title (RFC 5987). */
export function attachment(code: string, title: string, extension: string): string {
  const full = encodeURIComponent(`${title}.${extension}`.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${code}.${extension}"; filename*=UTF-8''${full}`;
}

function cell(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
