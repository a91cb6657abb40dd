import { finished } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A file of an archive; its content is read once, while it is written. */
interface ZipEntry {
  /** ASCII path with `/`. */
  readonly name: string;
  readonly content: AsyncIterable<string> | Iterable<string>;
}

/**
 * Writes a ZIP archive entry by entry (APPNOTE 6.3.10). Sizes and checksums follow the data, since they are not known
 * before. More than 4 GiB are an error, because the archive has no 64-bit sizes.
 */
export async function* zipStream(entries: Iterable<ZipEntry>): AsyncGenerator<Uint8Array, void> {
  const directory: Buffer[] = [];
  let position = 0;
  for (const { name, content } of entries) {
    const offset = position;
    const head = localHeader(name);
    position += head.length;
    yield head;
    const facts = { checksum: 0, packed: 0, unpacked: 0 };
    for await (const piece of deflate(content, facts)) {
      position += piece.length;
      yield piece;
    }
    if (Math.max(facts.unpacked, position) > sizeMax) {
      throw new Error('The workbook is larger than 4 GiB. Download CSV or Parquet instead.');
    }
    const descriptor = uint32s(descriptorSignature, facts.checksum, facts.packed, facts.unpacked);
    position += descriptor.length;
    yield descriptor;
    directory.push(directoryHeader(name, facts, offset));
  }
  const list = Buffer.concat(directory);
  yield list;
  yield Buffer.concat([
    uint32s(endSignature, 0),
    uint16s(directory.length, directory.length),
    uint32s(list.length, position),
    uint16s(0),
  ]);
}

interface EntryFacts {
  checksum: number;
  packed: number;
  unpacked: number;
}

/** Deflates texts at the pace at which the result is read, and writes the checksum and sizes to `facts`. */
async function* deflate(content: ZipEntry['content'], facts: EntryFacts) {
  const coder = createDeflateRaw({ level: 3, chunkSize: 65_536 });
  const countBytes = async function* (): AsyncGenerator<Buffer, void> {
    for await (const text of content) {
      const bytes = Buffer.from(text);
      facts.checksum = crc32(bytes, facts.checksum);
      facts.unpacked += bytes.length;
      yield bytes;
    }
  };
  const source = Readable.from(countBytes(), { highWaterMark: 1 });
  source.on('error', (error) => coder.destroy(error));
  source.pipe(coder);
  try {
    for await (const piece of coder as AsyncIterable<Buffer>) {
      facts.packed += piece.length;
      yield piece;
    }
  } finally {
    // The client may have gone, so no more records are read.
    source.destroy();
    coder.destroy();
    await finished(source).catch(() => undefined);
  }
}

function localHeader(name: string): Buffer {
  const start = Buffer.concat([uint32s(localSignature), commonHeader(0, 0, 0)]);
  return Buffer.concat([start, uint16s(name.length, 0), Buffer.from(name)]);
}

function directoryHeader(name: string, facts: EntryFacts, offset: number): Buffer {
  return Buffer.concat([
    uint32s(directorySignature),
    uint16s(version),
    commonHeader(facts.checksum, facts.packed, facts.unpacked),
    uint16s(name.length, 0, 0, 0, 0),
    uint32s(0, offset),
    Buffer.from(name),
  ]);
}

/** Version, flags, method, time and date, checksum and sizes. Equal records give equal bytes, so the time is fixed. */
function commonHeader(checksum: number, packed: number, unpacked: number): Buffer {
  return Buffer.concat([
    uint16s(version, sizesFollow, methodDeflate, 0, firstDay),
    uint32s(checksum, packed, unpacked),
  ]);
}

const localSignature = 0x04034b50;
const descriptorSignature = 0x08074b50;
const directorySignature = 0x02014b50;
const endSignature = 0x06054b50;
const version = 20;
const sizesFollow = 1 << 3;
const methodDeflate = 8;
/** 1980-01-01, the first day that the format knows. */
const firstDay = 0x21;
const sizeMax = 0xffff_ffff;

function uint16s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) bytes.writeUInt16LE(value, at * 2);
  return bytes;
}

function uint32s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, at * 4);
  return bytes;
}
