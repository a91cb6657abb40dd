import iconv from 'iconv-lite';
import { completeUtf8Length, hasUtf8Mark } from './encoding.ts';
import { mixedLines, type TextDecoding } from './mixed-lines.ts';
import type { ByteSource } from './source.ts';
import type { Encoding } from './table.ts';

/**
 * Reads the text of a source in pieces, in NFC and without a byte order mark. `onOtherLine` receives the number of each
 * line in another encoding than the rest. Bytes that encode no character become U+FFFD, as does NUL inside a text; NULs
 * that fill up a cell of fixed width are removed.
 *
 * iconv-lite decodes CP949: Node's own `euc-kr` knows only KS X 1001 and loses 뷁, 샾 or 햑.
 */
export async function* readText(
  source: ByteSource,
  encoding: Encoding,
  onOtherLine: (line: number) => void = () => {},
): AsyncIterable<string> {
  const decoder = decoders[encoding](onOtherLine);
  let carry = '';
  let isFirst = true;
  for await (const bytes of source.open()) {
    // Before CP949 the mark of UTF-8 is three bytes of no character.
    const isMarked = isFirst && encoding === 'cp949' && hasUtf8Mark(bytes);
    let text = carry + decoder.write(isMarked ? bytes.subarray(3) : bytes);
    if (isFirst && text.length > 0) {
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
      isFirst = false;
    }
    const cut = lastAscii(text);
    carry = text.slice(cut);
    if (cut > 0) yield cleanText(text.slice(0, cut));
  }
  const rest = carry + decoder.end();
  if (rest.length > 0) yield cleanText(isFirst ? rest.replace(/^\ufeff/, '') : rest);
}

/** Reads the first text of a source, at least `units` UTF-16 units if it has as many. */
export async function readTextHead(
  source: ByteSource,
  encoding: Encoding,
  units: number,
): Promise<{ text: string; isWhole: boolean }> {
  let text = '';
  for await (const piece of readText(source, encoding)) {
    text += piece;
    if (text.length >= units) return { text, isWhole: false };
  }
  return { text, isWhole: true };
}

const decoders: Readonly<Record<Encoding, (onOther: (line: number) => void) => TextDecoding>> = {
  'utf-8': (onOther) => mixedLines('utf-8', utf8Decoding(), onOther),
  cp949: (onOther) => mixedLines('cp949', legacyDecoding('cp949'), onOther),
  'utf-16le': () => utf16Decoding('utf-16le'),
  'utf-16be': () => utf16Decoding('utf-16be'),
};

function cleanText(text: string): string {
  let clean = text.normalize('NFC');
  if (clean.includes('\0')) clean = clean.replace(fillingNul, '').replaceAll('\0', '\ufffd');
  return clean.includes('\ufeff') ? clean.replace(markOfPart, '') : clean;
}

/** A byte order mark at the start of a line, where files were joined; a quote after it opens a cell. */
const markOfPart = /(?<=^|[\r\n])\ufeff+/gu;
/** NULs before the end of a cell, a line or the text. A run is tried once, from its first one. */
// oxlint-disable-next-line no-control-regex -- NUL is the point.
const fillingNul = /(?<!\0)\0+(?=[,;|\t"'\r\n]|$)/gu;

/** Position of the last ASCII character that follows no NUL: a cut before it divides no decomposed character and no NULs. */
function lastAscii(text: string): number {
  const first = Math.max(0, text.length - carryUnitsMax);
  for (let position = text.length - 1; position >= first; position--) {
    const isAfterNul = text.charCodeAt(position - 1) === 0;
    if (text.charCodeAt(position) < 0x80 && !isAfterNul) return position;
  }
  return text.length;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Maximum length without an ASCII character; a longer text is cut at its end. */
const carryUnitsMax = 4096;

/** Decodes UTF-8 by Buffer, several times faster than a streaming TextDecoder; sequences at a cut are carried over. */
function utf8Decoding(): TextDecoding {
  let carry: Buffer = Buffer.alloc(0);
  return {
    write(bytes) {
      const all = carry.length === 0 ? bytes : Buffer.concat([carry, bytes]);
      const end = completeUtf8Length(all);
      // Copied, because the stream may reuse the chunk.
      carry = Buffer.from(all.subarray(end));
      return all.toString('utf8', 0, end);
    },
    end: () => carry.toString('utf8'),
  };
}

function legacyDecoding(name: string): TextDecoding {
  // The caller removes the byte order mark, for all encodings alike.
  const decoder = iconv.getDecoder(name, { stripBOM: false });
  return {
    write: (bytes) => decoder.write(bytes),
    end: () => decoder.end() ?? '',
  };
}

/** Decodes UTF-16. A lone surrogate becomes U+FFFD; a surrogate pair across two chunks is kept whole. */
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
