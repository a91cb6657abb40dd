import { isUtf8 } from 'node:buffer';
import type { ByteSource } from './source.ts';
import type { Encoding } from './table.ts';

/**
 * The encoding of a whole text: byte order mark, then UTF-16 where it is obvious, then strict UTF-8, then
 * CP949. All bytes are looked at, because a file may be ASCII for megabytes before its first Korean name.
 */
export async function detectEncoding(source: ByteSource): Promise<Encoding> {
  const counts = { valid: 0, invalid: 0, judged: 0 };
  let carry: Buffer = Buffer.alloc(0);
  let first = true;
  for await (const chunk of source.open()) {
    if (first) {
      const known = encodingOfHead(chunk);
      if (known !== null) return known;
      first = false;
    }
    const bytes = carry.length === 0 ? chunk : Buffer.concat([carry, chunk]);
    const end = completeUtf8Length(bytes);
    carry = bytes.subarray(end);
    const complete = bytes.subarray(0, end);
    if (isUtf8(complete)) {
      if (counts.valid < validEnough) counts.valid += countMultibyte(complete);
    } else {
      countSequences(complete, counts);
    }
    if (counts.invalid > 0) counts.judged += complete.length;
    if (counts.judged > judgedBytes) break;
  }
  counts.invalid += counts.judged > judgedBytes ? 0 : carry.length;
  if (counts.invalid === 0) return 'utf-8';
  return counts.valid >= counts.invalid * damagedRatio ? 'utf-8' : 'cp949';
}

/** By byte order mark or by the zeros of UTF-16; null if the rest of the file must decide. */
export function encodingOfHead(head: Buffer): Encoding | null {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return utf16WithoutMark(head);
}

/** Length of `bytes` without a UTF-8 sequence that the end cuts through. */
export function completeUtf8Length(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return wanted > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Bytes read past the first invalid one before a decision: CP949 is recognised within a line. */
const judgedBytes = 1024 * 1024;
/**
 * Damaged UTF-8 (a letter cut in two here and there) has more valid sequences than invalid bytes; of CP949
 * text at most one letter in fifteen happens to be one.
 */
const damagedRatio = 2;
/** Counting stops here: no CP949 text passes for this many UTF-8 letters. */
const validEnough = 1_000_000;

/** UTF-16 has zeros where its ASCII is, and reads as letters from one side only. */
function utf16WithoutMark(head: Buffer): Encoding | null {
  const sample = Buffer.from(head.subarray(0, Math.min(4096, head.length - (head.length % 2))));
  const zeros = sample.reduce((sum, byte) => (byte === 0 ? sum + 1 : sum), 0);
  if (zeros < sample.length * 0.05) return null;
  if (isWriting(sample.toString('utf16le'))) return 'utf-16le';
  return isWriting(sample.swap16().toString('utf16le')) ? 'utf-16be' : null;
}

/** True if nearly all characters are of the kind Korean data is written in. */
function isWriting(text: string): boolean {
  const letters = text.match(/[\t\r\n -~·…“”‘’※\u3000-\u303f가-힣ㄱ-ㆎ一-鿿！-～]/gu);
  return (letters?.length ?? 0) >= text.length * 0.95;
}

function countMultibyte(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte >= 0xc0) count += 1;
  return count;
}

/** Counts sequences of two bytes and more that are valid UTF-8, and bytes that are not. */
function countSequences(bytes: Buffer, counts: { valid: number; invalid: number }): void {
  let position = 0;
  while (position < bytes.length) {
    const byte = bytes[position] ?? 0;
    if (byte < 0x80) {
      position += 1;
      continue;
    }
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 0;
    if (length > 0 && isUtf8(bytes.subarray(position, position + length))) {
      counts.valid += 1;
      position += length;
    } else {
      counts.invalid += 1;
      position += 1;
    }
  }
}
