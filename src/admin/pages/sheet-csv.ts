import { Buffer } from 'node:buffer';
import {
  byteOrderMark,
  contentDisposition,
  csvHead,
  csvLines,
  escapeFormula,
} from '../../data/csv.ts';
import type { Content } from '../../kernel/http/result.ts';
import { Problem } from '../../kernel/problem.ts';
import { originOf } from '../api/call.ts';
import { logAccess } from '../operators/access-log.ts';
import type { View } from './view.ts';

/**
 * A table of a rendered page as CSV. The download is written to the access log first. 404 `not_found` if the page has
 * no such table.
 */
export async function sheetCsv(view: View, name: string): Promise<Content> {
  const sheet = view.sheets.get(name)?.();
  if (sheet === undefined) throw noSuchTable();
  await logAccess(view.context, originOf(view), `${csvAction}${name}`);
  const fields = sheet.labels.map((label, at) => ({ name: String(at), label }));
  const rows = sheet.rows.map((cells) =>
    Object.fromEntries(
      cells.map((cell, at) => [at, typeof cell === 'string' ? escapeFormula(cell) : cell]),
    ),
  );
  const text = byteOrderMark + csvHead(fields, 'label') + csvLines(fields, rows);
  return {
    type: 'text/csv; charset=utf-8',
    body: Buffer.from(text),
    headers: { 'Content-Disposition': contentDisposition(name, sheet.title, 'csv') },
  };
}

/** Prefix of the table's name in the action that the access log has for a download. */
export const csvAction = 'csv:';

function noSuchTable(): Problem {
  return new Problem('not_found', {
    ko: '이 화면에 없는 표입니다. 화면의 CSV 링크로 내려받으세요.',
    en: 'The page has no such table. Use the CSV link on it.',
  });
}
