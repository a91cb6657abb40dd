import type { BilingualText } from '../../contract/language.ts';

/** Refusal of a file; the text gives the reason and the remedy. No part of the file is imported. */
export class FileRefused extends Error {
  readonly code: RefusalCode;
  /** The message in both languages; `message` is the English one. */
  readonly text: BilingualText;

  constructor(code: RefusalCode, text: BilingualText, options: { cause?: unknown } = {}) {
    super(text.en, options);
    this.name = 'FileRefused';
    this.code = code;
    this.text = text;
  }
}

/** Stable codes, for scripts and for the report of a load. */
export type RefusalCode =
  /** No bytes, or only blanks. */
  | 'empty'
  /** Ends in the middle. */
  | 'truncated'
  /** Broken beyond repair. */
  | 'damaged'
  | 'encrypted'
  /** A folder, a pipe, a socket or a device. */
  | 'not_a_file'
  /** The file system does not let us read it. */
  | 'unreadable'
  /** Changed while it was read. */
  | 'changed'
  /** A web page under a data file's name: the portal sends its error page with status 200. */
  | 'html_page'
  /** The portal answered with an error; the message has its code and meaning. */
  | 'portal_error'
  /** A valid response that has no record. */
  | 'no_records'
  | 'zip_bomb'
  | 'path_outside'
  /** Binary data instead of text. */
  | 'binary'
  /** A document of text, such as HWP or PDF, or an archive of these. */
  | 'document'
  /** A known format that we do not read. */
  | 'unsupported'
  /** Readable, but without rows and columns. */
  | 'not_a_table'
  | 'too_large';
