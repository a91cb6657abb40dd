import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { contentOf, textFormatOf } from '../../ingest/files/content.ts';
import { readAnswer } from '../protocol/answer.ts';
import { isFault, type Fault } from '../../data/portal/fault.ts';
import { faultOfErrorPage } from './dataset-page.ts';

/** Judgement of a downloaded file by its bytes. */
interface FileJudgement {
  /** Fault of a response that is not a file, such as an error page with status 200; null for a file. */
  readonly fault: Fault | null;
  /** True if the content contradicts the name or may be cut off, so that a second copy has to confirm it. */
  readonly isOdd: boolean;
}

/** Judges a downloaded file by its head and its tail. */
export function sniffFile(path: string, extension: string): FileJudgement {
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

function sniffBytes(head: Buffer, tail: Buffer, extension: string): FileJudgement {
  const content = contentOf(head);
  if (content.kind === 'empty') {
    const fault: Fault = { class: 'retry', code: 'empty_body', message: 'the file is empty' };
    return { fault, isOdd: false };
  }
  if (content.kind === 'zip') {
    const isWhole = tail.includes(Buffer.from('PK\x05\x06', 'latin1'));
    return validFile(!isWhole || !['zip', 'xlsx', 'xlsm', 'xls'].includes(extension));
  }
  // An old workbook has no end mark, so only a second copy can show that it is complete.
  if (content.kind === 'xls') return validFile(true);
  if (content.kind !== 'text') return validFile(content.kind !== extensionKind(extension));
  return sniffText(head, tail, extension);
}

function sniffText(head: Buffer, tail: Buffer, extension: string): FileJudgement {
  const text = head.toString('utf8').replace(/^\uFEFF/, '');
  const format = textFormatOf(text);
  if (format === 'html') {
    // A table of HTML named .xls is data; a sign-in page is not.
    const isTable = /<table/i.test(text) && /^(?:xls|html?)$/.test(extension);
    if (!isTable) return { fault: faultOfErrorPage(text), isOdd: false };
  }
  const error = gatewayError(text);
  if (error !== null) return { fault: error, isOdd: false };
  const isMarkup = format === 'json' || format === 'xml' || format === 'html';
  const hasRightName = isMarkup === /^(?:json|geojson|xml|xls|html?)$/.test(extension);
  const end = tail.toString('latin1').trimEnd().at(-1) ?? '';
  const isWhole = isMarkup ? /[>}\]]/.test(end) : /[\r\n\0]$/.test(tail.toString('latin1'));
  return validFile(!hasRightName || !isWhole);
}

/** Reads the error that a gateway sent in place of a file; null for a file. */
function gatewayError(text: string): Fault | null {
  if (!/cmmMsgHeader|^\s*\{\s*"(?:header|response)"/.test(text.slice(0, 2_000))) {
    return /^[A-Za-z ]{6,60}$/.test(text.trim()) ? faultIn(text) : null;
  }
  return faultIn(text);
}

function faultIn(text: string): Fault | null {
  const reading = readAnswer(Buffer.from(text), 200);
  return isFault(reading) && reading.code !== 'json_broken' ? reading : null;
}

function extensionKind(extension: string): string {
  return extension === 'gz' ? 'gzip' : extension;
}

function validFile(isOdd: boolean): FileJudgement {
  return { fault: null, isOdd };
}
