/**
 * A store of objects by key: a bucket, a folder, or a website that is read only. Every method throws a `StoreFault` if
 * the store does not answer as it should.
 */
export interface ObjectStore {
  /** Its address in messages, without credentials. */
  readonly name: string;
  /** Reads a small object; `unchanged` if its tag is still `knownTag`, null if there is none. */
  read(key: string, options: ReadOptions): Promise<TaggedBytes | 'unchanged' | null>;
  /** Opens an object from a position; null if there is none. A store may start at 0 instead. */
  open(key: string, options: OpenOptions): Promise<ObjectBytes | null>;
  has(key: string, signal?: AbortSignal): Promise<boolean>;
  write(key: string, content: ObjectContent, options?: WriteOptions): Promise<void>;
  /** Replaces a small object that has this tag, or creates it for null; null if its tag is another one. */
  replace(
    key: string,
    bytes: Buffer,
    tag: string | null,
    signal?: AbortSignal,
  ): Promise<string | null>;
  remove(key: string, signal?: AbortSignal): Promise<void>;
}

export interface TaggedBytes {
  readonly bytes: Buffer;
  /** Differs between contents. */
  readonly tag: string;
}

export interface ReadOptions {
  readonly bytesMax: number;
  readonly knownTag?: string | null;
  readonly signal?: AbortSignal | undefined;
}

export interface OpenOptions {
  readonly from: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ObjectBytes {
  /** Position of the first byte in the object. */
  readonly from: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Content of an object: bytes, or a file with its SHA-256. */
export type ObjectContent =
  { readonly bytes: Buffer } | { readonly path: string; readonly sha256: string };

export interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
}

export type StoreFaultCode =
  | 'refused'
  | 'unreachable'
  | 'slow'
  | 'wrong_bytes'
  | 'missing_object'
  | 'newer_format'
  | 'unreadable'
  | 'disk_full'
  | 'busy'
  | 'failed';

/** A store, or a snapshot in it, cannot be used. The message is a sentence without credentials. */
export class StoreFault extends Error {
  readonly code: StoreFaultCode;

  constructor(code: StoreFaultCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreFault';
    this.code = code;
  }
}

/** True for a fault of the way to a store, which another try may not meet. */
export function isTemporaryFault(error: unknown): boolean {
  return error instanceof StoreFault && (error.code === 'unreachable' || error.code === 'slow');
}

/** True for a fault of an object, which is there no more or has other content. */
export function isDamage(error: unknown): boolean {
  return error instanceof StoreFault && damages.includes(error.code);
}

const damages: readonly StoreFaultCode[] = ['missing_object', 'wrong_bytes', 'unreadable'];
