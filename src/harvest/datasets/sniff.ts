import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { contentOf, textFormatOf } from '../../ingest/files/content.ts';
import { isFault } from '../../data/portal/fault.ts';
import { readAnswer } from '../protocol/answer.ts';
import type { Fault } from '../../data/portal/fault.ts';
import { faultOfShell } from './dataset-page.ts';

/** Judgement of a downloaded file by its bytes. */
interface Sniffed {
  /** Fault of a response other than a file, such as an error page with status 200; null for a file. */
  readonly fault: Fault | null;
  /** The content contradicts the name, or the end looks cut off: another copy has to confirm it. */
  readonly isOdd: boolean;
}

/** Judges a downloaded file by its head and its tail. */
export function sniffFile(path: string, extension: string): Sniffed {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const head = Buffer.alloc(Math.min(size, edgeBytes));
    readSync(descriptor, head, 0, head.length, 0);
    const tail = Buffer.alloc(Math.min(size, edgeBytes));
    readSync(descriptor, tail, 0, tail.length, size - tail.length);
    return sniffBytes(head, tail, extension);
  } finally {
    closeSync(descriptor);
  }
}

/** The end record of a ZIP archive is within its last 65,557 bytes. */
const edgeBytes = 66 * 1024;

function sniffBytes(head: Buffer, tail: Buffer, extension: string): Sniffed {
  const content = contentOf(head);
  if (content.kind === 'empty') return bad('empty_body', 'the file is empty');
  if (content.kind === 'zip') {
    const isWhole = tail.includes(Buffer.from('PK\x05\x06', 'latin1'));
    return good(!isWhole || !['zip', 'xlsx', 'xlsm', 'xls'].includes(extension));
  }
  // An old workbook has no mark at its end.
  if (content.kind === 'xls') return good(true);
  if (content.kind !== 'text') return good(content.kind !== extensionKind(extension));
  return sniffText(head, tail, extension);
}

function sniffText(head: Buffer, tail: Buffer, extension: string): Sniffed {
  const text = head.toString('utf8').replace(/^\uFEFF/, '');
  const format = textFormatOf(text);
  if (format === 'html') {
    // A table of HTML named .xls is data; a sign-in page is not.
    const isTable = /<table/i.test(text) && /^(?:xls|html?)$/.test(extension);
    if (!isTable) return { fault: faultOfShell(text), isOdd: false };
  }
  const error = errorIn(text);
  if (error !== null) return { fault: error, isOdd: false };
  const isMarkup = format === 'json' || format === 'xml' || format === 'html';
  const isNamed = isMarkup === /^(?:json|geojson|xml|xls|html?)$/.test(extension);
  const end = tail.toString('latin1').trimEnd().at(-1) ?? '';
  const isWhole = isMarkup ? /[>}\]]/.test(end) : /[\r\n\0]$/.test(tail.toString('latin1'));
  return good(!isNamed || !isWhole);
}

/** A gateway's error in place of a file is small, and begins the file. */
function errorIn(text: string): Fault | null {
  if (!/cmmMsgHeader|^\s*\{\s*"(?:header|response)"/.test(text.slice(0, 2_000))) {
    return /^[A-Za-z ]{6,60}$/.test(text.trim()) ? asFault(text) : null;
  }
  return asFault(text);
}

function asFault(text: string): Fault | null {
  const reading = readAnswer(Buffer.from(text), 200);
  return isFault(reading) && reading.code !== 'json_broken' ? reading : null;
}

function extensionKind(extension: string): string {
  return extension === 'gz' ? 'gzip' : extension;
}

function good(isOdd: boolean): Sniffed {
  return { fault: null, isOdd };
}

function bad(code: string, message: string): Sniffed {
  return { fault: { class: 'retry', code, message }, isOdd: false };
}
