import { readFileSync } from 'node:fs';
import path from 'node:path';
import { read, utils } from '@e965/xlsx';

/** Folder of the official tables: the first argument, else the folder beside the project. */
export const folder = process.argv[2] ?? path.join(import.meta.dirname, '../../../shared/data');

/** A legal or administrative dong of ten digits, dates in ISO form. */
export interface Dong {
  readonly code: string;
  readonly sigungu: string;
  readonly name: string;
  readonly since: string;
  readonly until: string | null;
}

/** The dongs of a code table. `columns` is the number of its columns before the two dates. */
export function readDongTable(file: string, columns: 4 | 5): Dong[] {
  const dongList: Dong[] = [];
  for (const row of readSheet(file)) {
    const [code = '', , , name = ''] = row;
    if (name === '' || (columns === 5 && (row[4] ?? '') !== '')) continue;
    const [since = '', until = ''] = row.slice(columns);
    dongList.push({
      code,
      sigungu: code.slice(0, 5),
      name,
      since: isoDate(since),
      until: until === '' ? null : isoDate(until),
    });
  }
  return dongList;
}

/** Rows of the first sheet without its header, as text. */
export function readSheet(file: string): string[][] {
  const book = read(readFileSync(path.join(folder, 'region-codes', file)));
  const first = book.Sheets[book.SheetNames[0] ?? ''];
  if (first === undefined) throw new Error(`${file} has no sheet.`);
  const rows = utils.sheet_to_json<unknown[]>(first, { header: 1, defval: '', raw: true });
  return rows.slice(1).map((row) => row.map((cell) => String(cell).trim()));
}

/** `20260701` as `2026-07-01`. */
export function isoDate(digits: string): string {
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8)}`;
}
