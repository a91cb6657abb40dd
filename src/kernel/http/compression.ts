import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
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

/** Compresses a response, and caches the body under its tag and coding. */
export function compressContent(
  cache: ByteCache<CompressedBody>,
  { type = '', headers = {}, body }: Content,
  validity: Validity,
  coding: Coding,
): Content | Promise<Content> {
  const store = (compressedBody: Buffer): Content => {
    const entry: CompressedBody = { type, headers, body: compressedBody };
    cache.set(`${validity.tag}-${coding}`, entry, bytesInMemory(entry));
    return { ...entry, validity, coding };
  };
  const compressed = compress(typeof body === 'string' ? Buffer.from(body) : body!, coding);
  return compressed instanceof Promise ? compressed.then(store) : store(compressed);
}

/** Compresses a body piece by piece, at the pace at which the result is read. */
export async function* compressPieces(
  pieces: AsyncIterable<Uint8Array>,
  coding: Coding,
): AsyncGenerator<Uint8Array, void> {
  const { createCoder, options } = coders[coding];
  const coder = createCoder(options);
  // A failure of the source destroys the coder with its error, and reading ends with it.
  const source = pipeline(Readable.from(pieces, { objectMode: true }), coder).catch(
    () => undefined,
  );
  try {
    yield* coder as AsyncIterable<Uint8Array>;
  } finally {
    coder.destroy();
    await source;
  }
}

/** Estimated bytes of an entry: the body, two bytes for each character of a header, and the entry itself. */
function bytesInMemory({ body, type, headers }: CompressedBody): number {
  let characters = type.length;
  for (const name in headers) characters += name.length + headers[name]!.length;
  return body.buffer.byteLength + 2 * characters + entryBytes;
}

const entryBytes = 512;

/** Compresses a short body synchronously, and a long one on the thread pool, so that other requests do not wait. */
export function compress(body: Uint8Array, coding: Coding): Buffer | Promise<Buffer> {
  const { compressNow, compressOnPool, options } = coders[coding];
  return body.length <= limits.compressNowBytesMax
    ? copyToOwnBuffer(compressNow(body, options))
    : compressOnPool(body, options).then(copyToOwnBuffer);
}

/**
 * Copies the codec's result out of its 64 KiB of working memory, which a cached slice would keep alive.
 */
function copyToOwnBuffer(slice: Buffer): Buffer {
  if (slice.buffer.byteLength === slice.length) return slice;
  // `Buffer.from(slice)` would take a slice of Node's pool, with the same effect.
  return Buffer.from(new Uint8Array(slice).buffer);
}

const { constants } = zlib;

/** Each body is compressed once. Past these levels more time saves few bytes of Korean JSON. */
const coders = {
  zstd: {
    compressNow: zlib.zstdCompressSync,
    compressOnPool: promisify(zlib.zstdCompress),
    createCoder: zlib.createZstdCompress,
    options: { params: { [constants.ZSTD_c_compressionLevel]: 3 } },
  },
  br: {
    compressNow: zlib.brotliCompressSync,
    compressOnPool: promisify(zlib.brotliCompress),
    createCoder: zlib.createBrotliCompress,
    options: {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    },
  },
  gzip: {
    compressNow: zlib.gzipSync,
    compressOnPool: promisify(zlib.gzip),
    createCoder: zlib.createGzip,
    options: { level: 6 },
  },
} as const satisfies Record<
  Coding,
  {
    compressNow: (body: Uint8Array, options: object) => Buffer;
    compressOnPool: (body: Uint8Array, options: object) => Promise<Buffer>;
    createCoder: (options: object) => Transform;
    options: object;
  }
>;
