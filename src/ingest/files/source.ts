import { createReadStream, existsSync } from 'node:fs';
import { extname } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FileLimits } from './limits.ts';
import { pathOnDisk } from './path-on-disk.ts';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused } from './refused.ts';
import { refusalOfFileError } from './steady-file.ts';

/** Bytes that can be read from the start repeatedly, because readers detect encoding and width before the rows. */
export interface ByteSource {
  /** For messages: the path, or the path inside an archive. */
  readonly name: string;
  /** Path of a file on disk; absent for bytes that are inflated or decoded. */
  readonly path?: string;
  /** Reads from the start; throws `FileRefused` if the bytes cannot be read. */
  open(): AsyncIterable<Buffer>;
}

const chunkBytes = 64 * 1024;

/** A file on disk. */
export function fileSource(path: string): ByteSource {
  return {
    name: path,
    path,
    async *open() {
      try {
        const bytes = createReadStream(pathOnDisk(path), { highWaterMark: chunkBytes });
        for await (const chunk of bytes) {
          // Without an encoding a file stream gives buffers only.
          yield chunk as Buffer;
        }
      } catch (error) {
        throw refusalOfFileError(path, error);
      }
    },
  };
}

/** The file on disk with the same name and another ending, in small or capital letters; null if there is none. */
export function sourceBeside(path: string, ending: string): ByteSource | null {
  const stem = path.slice(0, path.length - extname(path).length);
  const beside = [ending, ending.toUpperCase()].map((each) => stem + each);
  const found = beside.find((each) => existsSync(pathOnDisk(each)));
  return found === undefined ? null : fileSource(found);
}

/** The content of a gzip file, bounded while it is inflated. */
export function gunzipSource(source: ByteSource, limits: FileLimits): ByteSource {
  return { name: source.name, open: () => gunzip(source, limits) };
}

/** A source from its first bracket on, in an encoding that has ASCII as single bytes. */
export function fromFirstBracket(source: ByteSource): ByteSource {
  return {
    name: source.name,
    async *open() {
      let isFound = false;
      for await (const bytes of source.open()) {
        if (isFound) yield bytes;
        else {
          const start = bytes.findIndex((byte) => byte === 0x5b || byte === 0x7b);
          isFound = start >= 0;
          if (isFound) yield bytes.subarray(start);
        }
      }
    },
  };
}

/** The first bytes of a source, at most `bytes` of them. */
export async function readHead(source: ByteSource, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source.open()) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= bytes) break;
  }
  return Buffer.concat(chunks).subarray(0, bytes);
}

/** All bytes of a source; refused with `too_large` past `bytesMax`. */
export async function readAll(source: ByteSource, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source.open()) {
    length += chunk.length;
    if (length > bytesMax) {
      throw new FileRefused('too_large', refusalTexts.archiveTooLarge(source.name, bytesMax));
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Refuses inflated data that is too large, or too large for its packed size. Both sizes are counted, not declared. */
export function checkExpansion(
  name: string,
  inflated: number,
  packed: number,
  limits: FileLimits,
): void {
  if (inflated > limits.expandedBytesMax) {
    throw new FileRefused('zip_bomb', refusalTexts.inflatesTooFar(name, limits.expandedBytesMax));
  }
  const isRatioChecked = inflated > limits.expansionRatioFromBytes;
  if (isRatioChecked && inflated > packed * limits.expansionRatioMax) {
    throw new FileRefused('zip_bomb', refusalTexts.inflatesTooMuch(name, limits.expansionRatioMax));
  }
}

async function* gunzip(source: ByteSource, limits: FileLimits): AsyncIterable<Buffer> {
  let packed = 0;
  let inflated = 0;
  const countPacked = async function* (): AsyncIterable<Buffer> {
    for await (const chunk of source.open()) {
      packed += chunk.length;
      yield chunk;
    }
  };
  const output = pipeline(
    Readable.from(countPacked(), { objectMode: false }),
    createGunzip({ chunkSize: chunkBytes }),
    // The loop below receives the same error; `pipeline` requires a callback.
    () => undefined,
  );
  try {
    for await (const chunk of output) {
      // Gunzip without an encoding gives buffers only.
      const bytes = chunk as Buffer;
      inflated += bytes.length;
      checkExpansion(source.name, inflated, packed, limits);
      yield bytes;
    }
  } catch (error) {
    throw gzipRefusal(source.name, error);
  }
}

function gzipRefusal(name: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const options = { cause: error };
  if (code === 'Z_BUF_ERROR') {
    return new FileRefused('truncated', refusalTexts.gzipTruncated(name), options);
  }
  if (code !== 'Z_DATA_ERROR') return error;
  return new FileRefused('damaged', refusalTexts.notGzip(name), options);
}
