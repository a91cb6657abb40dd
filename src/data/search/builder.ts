import type { ByteSink } from '../byte-sink.ts';
import { initialsOf } from '../korean/initials.ts';
import { fieldSeparator, gramKind, initialsKeys, tagKey, wholeFieldKey } from './gram.ts';
import { chunkDocumentsMax, ChunkPostings } from './postings.ts';
import { WordSlots } from './word-slots.ts';
import { footerOf, type ChunkPlace } from './format.ts';

/**
 * Writes a search index, document by document, in chunks of 65,536.
 *
 * Memory is bounded by one chunk, whatever the number of documents. `name` is the text of the name field
 * or null, `texts` those of the other searchable fields, all normalised by `matchingText`; empty texts
 * are allowed and not indexed. The layout is described in `format.ts`.
 */
export class SearchIndexBuilder {
  readonly #sink: ByteSink;
  readonly #postings = new ChunkPostings();
  readonly #chunks: ChunkPlace[] = [];
  readonly #texts = new ChunkTexts();
  /** Slots by text, for texts that recur in a chunk, such as a province. */
  readonly #repeated = new Map<string, Int32Array>();
  readonly #repeatedNames = new Map<string, Int32Array>();
  readonly #words = new WordSlots();
  /** Hashes of texts that were seen. */
  readonly #seen = new Int32Array(seenMax);
  #slots = new Int32Array(1 << 12);
  #slotsUsed = 0;
  #document = 0;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  add(name: string | null, texts: readonly string[], tags: readonly number[]): void {
    if (this.#document === chunkDocumentsMax) this.#flush();
    const document = this.#document++;
    if (name !== null && name !== '') this.#addText(name, document, true);
    for (const text of texts) if (text !== '') this.#addText(text, document, false);
    for (const tag of tags) {
      const key = tagKey(tag);
      this.#postings.add(this.#postings.slot(key.high, key.low), document);
    }
    this.#texts.add(name ?? '', texts);
  }

  /** Writes the last chunk and the footer; the sink stays open. */
  finish(): void {
    if (this.#document > 0) this.#flush();
    this.#sink.write(footerOf(this.#chunks));
  }

  #addText(text: string, document: number, isName: boolean): void {
    const repeated = isName ? this.#repeatedNames : this.#repeated;
    let slots = repeated.get(text);
    if (slots === undefined) {
      this.#slotsUsed = 0;
      this.#addGrams(text, gramKind.text);
      const wholeField = wholeFieldKey(text);
      this.#addKey(wholeField.high, wholeField.low);
      if (isName) {
        this.#addGrams(text, gramKind.name);
        this.#addNameStart(text);
        this.#addInitials(text);
      }
      slots = this.#slots.subarray(0, this.#slotsUsed);
      if (text.length <= repeatedLengthMax && this.#isSeenAgain(text, isName)) {
        if (repeated.size === repeatedMax) repeated.clear();
        repeated.set(text, slots.slice());
      }
    }
    const postings = this.#postings;
    for (let i = 0; i < slots.length; i++) postings.add(slots[i]!, document);
  }

  #addGrams(text: string, kind: number): void {
    let start = 0;
    for (let at = 0; at <= text.length; at++) {
      if (at < text.length && text.charCodeAt(at) !== blank) continue;
      if (at > start) {
        const beforeBlank = start > 1 ? text.charCodeAt(start - 2) : blank;
        if (beforeBlank !== blank) {
          const low = ((blank << 16) | text.charCodeAt(start)) >>> 0;
          this.#addKey((kind << 16) | beforeBlank, low);
        }
        this.#addWord(text, start, at, kind);
      }
      start = at + 1;
    }
  }

  /** Adds the keys of the word from `start` to `end`. */
  #addWord(text: string, start: number, end: number, kind: number): void {
    const length = end - start;
    if (length === 1 || length > wordLengthMax) {
      this.#addWordGrams(text, start, end, kind);
      return;
    }
    const words = this.#words;
    const found = words.find(text, start, end, kind);
    if (found < 0) {
      const from = this.#slotsUsed;
      this.#addWordGrams(text, start, end, kind);
      words.store(text, start, end, this.#slots, from, this.#slotsUsed);
      return;
    }
    while (this.#slotsUsed + words.length > this.#slots.length) this.#widenSlots();
    for (let i = 0; i < words.length; i++) {
      this.#slots[this.#slotsUsed++] = words.slots[found + i]!;
    }
  }

  #addWordGrams(text: string, start: number, end: number, kind: number): void {
    const high = kind << 16;
    let unitBeforeLast = 0;
    let lastUnit = 0;
    for (let at = start; at < end; at++) {
      const unit = text.charCodeAt(at);
      this.#addKey(high | unit, 0);
      if (lastUnit !== 0) this.#addKey(high | lastUnit, (unit << 16) >>> 0);
      if (unitBeforeLast !== 0)
        this.#addKey(high | unitBeforeLast, ((lastUnit << 16) | unit) >>> 0);
      unitBeforeLast = lastUnit;
      lastUnit = unit;
    }
  }

  #addNameStart(text: string): void {
    const high = gramKind.nameStart << 16;
    let low = 0;
    for (let units = 1; units <= 3 && units <= text.length; units++) {
      const unit = text.charCodeAt(units - 1);
      if (unit === blank) return;
      if (units === 2) low = unit << 16;
      if (units === 3) low |= unit;
      this.#addKey(high | text.charCodeAt(0), low >>> 0);
    }
  }

  #addInitials(name: string): void {
    // Blanks do not count; the keys cover six units.
    const start = initialsOf(name.slice(0, initialsUnits).replaceAll(' ', ''));
    for (const { high, low } of initialsKeys(start)) this.#addKey(high, low);
  }

  #addKey(high: number, low: number): void {
    if (this.#slotsUsed === this.#slots.length) this.#widenSlots();
    this.#slots[this.#slotsUsed++] = this.#postings.slot(high, low);
  }

  #widenSlots(): void {
    const wider = new Int32Array(this.#slots.length * 2);
    wider.set(this.#slots);
    this.#slots = wider;
  }

  /** True if a text like it was seen in this chunk; a wrong answer costs time only. */
  #isSeenAgain(text: string, isName: boolean): boolean {
    let hash = isName ? 1 : 2;
    for (let at = 0; at < text.length; at++)
      hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
    const place = (hash ^ (hash >>> 15)) & (seenMax - 1);
    const isSeen = this.#seen[place] === hash;
    this.#seen[place] = hash;
    return isSeen;
  }

  #flush(): void {
    const at = this.#sink.position;
    const { bytes, offsets } = this.#texts.take();
    this.#sink.write(bytes);
    this.#sink.write(bytesOf(offsets));
    const entries = this.#postings.keys;
    const slots = this.#postings.sortedSlots();
    const high = new Uint32Array(entries);
    const low = new Uint32Array(entries);
    const counts = new Uint16Array(entries);
    for (let i = 0; i < entries; i++) {
      high[i] = this.#postings.keyHigh(slots[i]!);
      low[i] = this.#postings.keyLow(slots[i]!);
      counts[i] = this.#postings.count(slots[i]!) - 1;
    }
    this.#sink.write(bytesOf(high));
    this.#sink.write(bytesOf(low));
    this.#sink.write(bytesOf(counts));
    for (const slot of slots) this.#sink.write(bytesOf(this.#postings.words(slot)));
    this.#chunks.push({ at, documents: this.#document, textBytes: bytes.length, entries });
    this.#postings.reset();
    this.#words.clear();
    this.#repeated.clear();
    this.#repeatedNames.clear();
    this.#document = 0;
  }
}

const blank = 0x20;
const initialsUnits = 10;
const repeatedMax = 16_384;
const repeatedLengthMax = 64;
const seenMax = 1 << 14;
/** Longer words, such as addresses of pages, rarely recur. */
const wordLengthMax = 24;

/** Normalised texts of a chunk, against which candidates are checked and ranked. */
class ChunkTexts {
  #bytes = Buffer.allocUnsafe(1 << 13);
  #used = 0;
  #offsets = new Uint32Array(1 << 8);
  #documents = 0;

  add(name: string, texts: readonly string[]): void {
    let line = name;
    for (const text of texts) line += fieldSeparator + text;
    line += '\n';
    // A UTF-16 unit takes at most three bytes.
    const needed = this.#used + line.length * 3;
    if (needed > this.#bytes.length) {
      const wider = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(wider, 0, 0, this.#used);
      this.#bytes = wider;
    }
    this.#used += this.#bytes.write(line, this.#used);
    if (++this.#documents === this.#offsets.length) {
      const wider = new Uint32Array(this.#offsets.length * 2);
      wider.set(this.#offsets);
      this.#offsets = wider;
    }
    this.#offsets[this.#documents] = this.#used;
  }

  /** The chunk's texts, valid until the next `add`. */
  take(): { bytes: Buffer; offsets: Uint32Array } {
    const bytes = this.#bytes.subarray(0, this.#used);
    const offsets = this.#offsets.subarray(0, this.#documents + 1);
    this.#used = 0;
    this.#documents = 0;
    return { bytes, offsets };
  }
}

function bytesOf(array: Uint32Array | Uint16Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
