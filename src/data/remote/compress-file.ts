import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';

/** Compresses a file by zstd into another one, and returns the hashes of both. */
export async function compressFile(
  from: string,
  to: string,
): Promise<{ bytes: number; sha256: string; plainSha256: string }> {
  const plain = createHash('sha256');
  const compressed = createHash('sha256');
  let bytes = 0;
  await pipeline(
    createReadStream(from, { highWaterMark: blockBytes }),
    async function* (blocks: AsyncIterable<Buffer>) {
      for await (const block of blocks) {
        plain.update(block);
        yield block;
      }
    },
    createZstdCompress(),
    async function* (blocks: AsyncIterable<Buffer>) {
      for await (const block of blocks) {
        compressed.update(block);
        bytes += block.length;
        yield block;
      }
    },
    createWriteStream(to),
  );
  return { bytes, sha256: compressed.digest('hex'), plainSha256: plain.digest('hex') };
}

/** SHA-256 of a file, hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const block of createReadStream(path, { highWaterMark: blockBytes })) {
    // A stream without an encoding reads buffers.
    hash.update(block as Buffer);
  }
  return hash.digest('hex');
}

const blockBytes = 1 << 20;
