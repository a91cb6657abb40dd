import type { Coding } from './preferences.ts';

/** A handler's return value: a whole body, a stream, a file, or a body that can be written repeatedly. */
export type Result = Content | Stream | FileContent | RepeatableBody;

/** A response whose whole body is in memory. */
export interface Content {
  /** 200 when absent. */
  readonly status?: number;
  readonly type?: string;
  /** Text is sent in one write with the headers, bytes in two. */
  readonly body: Buffer | string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  /** Caches may not store a body without a validity. */
  readonly validity?: Validity;
  /** Coding of `body`, if it is compressed already. */
  readonly coding?: Coding;
}

/** A page or a file: bytes of a type. */
export interface Document extends Content {
  readonly type: string;
  readonly body: Buffer;
}

/** A body too long for memory, written as fast as the client reads it. */
export interface Stream {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of the trailers, announced before the body. */
  readonly trailerNames: readonly string[];
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Called after the last piece. */
  readonly trailers: () => Readonly<Record<string, string>>;
  /** The SHA-256 of the body follows it in the trailer `Repr-Digest`. */
  readonly isDigested?: boolean;
  /** The body is sent in the content coding that the client prefers. */
  readonly isCompressible?: boolean;
  /** Coding of the pieces, if they are compressed already. */
  readonly coding?: Coding | null;
  readonly validity?: Validity;
  /** Called once, when no more pieces are read. */
  readonly release?: () => void;
}

/** A body that is written anew for each request, with equal bytes. Its length is known after the first time. */
export interface RepeatableBody extends Omit<Stream, 'pieces' | 'coding' | 'validity'> {
  /** Writes the pieces from the number `first` on, or all of them if the body is not seekable. */
  readonly write: (first: number) => AsyncIterable<Uint8Array>;
  readonly isSeekable: boolean;
  /** Estimated time of writing it, in milliseconds. */
  readonly expectedMs: number;
  /** Absent until the request is answered. */
  readonly validity?: Validity;
}

/** A body of known length that can be read from any position. */
export interface FileContent {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In bytes. */
  readonly length: number;
  /** Hexadecimal SHA-256 of the whole body. */
  readonly sha256: string;
  /** Reads the bytes `start` to `end - 1`. */
  readonly read: (start: number, end: number) => AsyncIterable<Uint8Array>;
  /** Coding of the body. */
  readonly coding?: Coding | null;
  readonly validity?: Validity;
  /** Called once, when no more bytes are read. */
  readonly release?: () => void;
}

/** The tag of a representation, and how long caches may use it. */
export interface Validity {
  /** Without quotes and coding. */
  readonly tag: string;
  /** HTTP date; null if the time of the last change is unknown. */
  readonly lastModified: string | null;
  /** True if the content also depends on today's date, so that `lastModified` does not identify it. */
  readonly isDaily: boolean;
  readonly cacheControl: string;
  readonly vary: string;
}

/** JSON that is not cached. */
export function json(
  value: object,
  {
    status = 200,
    cookies = [],
  }: { readonly status?: number; readonly cookies?: readonly string[] } = {},
): Content {
  return { status, type: jsonType, body: JSON.stringify(value), cookies };
}

export const jsonType = 'application/json; charset=utf-8';

/** Text for machines and operators. */
export function plainText(body: string): Content {
  return { type: 'text/plain; charset=utf-8', body };
}

/** Redirects to another URL: 303 after a form, so that a reload does not repeat it. */
export function redirect(
  location: string,
  {
    status = 302,
    cookies = [],
  }: { readonly status?: 302 | 303; readonly cookies?: readonly string[] } = {},
): Content {
  return { status, body: null, headers: { Location: location }, cookies };
}
