/** A file that cannot be held: says what it is and what to do. Nothing of it counts as read. */
export class FileRefused extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'FileRefused';
    this.code = code;
  }
}

/** Stable codes, for scripts and for the report of a load. */
export type RefusalCode =
  /** No bytes, or none but blanks. */
  | 'empty'
  /** Ends in the middle. */
  | 'truncated'
  /** Broken in a way that leaves nothing to trust. */
  | 'damaged'
  | 'encrypted'
  /** A folder, a pipe, a socket or a device. */
  | 'not_a_file'
  /** The file system does not let us read it. */
  | 'unreadable'
  /** Became another file while it was read. */
  | 'changed'
  /** A web page under a data file's name: the portal's error shell comes with status 200. */
  | 'html_page'
  /** The portal answered with an error; the message has its code and meaning. */
  | 'portal_error'
  /** A proper answer that holds no record. */
  | 'no_records'
  | 'zip_bomb'
  | 'path_outside'
  /** NUL bytes or other junk where text should be. */
  | 'binary'
  /** A known format that we do not read. */
  | 'unsupported'
  /** Readable, but not rows and columns. */
  | 'not_a_table'
  | 'too_large';
