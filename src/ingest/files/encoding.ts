import { isUtf8 } from 'node:buffer';
import type { ByteSource } from './source.ts';
import type { Encoding } from './table.ts';

/**
 * Detects the encoding of a text by the mark or the zero bytes of UTF-16, else by valid UTF-8; any other text is CP949.
 * A mark of UTF-8 proves nothing: some programs put it before CP949. It reads the whole file, because the first Korean
 * character may follow megabytes of ASCII. `isMarked` is true if something beside the text declares it UTF-8; `onUtf8`
 * receives the chunks of valid UTF-8.
 */
export async function detectEncoding(
  source: ByteSource,
  isMarked = false,
  onUtf8: (chunk: Buffer) => void = () => {},
): Promise<Encoding> {
  const counts = { valid: 0, invalid: 0, bytesRead: 0 };
  let carry: Buffer = Buffer.alloc(0);
  let isFirst = true;
  let ratio = isMarked ? markedRatio : damagedRatio;
  for await (const chunk of source.open()) {
    if (isFirst) {
      const encoding = encodingOfHead(chunk);
      if (encoding !== null && encoding !== 'utf-8') return encoding;
      if (encoding === 'utf-8') ratio = markedRatio;
      isFirst = false;
    }
    const bytes = carry.length === 0 ? chunk : Buffer.concat([carry, chunk]);
    const end = completeUtf8Length(bytes);
    carry = bytes.subarray(end);
    const complete = bytes.subarray(0, end);
    if (isUtf8(complete)) {
      if (counts.valid < validMax) counts.valid += countMultibyte(complete);
      onUtf8(complete);
    } else {
      countSequences(complete, counts);
    }
    if (counts.invalid > 0) counts.bytesRead += complete.length;
    if (counts.bytesRead > decisionBytes) break;
  }
  counts.invalid += counts.bytesRead > decisionBytes ? 0 : carry.length;
  if (counts.invalid === 0) return 'utf-8';
  return counts.valid >= counts.invalid * ratio ? 'utf-8' : 'cp949';
}

/** Detects the encoding of a text that is in memory, by the rule of `detectEncoding`. */
export function encodingOf(bytes: Buffer): Encoding {
  const encoding = encodingOfHead(bytes);
  if (encoding !== null) return encoding;
  if (isUtf8(bytes)) return 'utf-8';
  const counts = { valid: 0, invalid: 0 };
  countSequences(bytes, counts);
  return counts.valid >= counts.invalid * damagedRatio ? 'utf-8' : 'cp949';
}

/** Encoding by the byte order mark or the zero bytes of UTF-16; null if the rest of the file must decide. */
export function encodingOfHead(head: Buffer): Encoding | null {
  if (hasUtf8Mark(head)) return 'utf-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return utf16WithoutMark(head);
}

/** True if the bytes begin with the byte order mark of UTF-8. */
export function hasUtf8Mark(head: Buffer): boolean {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
}

/** Length of `bytes` without an incomplete UTF-8 sequence at the end. */
export function completeUtf8Length(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Bytes that are read after the first invalid one; CP949 is recognised within a line. */
const decisionBytes = 1024 * 1024;
/**
 * Minimum ratio of valid sequences to invalid bytes in damaged UTF-8. In CP949 text, at most one character in fifteen
 * is a valid UTF-8 sequence by chance.
 */
const damagedRatio = 2;
/** Minimum ratio for a text with a mark of UTF-8: a single damaged byte must not outweigh the mark. */
const markedRatio = 0.5;
/** Counting stops here: no CP949 text has this many valid UTF-8 sequences. */
const validMax = 1_000_000;

/** Recognises UTF-16 without a mark: it has zero bytes for ASCII, and only the right byte order gives Korean text. */
function utf16WithoutMark(head: Buffer): Encoding | null {
  const sample = Buffer.from(head.subarray(0, Math.min(4096, head.length - (head.length % 2))));
  const zeros = sample.reduce((sum, byte) => (byte === 0 ? sum + 1 : sum), 0);
  if (zeros < sample.length * 0.05) return null;
  if (isKoreanText(sample.toString('utf16le'))) return 'utf-16le';
  return isKoreanText(sample.swap16().toString('utf16le')) ? 'utf-16be' : null;
}

/** True if nearly all characters are ones that Korean data uses. */
function isKoreanText(text: string): boolean {
  const letters = text.match(/[\t\r\n -~·…“”‘’※\u3000-\u303f가-힣ㄱ-ㆎ一-鿿！-～]/gu);
  return (letters?.length ?? 0) >= text.length * 0.95;
}

function countMultibyte(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte >= 0xc0) count += 1;
  return count;
}

/** Counts the valid UTF-8 sequences of two or more bytes, and the invalid bytes. */
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
