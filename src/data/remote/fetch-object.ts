import {
  closeSync,
  createReadStream,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { ByteSink } from '../byte-sink.ts';
import type { FileFacts } from '../snapshot/layout.ts';
import { isTemporaryFault, StoreFault, type ObjectStore } from './object-store.ts';
import { isPlain, objectKey, wrongBytes } from './stored-manifest.ts';

/**
 * Fetches a file of a snapshot into `folder` under its hash, and returns the bytes that were transferred. A part that
 * an earlier try fetched is not fetched again. Other bytes than the hash names are fetched a second time, from the
 * start, before they are refused: the part may be of another compression of the same file.
 */
export async function fetchObject(
  store: ObjectStore,
  path: string,
  facts: FileFacts,
  folder: string,
  signal?: AbortSignal,
): Promise<number> {
  const key = objectKey(path, facts);
  const part = join(folder, `${facts.sha256}.part`);
  let transferred = 0;
  for (let tries = 1; tries <= 2; tries++) {
    transferred += await fetchPart(store, key, part, packedBytesMax(facts.bytes), signal);
    if (await unpack(part, join(folder, facts.sha256), facts, isPlain(path), signal)) {
      return transferred;
    }
  }
  throw wrongBytes(store, key);
}

const triesMax = 5;

/** Most bytes that zstd needs for so many plain ones, with room to spare. */
function packedBytesMax(bytes: number): number {
  return bytes + bytes / 128 + 65_536;
}

/**
 * Fetches the rest of an object into its part, and goes on after the connection breaks. Of an object that is too long
 * to be right only the start is fetched, so that it does not fill the disk.
 */
async function fetchPart(
  store: ObjectStore,
  key: string,
  part: string,
  bytesMax: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  let transferred = 0;
  for (let tries = 1; ; tries++) {
    const size = statSync(part, { throwIfNoEntry: false })?.size ?? 0;
    const object = await store.open(key, { from: size, signal });
    if (object === null) {
      throw new StoreFault(
        'missing_object',
        `${store.name}: ${key} is not there, although a snapshot names it. Repair it with ./maru snapshot push --again.`,
      );
    }
    const descriptor = openSync(part, object.from === 0 ? 'w' : 'a');
    let stored = object.from;
    try {
      for await (const piece of object.body) {
        writeAll(descriptor, piece);
        stored += piece.length;
        transferred += piece.length;
        if (stored > bytesMax) break;
      }
      return transferred;
    } catch (error) {
      if (!isTemporaryFault(error) || tries === triesMax) throw error;
    } finally {
      closeSync(descriptor);
    }
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    written += writeSync(descriptor, bytes, written, bytes.length - written);
  }
}

/** Unpacks a complete part to `target` and removes it. False if it has other bytes than the facts name. */
async function unpack(
  part: string,
  target: string,
  facts: FileFacts,
  isPlainFile: boolean,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const newPath = `${target}.new`;
  rmSync(newPath, { force: true });
  using sink = new ByteSink(newPath);
  const isSized = await unpackInto(sink, part, facts.bytes, isPlainFile, signal);
  const written = sink.close();
  rmSync(part);
  if (!isSized || written.bytes !== facts.bytes || written.sha256 !== facts.sha256) {
    rmSync(newPath);
    return false;
  }
  renameSync(newPath, target);
  return true;
}

/** Writes the plain bytes of a part; false if there are more than `bytesMax`, or if it is no zstd. */
async function unpackInto(
  sink: ByteSink,
  part: string,
  bytesMax: number,
  isPlainFile: boolean,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const write = async (blocks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const block of blocks) {
      if (sink.position + block.length > bytesMax) throw new TooLong();
      sink.write(block);
    }
  };
  const from = createReadStream(part, { highWaterMark: 1 << 20 });
  try {
    await (isPlainFile
      ? pipeline(from, write, { signal })
      : pipeline(from, createZstdDecompress(), write, { signal }));
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (error instanceof TooLong || code.startsWith('ZSTD_') || code === 'Z_BUF_ERROR')
      return false;
    throw error;
  }
}

class TooLong extends Error {}
