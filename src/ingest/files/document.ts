import { FileRefused } from './refused.ts';

/**
 * Refusal of a document: a text with tables for people, which no reader turns into records without guessing. `kind` names
 * its format, as in `a PDF document`.
 */
export function documentRefusal(name: string, kind: string): FileRefused {
  return new FileRefused('document', `${name} is ${kind}, not data; ${advice}`);
}

/** Refusal of an archive whose members are all documents. */
export function documentsRefusal(name: string, members: readonly string[]): FileRefused {
  const others = members.length - membersShown;
  const list = members.slice(0, membersShown).join(', ');
  return new FileRefused(
    'document',
    `${name} has documents and no data (${list}${others > 0 ? `, and ${others} more` : ''}); ${advice}`,
  );
}

const membersShown = 5;
const advice =
  'look on the portal for a CSV or XLSX file of the same dataset, or save the table of the document as XLSX or CSV.';

/** Format of a document in an OLE file (HWP 5, DOC, PPT); null for any other file. */
export function oleDocument(bytes: Buffer): string | null {
  const mark = oleMarks.find(([content]) => bytes.includes(content));
  return mark === undefined ? null : mark[1];
}

/** Format of a document in a ZIP file (HWPX, DOCX, PPTX), by the names of its members; null for any other file. */
export function zippedDocument(names: ReadonlySet<string>): string | null {
  const mark = zipMarks.find(([name]) => names.has(name));
  return mark === undefined ? null : mark[1];
}

/** The signature in HWP's stream `FileHeader`, and names of streams in the directory of an OLE file. */
const oleMarks: readonly (readonly [content: Buffer, kind: string])[] = [
  [Buffer.from('HWP Document File'), 'a Hangul document (HWP)'],
  [Buffer.from('WordDocument', 'utf16le'), 'a Word document (DOC)'],
  [Buffer.from('PowerPoint Document', 'utf16le'), 'a PowerPoint document (PPT)'],
];

const zipMarks: readonly (readonly [name: string, kind: string])[] = [
  ['Contents/content.hpf', 'a Hangul document (HWPX)'],
  ['word/document.xml', 'a Word document (DOCX)'],
  ['ppt/presentation.xml', 'a PowerPoint document (PPTX)'],
  ['[Content_Types].xml', 'an Office document without sheets'],
];
