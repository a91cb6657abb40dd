import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';

/** Decoder of bytes that arrive in pieces. */
export interface TextDecoding {
  write(bytes: Buffer): string;
  end(): string;
}

/**
 * Decodes a text line by line, because a table from several sources may have a UTF-8 header and CP949 rows. Lines that
 * are clearly in the other encoding are decoded in it, and `onOther` receives their numbers. A text without line
 * feeds is decoded by `wholeDecoding`.
 */
export function mixedLines(
  main: 'utf-8' | 'cp949',
  wholeDecoding: TextDecoding,
  onOther: (line: number) => void,
): TextDecoding {
  let carry: Buffer = Buffer.alloc(0);
  let isDecodedWhole = false;
  let line = 0;

  /** Decodes lines; `block` ends with a line feed or at the end of the text. */
  function decodeLines(block: Buffer): string {
    if (main === 'utf-8' && isUtf8(block)) {
      line += countLines(block);
      return block.toString('utf8');
    }
    let text = '';
    let from = 0;
    for (let start = 0; start < block.length;) {
      const feed = block.indexOf(lineFeed, start);
      const end = feed < 0 ? block.length : feed + 1;
      line += 1;
      const other = decodeInOther(block.subarray(start, end), main);
      if (other !== null) {
        text += decode(block.subarray(from, start), main) + other;
        from = end;
        onOther(line);
      }
      start = end;
    }
    return text + decode(block.subarray(from), main);
  }

  return {
    write(bytes) {
      if (isDecodedWhole) return wholeDecoding.write(bytes);
      const all = carry.length === 0 ? bytes : Buffer.concat([carry, bytes]);
      const end = all.lastIndexOf(lineFeed) + 1;
      isDecodedWhole = all.length - end > lineBytesMax;
      // Copied, because the stream may reuse the chunk.
      carry = isDecodedWhole ? Buffer.alloc(0) : Buffer.from(all.subarray(end));
      const text = decodeLines(all.subarray(0, end));
      return isDecodedWhole ? text + wholeDecoding.write(all.subarray(end)) : text;
    },
    end: () => (isDecodedWhole ? wholeDecoding.end() : decodeLines(carry)),
  };
}

/** Maximum length of a line; a text with a longer one is decoded as a whole. */
const lineBytesMax = 1024 * 1024;
const lineFeed = 0x0a;

function decode(bytes: Buffer, encoding: 'utf-8' | 'cp949'): string {
  return encoding === 'utf-8' ? bytes.toString('utf8') : iconv.decode(bytes, 'cp949', keepMark);
}

/** The caller removes the byte order mark. */
const keepMark = { stripBOM: false };

function countLines(block: Buffer): number {
  let count = 0;
  for (
    let position = block.indexOf(lineFeed);
    position >= 0;
    position = block.indexOf(lineFeed, position + 1)
  )
    count++;
  return count;
}

/** Text of a line that is in the other encoding than `main`; null if it is in `main` or not clearly in either. */
function decodeInOther(line: Buffer, main: 'utf-8' | 'cp949'): string | null {
  if (main === 'cp949') {
    return isUtf8(line) && hasEnoughLetters(line) ? line.toString('utf8') : null;
  }
  if (isUtf8(line)) return null;
  const text = decode(line, 'cp949');
  return hangulLine.test(text) ? text : null;
}

/** True if a line has enough multibyte characters: one or two may be valid in both encodings by chance. */
function hasEnoughLetters(line: Buffer): boolean {
  let letters = 0;
  for (let position = 0; position < line.length && letters < lettersMin; position++)
    if (line[position]! >= 0xe0) letters++;
  return letters >= lettersMin;
}

const lettersMin = 3;

/** Matches a plausible Korean line. Damaged UTF-8 decodes to rare Hanja or to nothing in CP949. */
const hangulLine = /^[\t\r\n -~가-힣ㄱ-ㅎㅏ-ㅣ·…“”‘’※㎡℃°×～「」『』]*$/u;
