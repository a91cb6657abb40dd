import iconv from 'iconv-lite';
import { completeUtf8Length } from './encoding.ts';
import { mixedLines, type TextDecoding } from './mixed-lines.ts';
import type { ByteSource } from './source.ts';
import type { Encoding } from './table.ts';

/**
 * The text of a source in pieces: without byte order mark, in NFC (names typed on a Mac come decomposed).
 * `onOtherLine` receives the number of each line that is in another encoding than the rest.
 * Bytes that are no character come out as U+FFFD, and so does NUL, which no text has a use for.
 *
 * CP949 is decoded by iconv-lite: Node's own `euc-kr` knows KS X 1001 only, and 뷁, 샾 or 햑 would be lost.
 */
export async function* readText(
  source: ByteSource,
  encoding: Encoding,
  onOtherLine: (line: number) => void = () => {},
): AsyncIterable<string> {
  const decoder = decoders[encoding](onOtherLine);
  let held = '';
  let first = true;
  for await (const bytes of source.open()) {
    let text = held + decoder.write(bytes);
    if (first && text.length > 0) {
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
      first = false;
    }
    const cut = lastAscii(text);
    held = text.slice(cut);
    if (cut > 0) yield clean(text.slice(0, cut));
  }
  const rest = held + decoder.end();
  if (rest.length > 0) yield clean(first ? rest.replace(/^\ufeff/, '') : rest);
}

/** The first text of a source, at least `units` long where there is that much. */
export async function readTextHead(
  source: ByteSource,
  encoding: Encoding,
  units: number,
): Promise<{ text: string; whole: boolean }> {
  let text = '';
  for await (const piece of readText(source, encoding)) {
    text += piece;
    if (text.length >= units) return { text, whole: false };
  }
  return { text, whole: true };
}

const decoders: Readonly<Record<Encoding, (onOther: (line: number) => void) => TextDecoding>> = {
  'utf-8': (onOther) => mixedLines('utf-8', utf8Decoding(), onOther),
  cp949: (onOther) => mixedLines('cp949', legacyDecoding('cp949'), onOther),
  'utf-16le': () => utf16Decoding('utf-16le'),
  'utf-16be': () => utf16Decoding('utf-16be'),
};

function clean(text: string): string {
  const normal = text.normalize('NFC');
  return normal.includes('\0') ? normal.replaceAll('\0', '\ufffd') : normal;
}

/** Position before the last ASCII character, where no letter is composed across a cut. */
function lastAscii(text: string): number {
  const least = Math.max(0, text.length - heldUnitsMax);
  for (let position = text.length - 1; position >= least; position--) {
    if (text.charCodeAt(position) < 0x80) return position;
  }
  return text.length;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Text without an ASCII character for this long is cut anywhere. */
const heldUnitsMax = 4096;

/** Buffers decode UTF-8 several times faster than a streaming TextDecoder; only cut sequences need care. */
function utf8Decoding(): TextDecoding {
  let carry: Buffer = Buffer.alloc(0);
  return {
    write(bytes) {
      const all = carry.length === 0 ? bytes : Buffer.concat([carry, bytes]);
      const end = completeUtf8Length(all);
      // A copy: the chunk it points into may be used again by the stream.
      carry = Buffer.from(all.subarray(end));
      return all.toString('utf8', 0, end);
    },
    end: () => carry.toString('utf8'),
  };
}

function legacyDecoding(name: string): TextDecoding {
  // The mark is cut off by the caller, so that all encodings go the same way.
  const decoder = iconv.getDecoder(name, { stripBOM: false });
  return {
    write: (bytes) => decoder.write(bytes),
    end: () => decoder.end() ?? '',
  };
}

/** UTF-16 can hold half a surrogate pair, which JSON cannot express; one that a chunk cuts apart is whole. */
function utf16Decoding(name: string): TextDecoding {
  const decoding = legacyDecoding(name);
  let carry = '';
  return {
    write(bytes) {
      const text = carry + decoding.write(bytes);
      const isCut = isHighSurrogate(text.charCodeAt(text.length - 1));
      carry = isCut ? text.slice(-1) : '';
      return (isCut ? text.slice(0, -1) : text).toWellFormed();
    },
    end: () => (carry + decoding.end()).toWellFormed(),
  };
}
