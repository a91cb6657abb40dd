import { fieldSeparator } from './gram.ts';

/** A searchable field of several documents. */
export interface SearchColumn {
  /** Distinct texts, normalised by `matchingText`; the first is empty. */
  readonly texts: readonly string[];
  /** Index in `texts` of the text of each document. */
  readonly textNumbers: Uint32Array;
}

/** Normalised texts of a chunk, against which candidates are checked and ranked. */
export class ChunkTexts {
  #bytes = Buffer.allocUnsafe(1 << 13);
  #used = 0;
  #offsets = new Uint32Array(1 << 8);
  #documents = 0;

  /** Adds the fields of a document. */
  add(texts: readonly string[]): void {
    const line = texts.join(fieldSeparator);
    // A UTF-16 unit takes at most three bytes.
    this.#makeRoom(line.length * 3 + 1);
    this.#used += this.#bytes.write(line, this.#used);
    this.#endLine();
  }

  /** Adds the fields of the documents `from` to `to - 1` of a run, by column. */
  addPart(from: number, to: number, columns: readonly EncodedColumn[]): void {
    const lineMax = columns.reduce((sum, { longest }) => sum + longest, 1);
    for (let at = from; at < to; at++) {
      this.#makeRoom(lineMax);
      let used = this.#used;
      for (let column = 0; column < columns.length; column++) {
        const { bytes, starts, textNumbers } = columns[column]!;
        const number = textNumbers[at]!;
        // The first field has no separator before it.
        const start = starts[number]! + (column === 0 ? 1 : 0);
        used += copy(bytes, start, starts[number + 1]!, this.#bytes, used);
      }
      this.#used = used;
      this.#endLine();
    }
  }

  /** Adds the lines of other documents. */
  addLines(bytes: Uint8Array, offsets: Uint32Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#used);
    const start = this.#used - offsets[0]!;
    for (let line = 1; line < offsets.length; line++) this.#endLineAt(start + offsets[line]!);
  }

  /** The chunk's texts, valid until the next `add`. */
  take(): { bytes: Buffer; offsets: Uint32Array } {
    const bytes = this.#bytes.subarray(0, this.#used);
    const offsets = this.#offsets.subarray(0, this.#documents + 1);
    this.#used = 0;
    this.#documents = 0;
    return { bytes, offsets };
  }

  #endLine(): void {
    this.#bytes[this.#used] = lineFeed;
    this.#endLineAt(this.#used + 1);
  }

  #endLineAt(end: number): void {
    this.#used = end;
    if (++this.#documents === this.#offsets.length) {
      const wider = new Uint32Array(this.#offsets.length * 2);
      wider.set(this.#offsets);
      this.#offsets = wider;
    }
    this.#offsets[this.#documents] = this.#used;
  }

  #makeRoom(bytes: number): void {
    const needed = this.#used + bytes;
    if (needed <= this.#bytes.length) return;
    const wider = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(wider, 0, 0, this.#used);
    this.#bytes = wider;
  }
}

const lineFeed = 0x0a;
const separator = fieldSeparator.charCodeAt(0);

/** The distinct texts of a field, each encoded once. */
interface EncodedColumn {
  /** Each distinct text, after a separator. */
  readonly bytes: Buffer;
  /** Start of each text, and the end of the last. */
  readonly starts: Uint32Array;
  readonly textNumbers: Uint32Array;
  /** Bytes of the longest text. */
  readonly longest: number;
}

export function encodeColumn({ texts, textNumbers }: SearchColumn): EncodedColumn {
  const bytes = Buffer.from(fieldSeparator + texts.join(fieldSeparator));
  const starts = new Uint32Array(texts.length + 1);
  let longest = 0;
  for (let text = 0, start = 0; text < texts.length; text++) {
    const end = text + 1 < texts.length ? bytes.indexOf(separator, start + 1) : bytes.length;
    longest = Math.max(longest, end - start);
    starts[text + 1] = start = end;
  }
  return { bytes, starts, textNumbers, longest };
}

/** Copies `source[from]` to `source[to - 1]` and returns their number. */
function copy(source: Buffer, from: number, to: number, target: Buffer, at: number): number {
  if (to - from > shortBytes) return source.copy(target, at, from, to);
  for (let each = from; each < to; each++) target[at + each - from] = source[each]!;
  return to - from;
}

/** Limit on bytes that a loop copies faster than a call; most texts are shorter. */
const shortBytes = 48;
