import type { BilingualText } from '../../contract/language.ts';
import { fileKinds } from './file-kinds.ts';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused } from './refused.ts';

/**
 * Refusal of a document, such as HWP: its tables are laid out for people, so a program would have to guess the records.
 * `kind` names its format.
 */
export function documentRefusal(name: string, kind: BilingualText): FileRefused {
  return new FileRefused('document', refusalTexts.document(name, kind));
}

/** Refusal of an archive whose members are all documents. */
export function documentsRefusal(name: string, members: readonly string[]): FileRefused {
  return new FileRefused('document', refusalTexts.documents(name, members));
}

/** Format of a document in an OLE file (HWP 5, DOC, PPT); null for any other file. */
export function oleDocument(bytes: Buffer): BilingualText | null {
  const mark = oleMarks.find(([content]) => bytes.includes(content));
  return mark === undefined ? null : mark[1];
}

/** Format of a document in a ZIP file (HWPX, DOCX, PPTX), by the names of its members; null for any other file. */
export function zippedDocument(names: ReadonlySet<string>): BilingualText | null {
  const mark = zipMarks.find(([name]) => names.has(name));
  return mark === undefined ? null : mark[1];
}

/** The signature in HWP's stream `FileHeader`, and names of streams in the directory of an OLE file. */
const oleMarks: readonly (readonly [content: Buffer, kind: BilingualText])[] = [
  [Buffer.from('HWP Document File'), fileKinds.hwp],
  [Buffer.from('WordDocument', 'utf16le'), fileKinds.doc],
  [Buffer.from('PowerPoint Document', 'utf16le'), fileKinds.ppt],
];

const zipMarks: readonly (readonly [name: string, kind: BilingualText])[] = [
  ['Contents/content.hpf', fileKinds.hwpx],
  ['word/document.xml', fileKinds.docx],
  ['ppt/presentation.xml', fileKinds.pptx],
  ['[Content_Types].xml', fileKinds.office],
];
