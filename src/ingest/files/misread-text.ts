import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { withoutPadding } from './padding.ts';
import type { ByteSource } from './source.ts';
import type { Cell } from './table.ts';
import { readText } from './text.ts';

/** Encoding of a text that a program once read as Latin-1 or Windows-1252 and saved so in UTF-8: `ì„œìš¸`, `¼­¿ï`. */
export interface Misreading {
  readonly encoding: 'utf-8' | 'cp949';
  /** A word as it is in the file, and as it was. */
  readonly example: { readonly written: string; readonly meant: string };
}

/** Looks for misread Korean in the bytes of a UTF-8 text, chunk by chunk. */
export class MisreadSample {
  #utf8: Misreading['example'] | null = null;
  #cp949: Misreading['example'] | null = null;
  #pairRuns = 0;
  #cp949Runs = 0;
  #syllables = 0;
  #chunksLeft = chunksMax;

  /** Adds a chunk of whole characters. Only one with letters such as `Ã` and `ì` takes time. */
  add(bytes: Buffer): void {
    const first = this.#chunksLeft === 0 ? -1 : bytes.indexOf(latinLead);
    if (first < 0) return;
    this.#chunksLeft -= 1;
    const start = bytes.lastIndexOf(lineFeed, first) + 1;
    this.addText(bytes.toString('utf8', start, start + chunkBytesMax));
  }

  addText(text: string): void {
    for (const [run] of text.matchAll(latinRun)) {
      const utf8 = asUtf8(run);
      if (utf8 !== null && hangul.test(utf8)) this.#utf8 ??= exampleOf(run, utf8);
    }
    for (const [run] of text.matchAll(latinPairs)) {
      // `¿¿¿¿` is what databases write for characters that they cannot encode.
      if (run.replaceAll(run[0]!, '') === '') continue;
      this.#pairRuns += 1;
      const cp949 = asCp949(run);
      if (cp949 === null) continue;
      this.#cp949Runs += 1;
      if (!hangulWord.test(cp949)) continue;
      this.#syllables += cp949.length;
      this.#cp949 ??= exampleOf(run, cp949);
    }
  }

  /**
   * The misreading; null if there is none. For UTF-8 one word is enough: no language has the three characters of a
   * syllable in a row. The two characters of CP949 may occur in a row, so nearly all such pairs must be Hangul.
   */
  get misreading(): Misreading | null {
    if (this.#utf8 !== null) return { encoding: 'utf-8', example: this.#utf8 };
    const isCp949 =
      this.#syllables >= syllablesMin && this.#cp949Runs >= this.#pairRuns * cp949ShareMin;
    return isCp949 && this.#cp949 !== null ? { encoding: 'cp949', example: this.#cp949 } : null;
  }
}

function exampleOf(written: string, meant: string): Misreading['example'] {
  return { written, meant: withoutPadding(meant) };
}

/** The text of a source in UTF-8, with every misread run of characters restored; all others stay. */
export function restoredSource(source: ByteSource, misreading: Misreading): ByteSource {
  const restore = restorerOf(misreading);
  return {
    name: source.name,
    async *open() {
      let carry = '';
      for await (const piece of readText(source, 'utf-8')) {
        const text = carry + piece;
        const cut = text.length > carryUnitsMax ? text.length : text.search(lastWord);
        carry = text.slice(cut);
        yield Buffer.from(restore(text.slice(0, cut)));
      }
      yield Buffer.from(restore(carry));
    },
  };
}

/** The function that restores each misread run of characters in a text. */
export function restorerOf({ encoding }: Misreading): (text: string) => string {
  return encoding === 'utf-8' ? restoreUtf8 : restoreCp949;
}

/** True for a cell with a letter that misread Korean has: from `À` to `ÿ`. */
export function hasMisreadLetter(cell: Cell): boolean {
  return typeof cell === 'string' && latinLetter.test(cell);
}

const latinLetter = /[À-ÿ]/u;

/** Matches the end of a text that may be the beginning of a longer run: no ASCII mark or blank ends it. */
const lastWord = /[^\0-@[-`{-\x7f]*$/u;
const carryUnitsMax = 1024 * 1024;

function restoreUtf8(text: string): string {
  return text.replace(latinRun, (run) => asUtf8(run) ?? run);
}

/** In a line with Hangul, a single pair such as `°·` may be text of its own. */
function restoreCp949(text: string): string {
  return text.replace(/[^\n]+/gu, (line) => {
    const unitsMin = hangul.test(line) ? 4 : 2;
    return line.replace(latinPairs, (run) => (run.length < unitsMin ? run : (asCp949(run) ?? run)));
  });
}

/** Characters of Windows-1252 for the bytes 0x80 to 0x9f; five bytes have no character and are controls of Latin-1. */
const windowsCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const byteOfCharacter: ReadonlyMap<string, number> = new Map(
  [...windowsCharacters].map((character, index) => [character, 0x80 + index]),
);
const latin = `\u0080-\u00ff${windowsCharacters}`;
const latinRun = new RegExp(`[${latin}]+`, 'gu');
/** Pairs of a run; the second character is a letter of ASCII in the rarer syllables. */
const latinPairs = new RegExp(`(?:[${latin}][A-Za-z${latin}])+[${latin}]?`, 'gu');
const hangul = /[가-힣]/u;
/** Letters that are neither Latin-1 nor Greek nor East Asian. */
const rareLetter = /[\u0100-\u036f\u0400-\u10ff]/u;
const hangulWord = /^[가-힣]{2,}$/u;

/** Letters from `À` to `ÿ` in UTF-8. */
const latinLead = 0xc3;
const lineFeed = 0x0a;
/** Most chunks with such letters that are examined, and most bytes of each. */
const chunksMax = 16;
const chunkBytesMax = 64 * 1024;
const syllablesMin = 4;
const cp949ShareMin = 0.8;
/** Most times that a text may have been misread. */
const layersMax = 3;

/** The text of a run whose characters are the bytes of UTF-8, perhaps several times over; null if they are not. */
function asUtf8(run: string, layers = layersMax): string | null {
  const bytes = bytesOf(run);
  if (layers === 0 || bytes.length < 2 || !isUtf8(bytes)) return null;
  const text = bytes.toString('utf8');
  if (text.replace(latinRun, '') === '') return asUtf8(text, layers - 1) ?? text;
  // `CAFÉ»` is valid as well, and would end in a letter of phonetics.
  return rareLetter.test(text) && !hangul.test(text) ? null : text;
}

/** The text of a run whose characters are the bytes of CP949; null if they are not. */
function asCp949(run: string): string | null {
  const text = iconv.decode(bytesOf(run), 'cp949');
  return text.includes('\ufffd') ? null : text;
}

function bytesOf(run: string): Buffer {
  return Buffer.from(
    Array.from(run, (character) => byteOfCharacter.get(character) ?? character.charCodeAt(0)),
  );
}
