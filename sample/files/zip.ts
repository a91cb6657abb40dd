import { crc32, deflateRawSync } from 'node:zlib';
import iconv from 'iconv-lite';

/**
 * A ZIP as Korean Windows writes it: names in CP949 without the flag of UTF-8. Its date is fixed, so that the same
 * entries give the same bytes.
 */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const encodedName = iconv.encode(name, 'cp949');
    const packed = deflateRawSync(bytes);
    const head = headOf(encodedName, bytes, packed);
    parts.push(Buffer.concat([signature(0x04034b50), head, encodedName, packed]));
    directory.push(centralEntry(head, encodedName, offset));
    offset += 4 + head.length + encodedName.length + packed.length;
  }
  const central = Buffer.concat(directory);
  return Buffer.concat([...parts, central, endOf(entries.length, central.length, offset)]);
}

interface ZipEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

/** 2026-09-30 09:00 in the format of DOS. */
const dosTime = 9 << 11;
const dosDate = ((2026 - 1980) << 9) | (9 << 5) | 30;

/** The 26 bytes, from version to lengths, that local and central headers share. */
function headOf(name: Buffer, bytes: Buffer, packed: Buffer): Buffer {
  const head = Buffer.alloc(26);
  head.writeUInt16LE(20, 0);
  head.writeUInt16LE(8, 4);
  head.writeUInt16LE(dosTime, 6);
  head.writeUInt16LE(dosDate, 8);
  head.writeUInt32LE(crc32(bytes), 10);
  head.writeUInt32LE(packed.length, 14);
  head.writeUInt32LE(bytes.length, 18);
  head.writeUInt16LE(name.length, 22);
  return head;
}

function centralEntry(head: Buffer, name: Buffer, offset: number): Buffer {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([signature(0x02014b50), Buffer.from([20, 0]), head, rest, name]);
}

function endOf(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(18);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([signature(0x06054b50), end]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
