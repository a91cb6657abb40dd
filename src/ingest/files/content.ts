import type { BilingualText } from '../../contract/language.ts';
import { isDbf } from './dbf.ts';
import { fileKinds } from './file-kinds.ts';
import { afterProlog } from './markup-prolog.ts';
import type { FileFormat } from './table.ts';

/** Format of a file, by its first bytes; its name is never trusted. */
type Content =
  | { readonly kind: 'empty' }
  | { readonly kind: 'gzip' }
  /** A ZIP archive: a workbook or a set of files. */
  | { readonly kind: 'zip' }
  /** An OLE or bare BIFF file: an old workbook, or an encrypted new one. */
  | { readonly kind: 'xls' }
  | { readonly kind: 'dbf' }
  | { readonly kind: 'parquet' }
  | { readonly kind: 'text' }
  | { readonly kind: 'document'; readonly name: BilingualText }
  | { readonly kind: 'unsupported'; readonly name: BilingualText };

/** Recognises binary formats by their magic bytes; every other content counts as text. */
export function contentOf(head: Buffer): Content {
  if (head.length === 0) return { kind: 'empty' };
  if (head[0] === 0x1f && head[1] === 0x8b) return { kind: 'gzip' };
  const start = head.toString('latin1', 0, 8);
  if (zipStarts.some((zip) => start.startsWith(zip))) return { kind: 'zip' };
  if (start === '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') return { kind: 'xls' };
  if (head[0] === 0x09 && [0, 2, 4, 8].includes(head[1] ?? 1)) return { kind: 'xls' };
  if (start.startsWith('PAR1')) return { kind: 'parquet' };
  if (isDbf(head)) return { kind: 'dbf' };
  const document = documentMagics.find(([magic]) => start.startsWith(magic));
  if (document !== undefined) return { kind: 'document', name: document[1] };
  if (head.toString('latin1', 257, 262) === 'ustar')
    return { kind: 'unsupported', name: fileKinds.tar };
  if (accessDatabase.test(head.toString('latin1', 4, 19))) {
    return { kind: 'unsupported', name: fileKinds.access };
  }
  const other = otherMagics.find(([magic]) => start.startsWith(magic));
  return other === undefined ? { kind: 'text' } : { kind: 'unsupported', name: other[1] };
}

/** The format of a text by its beginning. */
export function textFormatOf(text: string): FileFormat | 'spreadsheetml' {
  // A text sequence has a record separator before each feature (RFC 8142).
  const start = (text.startsWith('\u001e') ? text.slice(1) : text).trimStart();
  if (start.startsWith('<')) {
    if (/urn:schemas-microsoft-com:office:spreadsheet/u.test(start)) return 'spreadsheetml';
    if (isPage(start)) return 'html';
    // A CSV may begin with a title such as `<표 1> 현황`; XML has a closing tag.
    if (start.startsWith('<?xml') || /<\/|\/>/u.test(start)) return 'xml';
  }
  if (/^\{\s*(?:"|\})/u.test(start) || /^\[\s*(?:[{["\]]|-?\d)/u.test(start)) return 'json';
  return 'csv';
}

/** Name of a text format that is not a table, recognised by its first line; null for any other text. */
export function otherTextFormat(text: string): BilingualText | null {
  const start = text.trimStart();
  const other = otherTexts.find(([pattern]) => pattern.test(start))?.[1];
  return other ?? (isNamedValues(start) ? fileKinds.namedValues : null);
}

/** True if nearly all lines are a name and a value after a colon, and each name comes several times. */
function isNamedValues(text: string): boolean {
  const lines = text.split(/\r?\n/u, namedLinesMax).filter((line) => line.trim() !== '');
  const names = lines.flatMap((line) => namedValue.exec(line)?.[1] ?? []);
  const isNearlyAll = names.length >= Math.max(namedLinesMin, lines.length * 0.9);
  const distinct = new Set(names).size;
  const withCommas = lines.filter((line) => line.includes(',')).length;
  return (
    isNearlyAll && distinct > 1 && distinct * 3 <= names.length && withCommas * 2 < lines.length
  );
}

const namedLinesMin = 9;
const namedLinesMax = 500;
/** `- 시설명: 가람`; a name has no delimiter of columns. */
const namedValue = /^ {0,8}(?:- )?([\p{L}][^:,;|\t"{}[\]]{0,30}?) ?:(?: |$)[^|\t]*$/u;

const otherTexts: readonly (readonly [start: RegExp, name: BilingualText])[] = [
  [/^ID;P/u, fileKinds.sylk],
  [/^TABLE\r?\n0,1\r?\n/u, fileKinds.dif],
  [/^(?:<\?xml[^>]*>\s*)?<office:document\s/u, fileKinds.fods],
  [/^BEGIN:VCARD\b/iu, fileKinds.contacts],
  [/^BEGIN:VCALENDAR\b/iu, fileKinds.calendar],
  [
    /^(?:(?:--|REM|SET DEFINE)[^\n]*\n\s*|\/\*(?:(?!\*\/)[^])*\*\/\s*)*(?:CREATE TABLE|DROP TABLE|INSERT INTO)\b/iu,
    fileKinds.sql,
  ],
];

/** True for JSON in a script: `var list = […];` or `callback({…});`. */
export function isJsonScript(text: string): boolean {
  return /^\s*(?:(?:var|let|const)\s+[\w$]+\s*=|[\w$.]+\s*[=(])\s*(?:\{\s*["}]|\[\s*[[{"\d])/u.test(
    text,
  );
}

/**
 * True for a web page or a piece of one. Its root element decides: a response of the portal also has a `<body>`, and most
 * of them have no XML declaration.
 */
function isPage(start: string): boolean {
  const content = afterProlog(start);
  if (/^<!doctype html/iu.test(content)) return true;
  const root = /^<([a-z][a-z0-9]*)[\s/>]/iu.exec(content)?.[1]?.toLowerCase() ?? '';
  if (root === 'table') return /<t[rhd][\s>]/iu.test(start);
  return pageElements.has(root);
}

/** HTML elements with which a page without a document type may begin. */
const pageElements: ReadonlySet<string> = new Set(
  (
    'html head body title meta link style script noscript base div p span center font form input iframe frameset ' +
    'h1 h2 h3 h4 a b br hr img pre'
  ).split(' '),
);

/** Signatures of an archive with members, an empty one and a spanned one. */
const zipStarts = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'];

const accessDatabase = /^Standard (?:ACE|Jet) DB/u;

const documentMagics: readonly (readonly [magic: string, name: BilingualText])[] = [
  ['%PDF', fileKinds.pdf],
  // Versions up to 3; HWP 5 is an OLE file.
  ['HWP Docu', fileKinds.hwp],
];

const otherMagics: readonly (readonly [magic: string, name: BilingualText])[] = [
  ['EGGA', fileKinds.egg],
  ['ALZ\x01', fileKinds.alz],
  ['Rar!', fileKinds.rar],
  ['7z\xbc\xaf', fileKinds.sevenZip],
  ['\x28\xb5\x2f\xfd', fileKinds.zstd],
  ['BZh', fileKinds.bzip2],
  ['\xfd7zXZ', fileKinds.xz],
  ['\x00\x00\x27\x0a', fileKinds.shapes],
  ['\x89PNG', fileKinds.picture],
  ['\xff\xd8\xff', fileKinds.picture],
  ['GIF8', fileKinds.picture],
  ['SQLite f', fileKinds.sqlite],
];
