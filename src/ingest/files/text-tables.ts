import { isJsonScript, otherTextFormat, textFormatOf } from './content.ts';
import { csvTables } from './csv.ts';
import { detectEncoding, encodingOfHead } from './encoding.ts';
import { jsonTables } from './json.ts';
import { findingTexts } from './finding-texts.ts';
import { isKml, kmlTable } from './kml.ts';
import { MisreadSample, restoredSource } from './misread-text.ts';
import type { Part } from './part.ts';
import { plainTextError } from './portal-error.ts';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused } from './refused.ts';
import { fromFirstBracket } from './source.ts';
import type { Encoding, Table } from './table.ts';
import { readTextHead } from './text.ts';
import { isMhtml } from './mhtml.ts';
import { xmlTables } from './xml.ts';

/** Yields the tables of a text; `head` has its first bytes. */
export async function* textTables(sourcePart: Part, head: Buffer): AsyncIterable<Table> {
  const { part, encoding } = await readablePart(sourcePart, head);
  const { source, limits, finding } = part;
  const { text, isWhole } = await readTextHead(source, encoding, sampleUnits);
  if (isWhole && text.trim() === '') {
    throw new FileRefused('empty', refusalTexts.onlyBlanks(source.name));
  }
  const error = isWhole ? plainTextError(source.name, text) : null;
  if (error !== null) throw error;
  const other = otherTextFormat(text);
  if (other !== null) {
    throw new FileRefused('unsupported', refusalTexts.otherFormat(source.name, other));
  }
  if (isMhtml(text)) {
    yield* (await import('./workbook.ts')).mhtmlTables(part, encoding);
    return;
  }
  if (isJsonScript(text) && !encoding.startsWith('utf-16')) {
    const json = fromFirstBracket(source);
    yield* jsonTables(json, encoding, part.path, limits, finding, part.sheet);
    return;
  }
  switch (textFormatOf(text)) {
    case 'html':
      if (!isTablePage(source.name, text)) {
        throw new FileRefused('html_page', refusalTexts.webPage(source.name));
      }
      yield* (await import('./workbook.ts')).markupTables(part, encoding, 'html');
      return;
    case 'spreadsheetml':
      yield* (await import('./workbook.ts')).markupTables(part, encoding, 'xml');
      return;
    case 'json':
      yield* jsonTables(source, encoding, part.path, limits, finding, part.sheet);
      return;
    case 'xml':
      if (isKml(text)) {
        yield await kmlTable(source, encoding, part.path, limits, finding);
        return;
      }
      yield* xmlTables(source, encoding, part.path, limits, finding);
      return;
    default:
      if (head.includes('\ufffd') && hasLostLetters(text)) {
        throw new FileRefused('damaged', refusalTexts.lettersLost(source.name));
      }
      if (looksBinary(text)) {
        throw new FileRefused('binary', refusalTexts.binary(source.name));
      }
      yield* csvTables(part, encoding);
  }
}

const sampleUnits = 64 * 1024;

function countNul(head: Buffer): number {
  return head.reduce((sum, byte) => (byte === 0 ? sum + 1 : sum), 0);
}

/** Largest share of NULs in text, where they may fill up cells of fixed width. Binary data has more. */
const nulShareMax = 0.3;

/** The part and its encoding. A text that was saved in a wrong encoding is restored while it is read. */
async function readablePart(
  part: Part,
  head: Buffer,
): Promise<{ readonly part: Part; readonly encoding: Encoding }> {
  const { source, finding } = part;
  if (encodingOfHead(head) === null && countNul(head) > head.length * nulShareMax) {
    throw new FileRefused('binary', refusalTexts.nulBytes(source.name));
  }
  const sample = new MisreadSample();
  const encoding = await detectEncoding(source, false, (chunk) => sample.add(chunk));
  const { misreading } = sample;
  if (encoding !== 'utf-8' || misreading === null) return { part, encoding };
  finding({ kind: 'mojibake', row: null, detail: findingTexts.misread(misreading) });
  return { part: { ...part, source: restoredSource(source, misreading) }, encoding };
}

/** True for an HTML export of a spreadsheet: it has a table and no form. */
function isTablePage(name: string, text: string): boolean {
  const isSpreadsheetName = /\.(?:xls|xlsx|html?)(?:\.gz)?$/iu.test(name);
  return isSpreadsheetName && /<table[\s>]/iu.test(text) && !/<(?:form|input)[\s>]/iu.test(text);
}

/** True if a large part of a text is U+FFFD, and none of it control characters. */
function hasLostLetters(text: string): boolean {
  const sample = text.slice(0, 4096);
  // oxlint-disable-next-line no-control-regex -- The test is for control characters.
  if (/[\u0000\u0002-\u0008\u000e-\u0019]/u.test(sample)) return false;
  return (sample.match(/\ufffd/gu)?.length ?? 0) > Math.max(controlsMax, sample.length * 0.05);
}

/** True if there are many control characters, as in compressed or encrypted bytes; U+0001 is a delimiter. */
function looksBinary(text: string): boolean {
  const sample = text.slice(0, 4096);
  // oxlint-disable-next-line no-control-regex -- The test is for control characters.
  const controls = sample.match(/[\u0000\u0002-\u0008\u000e-\u0019\u001c-\u001f\u007f\ufffd]/gu);
  return (controls?.length ?? 0) > Math.max(controlsMax, sample.length * 0.05);
}

/** Number of control characters that is allowed in a short text; they are reported as damage. */
const controlsMax = 8;
