import type { ByteSink } from '../byte-sink.ts';
import { initialsOf } from '../korean/initials.ts';
import { ChunkTexts, encodeColumn, type SearchColumn } from './chunk-texts.ts';
import { ForkFinder, isForkKey } from './forks.ts';
import {
  gramKind,
  initialsKeys,
  runKey,
  runUnitsMax,
  runUnitsMin,
  tagKey,
  wholeFieldKey,
} from './gram.ts';
import { chunkDocumentsMax, ChunkPostings } from './postings.ts';
import type { SearchChunk } from './index-file.ts';
import { KeyFilter } from './key-filter.ts';
import { membersOf } from './document-set.ts';
import { TextSlots } from './text-slots.ts';
import { WordSlots } from './word-slots.ts';
import { footerOf, type ChunkPlace } from './format.ts';

/**
 * Writes a search index in chunks of 65,536 documents.
 *
 * Memory is bounded by one chunk, whatever the number of documents. `name` is the text of the name field
 * or null, `texts` the texts of the other searchable fields, all normalised by `matchingText`; empty texts
 * are allowed and not indexed. The layout is described in `format.ts`.
 */
export class SearchIndexBuilder {
  readonly #sink: ByteSink;
  readonly #start: number;
  readonly #isPack: boolean;
  readonly #postings = new ChunkPostings();
  readonly #chunks: ChunkPlace[] = [];
  readonly #texts = new ChunkTexts();
  readonly #words = new WordSlots();
  #slots = new Int32Array(1 << 12);
  #slotsUsed = 0;
  #document = 0;
  /** False if the current chunk has documents of an earlier version, which have no keys of runs. */
  #hasRuns = true;
  readonly #forks = new ForkFinder();
  /** True in a pack, unless a document of the current chunk has no keys of its forks. */
  #hasForks: boolean;

  /** The index begins at the position of the sink. That of a pack has a filter of its keys, and keys of forks. */
  constructor(sink: ByteSink, { isPack = false }: { readonly isPack?: boolean } = {}) {
    this.#sink = sink;
    this.#isPack = isPack;
    this.#hasForks = isPack;
    this.#start = sink.position;
  }

  add(name: string | null, texts: readonly string[], tags: readonly number[]): void {
    if (this.#document === chunkDocumentsMax) this.#flush();
    this.#hasForks = false;
    const document = this.#document++;
    if (name !== null && name !== '') this.#addText(name, document, true);
    for (const text of texts) if (text !== '') this.#addText(text, document, false);
    this.#addTags(tags, document);
    this.#texts.add([name ?? '', ...texts]);
  }

  /** Adds documents by column; `tagsOf` returns the tags of each. */
  addRun(
    documents: number,
    { name, others }: SearchFields,
    tagsOf: (document: number) => readonly number[],
  ): void {
    const emptyName = { texts: [''], textNumbers: new Uint32Array(documents) };
    const encoded = [name ?? emptyName, ...others].map(encodeColumn);
    for (let from = 0, to = 0; from < documents; from = to) {
      if (this.#document === chunkDocumentsMax) this.#flush();
      to = Math.min(documents, from + chunkDocumentsMax - this.#document);
      this.#hasForks = false;
      this.#addPart(from, to, { name, others }, tagsOf);
      this.#texts.addPart(from, to, encoded);
    }
  }

  /** Adds the documents of a chunk of another index, without their values. The documents fit into the current chunk. */
  addChunk(chunk: SearchChunk): void {
    if (this.#document + chunk.documents > chunkDocumentsMax) this.#flush();
    const base = this.#document;
    for (const { high, low, documents } of chunk.postings()) {
      if (!this.#isPack && isForkKey(high)) continue;
      const slot = this.#postings.slot(high, low);
      for (const document of membersOf(documents)) this.#postings.add(slot, base + document);
    }
    const { bytes, offsets } = chunk.lines();
    this.#texts.addLines(bytes, offsets);
    if (this.#isPack && !chunk.hasForks) this.#addForks(bytes, offsets);
    this.#document += chunk.documents;
    this.#hasRuns &&= chunk.hasRuns;
  }

  /** Writes the last chunk and the footer; the sink stays open. */
  finish(): void {
    if (this.#document > 0) this.#flush();
    this.#sink.write(footerOf(this.#chunks));
  }

  /** Adds the keys of the documents `from` to `to - 1` of a run, all to the current chunk. */
  #addPart(
    from: number,
    to: number,
    { name, others }: SearchFields,
    tagsOf: (document: number) => readonly number[],
  ): void {
    const textSlots = new TextSlots(name === null ? others : [name, ...others], from, to);
    const firstOther = name === null ? 0 : 1;
    for (let at = from; at < to; at++) {
      const document = this.#document++;
      if (name !== null) this.#addColumnText(textSlots, 0, name, at, document, true);
      for (let column = 0; column < others.length; column++) {
        this.#addColumnText(textSlots, firstOther + column, others[column]!, at, document, false);
      }
      this.#addTags(tagsOf(at), document);
    }
  }

  #addText(text: string, document: number, isName: boolean): void {
    this.#findSlots(text, isName);
    this.#addSlots(this.#slots, 0, this.#slotsUsed, document);
  }

  #addColumnText(
    textSlots: TextSlots,
    column: number,
    { texts, textNumbers }: SearchColumn,
    at: number,
    document: number,
    isName: boolean,
  ): void {
    const number = textNumbers[at]!;
    const text = texts[number]!;
    if (text === '') return;
    const from = textSlots.find(column, number);
    if (from >= 0) {
      this.#addSlots(textSlots.slots, from, from + textSlots.length, document);
      return;
    }
    this.#addText(text, document, isName);
    textSlots.store(column, number, this.#slots, this.#slotsUsed);
  }

  #addSlots(slots: Int32Array, from: number, to: number, document: number): void {
    const postings = this.#postings;
    for (let at = from; at < to; at++) postings.add(slots[at]!, document);
  }

  #addTags(tags: readonly number[], document: number): void {
    for (const tag of tags) {
      const { high, low } = tagKey(tag);
      this.#postings.add(this.#postings.slot(high, low), document);
    }
  }

  /** Adds the keys of the forks of documents by their lines. */
  #addForks(bytes: Buffer, offsets: Uint32Array): void {
    const [start] = offsets;
    for (let line = 0; line + 1 < offsets.length; line++) {
      const text = bytes.toString('utf8', offsets[line]! - start!, offsets[line + 1]! - start! - 1);
      this.#forks.find(text, (high, low) => {
        this.#postings.add(this.#postings.slot(high, low), this.#document + line);
      });
    }
  }

  /** Sets `#slots` to the slots of all keys of a text. */
  #findSlots(text: string, isName: boolean): void {
    this.#slotsUsed = 0;
    this.#addGrams(text, gramKind.text);
    const wholeField = wholeFieldKey(text);
    this.#addKey(wholeField.high, wholeField.low);
    if (!isName) return;
    this.#addGrams(text, gramKind.name);
    this.#addNameStart(text);
    this.#addInitials(text);
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
    let run = 0;
    for (let at = start; at < end; at++) {
      const unit = text.charCodeAt(at);
      run = unit === lastUnit ? run + 1 : 1;
      if (run >= runUnitsMin && run <= runUnitsMax && kind === gramKind.text) {
        const key = runKey(unit, run);
        this.#addKey(key.high, key.low);
      }
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
    // The keys cover the initials of six letters; blanks do not count.
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

  #flush(): void {
    const at = this.#sink.position - this.#start;
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
    const filter = this.#isPack ? this.#writeFilter(high, low) : {};
    this.#chunks.push({
      ...filter,
      at,
      documents: this.#document,
      textBytes: bytes.length,
      entries,
      runs: this.#hasRuns,
      ...(this.#hasForks ? { forks: true } : {}),
    });
    this.#postings.reset();
    this.#words.clear();
    this.#document = 0;
    this.#hasRuns = true;
    this.#hasForks = this.#isPack;
  }

  #writeFilter(high: Uint32Array, low: Uint32Array): { readonly filter: number } {
    const position = this.#sink.position - this.#start;
    const filter = new KeyFilter(new Uint32Array(KeyFilter.bytesFor(high.length) / 4));
    for (let i = 0; i < high.length; i++) filter.add(high[i]!, low[i]!);
    this.#sink.write(bytesOf(filter.words));
    return { filter: position };
  }
}

/** Fields of documents by column; `name` is null if the documents have no names. */
interface SearchFields {
  readonly name: SearchColumn | null;
  readonly others: readonly SearchColumn[];
}

const blank = 0x20;
/** Units of a name that are read for its initials: six letters and the blanks between them. */
const initialsUnits = 10;
/** Limit on words whose slots are cached: longer ones, such as URLs, rarely recur. */
const wordLengthMax = 24;

function bytesOf(array: Uint32Array | Uint16Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
