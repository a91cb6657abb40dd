import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';

/** Turns bytes into text, piece by piece. */
export interface TextDecoding {
  write(bytes: Buffer): string;
  end(): string;
}

/**
 * Decodes a text in its encoding but for lines that are plainly in the other one: tables that were put
 * together from several sources have a header in UTF-8 over rows in CP949. `onOther` receives the number of
 * each such line. A text without line feeds goes to `plain`, as it is.
 */
export function mixedLines(
  main: 'utf-8' | 'cp949',
  plain: TextDecoding,
  onOther: (line: number) => void,
): TextDecoding {
  let carry: Buffer = Buffer.alloc(0);
  let isPlain = false;
  let line = 0;

  /** `block` ends with a line feed, or is the end of the text. */
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
      const other = otherText(block.subarray(start, end), main);
      if (other !== null) {
        text += decoded(block.subarray(from, start), main) + other;
        from = end;
        onOther(line);
      }
      start = end;
    }
    return text + decoded(block.subarray(from), main);
  }

  return {
    write(bytes) {
      if (isPlain) return plain.write(bytes);
      const all = carry.length === 0 ? bytes : Buffer.concat([carry, bytes]);
      const end = all.lastIndexOf(lineFeed) + 1;
      isPlain = all.length - end > lineBytesMax;
      // A copy: the chunk it points into may be used again by the stream.
      carry = isPlain ? Buffer.alloc(0) : Buffer.from(all.subarray(end));
      const text = decodeLines(all.subarray(0, end));
      return isPlain ? text + plain.write(all.subarray(end)) : text;
    },
    end: () => (isPlain ? plain.end() : decodeLines(carry)),
  };
}

/** A line that goes on for longer is of no table that was put together by lines. */
const lineBytesMax = 1024 * 1024;
const lineFeed = 0x0a;

function decoded(bytes: Buffer, encoding: 'utf-8' | 'cp949'): string {
  return encoding === 'utf-8' ? bytes.toString('utf8') : iconv.decode(bytes, 'cp949', keepMark);
}

/** The reader of the text removes the mark. */
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

/** A line in the other encoding than `main`; null if it is in `main`, or in neither for sure. */
function otherText(line: Buffer, main: 'utf-8' | 'cp949'): string | null {
  if (main === 'cp949') {
    return isUtf8(line) && hasLetters(line) ? line.toString('utf8') : null;
  }
  if (isUtf8(line)) return null;
  const text = decoded(line, 'cp949');
  return hangulLine.test(text) ? text : null;
}

/** ASCII is both, and by chance a line of one or two letters may be. */
function hasLetters(line: Buffer): boolean {
  let letters = 0;
  for (let position = 0; position < line.length && letters < lettersMin; position++)
    if (line[position]! >= 0xe0) letters++;
  return letters >= lettersMin;
}

const lettersMin = 3;

/** UTF-8 that was damaged reads as rare Hanja, or as nothing, in CP949. */
const hangulLine = /^[\t\r\n -~가-힣ㄱ-ㅎㅏ-ㅣ·…“”‘’※㎡℃°×～「」『』]*$/u;
