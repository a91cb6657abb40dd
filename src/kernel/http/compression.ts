import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { ByteCache } from '../byte-cache.ts';
import { limits } from './limits.ts';
import type { Coding } from './preferences.ts';
import type { Content, Validity } from './result.ts';

/** A compressed body with the type and the headers of its content. */
export interface CompressedBody {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A content in one coding; the compressed body stays in memory under its tag. */
export function compressContent(
  cache: ByteCache<CompressedBody>,
  { type = '', headers = {}, body }: Content,
  validity: Validity,
  coding: Coding,
): Content | Promise<Content> {
  const store = (compressed: Buffer): Content => {
    const entry: CompressedBody = { type, headers, body: compressed };
    cache.set(`${validity.tag}-${coding}`, entry, bytesInMemory(entry));
    return { ...entry, validity, coding };
  };
  const compressed = compress(typeof body === 'string' ? Buffer.from(body) : body!, coding);
  return compressed instanceof Promise ? compressed.then(store) : store(compressed);
}

/** The body, two bytes for each character of a header, and the entry itself. */
function bytesInMemory({ body, type, headers }: CompressedBody): number {
  let characters = type.length;
  for (const name in headers) characters += name.length + headers[name]!.length;
  return body.buffer.byteLength + 2 * characters + entryBytes;
}

const entryBytes = 512;

/** A body in one coding. Short ones at once, long ones on the thread pool so that others are not kept waiting. */
export function compress(body: Uint8Array, coding: Coding): Buffer | Promise<Buffer> {
  const { now, later, options } = coders[coding];
  return body.length <= limits.compressNowBytesMax
    ? ownBytes(now(body, options))
    : later(body, options).then(ownBytes);
}

/**
 * The codec returns a slice of its 64 KiB of working memory: stored as it is, 1 KB would keep all of it alive.
 */
function ownBytes(slice: Buffer): Buffer {
  if (slice.buffer.byteLength === slice.length) return slice;
  // Not `Buffer.from(slice)`: that would take a part of the pool, with the same effect.
  return Buffer.from(new Uint8Array(slice).buffer);
}

const { constants } = zlib;

/** Levels where more time stops paying on pages of Korean JSON; each body is made once and kept. */
const coders = {
  zstd: {
    now: zlib.zstdCompressSync,
    later: promisify(zlib.zstdCompress),
    options: { params: { [constants.ZSTD_c_compressionLevel]: 3 } },
  },
  br: {
    now: zlib.brotliCompressSync,
    later: promisify(zlib.brotliCompress),
    options: {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    },
  },
  gzip: { now: zlib.gzipSync, later: promisify(zlib.gzip), options: { level: 6 } },
} as const satisfies Record<
  Coding,
  {
    now: (body: Uint8Array, options: object) => Buffer;
    later: (body: Uint8Array, options: object) => Promise<Buffer>;
    options: object;
  }
>;
