import { textFormatOf } from './content.ts';
import { csvTable } from './csv.ts';
import { detectEncoding, encodingOfHead } from './encoding.ts';
import { jsonTable } from './json.ts';
import type { Part } from './part.ts';
import { plainTextError } from './portal-error.ts';
import { FileRefused } from './refused.ts';
import type { Table } from './table.ts';
import { readTextHead } from './text.ts';
import { markupTables } from './workbook.ts';
import { xmlTable } from './xml.ts';

/** The tables of a text: `head` is its first bytes. */
export async function* textTables(part: Part, head: Buffer): AsyncIterable<Table> {
  const { source, limits, finding } = part;
  if (encodingOfHead(head) === null && head.includes(0)) {
    throw new FileRefused(
      'binary',
      `${source.name} has NUL bytes where text should be: it is no data file we know, or it is damaged.`,
    );
  }
  const encoding = await detectEncoding(source);
  const { text, whole } = await readTextHead(source, encoding, sampleUnits);
  if (whole && text.trim() === '') {
    throw new FileRefused('empty', `${source.name} has nothing but blanks.`);
  }
  const error = whole ? plainTextError(source.name, text) : null;
  if (error !== null) throw error;
  switch (textFormatOf(text)) {
    case 'html':
      if (!isTablePage(source.name, text)) {
        throw new FileRefused(
          'html_page',
          `${source.name} is a web page, not data: the portal shows one where a download needs a login or has failed.`,
        );
      }
      yield* markupTables(part, encoding, 'html');
      return;
    case 'spreadsheetml':
      yield* markupTables(part, encoding, 'xml');
      return;
    case 'json':
      yield await jsonTable(source, encoding, part.path, limits, finding);
      return;
    case 'xml':
      yield await xmlTable(source, encoding, part.path, limits, finding);
      return;
    default:
      if (looksBinary(text)) {
        throw new FileRefused(
          'binary',
          `${source.name} is neither text nor a format we know; open it and export CSV or XLSX.`,
        );
      }
      yield await csvTable(source, encoding, part.path, limits, finding);
  }
}

const sampleUnits = 64 * 1024;

/** A page that a program wrote for a spreadsheet has a table and nothing to fill in. */
function isTablePage(name: string, text: string): boolean {
  const spreadsheet = /\.(?:xls|xlsx|html?)(?:\.gz)?$/iu.test(name);
  return spreadsheet && /<table[\s>]/iu.test(text) && !/<(?:form|input)[\s>]/iu.test(text);
}

/** Text has few characters that no keyboard gives; compressed or encrypted bytes are full of them. */
function looksBinary(text: string): boolean {
  const sample = text.slice(0, 4096);
  // oxlint-disable-next-line no-control-regex -- Control characters are what is looked for.
  const strange = sample.match(/[\u0000-\u0008\u000e-\u0019\u001c-\u001f\u007f\ufffd]/gu);
  return (strange?.length ?? 0) > Math.max(strangeMin, sample.length * 0.05);
}

/** A few broken letters in a short text are damage, and reported with their rows. */
const strangeMin = 8;
