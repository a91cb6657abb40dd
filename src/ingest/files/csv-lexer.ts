import type { BilingualText } from '../../contract/language.ts';
import { findingTexts } from './finding-texts.ts';
import { isPadding } from './padding.ts';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused } from './refused.ts';

/**
 * Splits delimited text into records; the text may arrive in pieces of any size. It repairs the defects of the
 * portal's exports: cells quoted twice (`""2,4주 월요일""`), unclosed quotes, quotes inside quoted cells and mixed line
 * ends. A property test compares it with csv-parse on well-formed text. csv-parse cannot repair: the right reading
 * of a stray quote depends on the width of the resulting row, so a record may have to be read again.
 */
export class CsvLexer {
  /** The text that `starts` and `ends` point into; valid during `onRecord` only. */
  text = '';
  /** Number of cells of the record. */
  count = 0;
  /** Bounds of each cell without its quotes. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** 1 if the cell has doubled quotes to undo, 2 if a backslash stands before its quotes. */
  readonly escaped: Uint8Array;
  /** 1-based line on which the record starts. */
  line = 1;
  /** Repairs of the record; null if there are none. */
  repair: BilingualText | null = null;
  /** True if the record had more cells than the maximum; the others are dropped. */
  hasOverflow = false;

  readonly #delimiter: number;
  readonly #quote: number;
  readonly #hasBackslashes: boolean;
  readonly #width: number;
  readonly #recordUnitsMax: number;
  readonly #unclosedMax: number;
  readonly #onRecord: (lexer: CsvLexer) => void;
  #position = 0;
  #lineEnds = 0;
  #skipsLineFeed = false;
  #unclosedCount = 0;

  constructor(options: CsvLexerOptions, onRecord: (lexer: CsvLexer) => void) {
    this.#delimiter = options.delimiter.charCodeAt(0);
    this.#quote = (options.quote ?? '"').charCodeAt(0);
    this.#hasBackslashes = options.hasBackslashes === true;
    this.#width = options.expectedWidth;
    this.#recordUnitsMax = options.recordUnitsMax;
    this.#unclosedMax = options.unclosedMax ?? 100;
    this.#onRecord = onRecord;
    this.starts = new Int32Array(options.columnsMax);
    this.ends = new Int32Array(options.columnsMax);
    this.escaped = new Uint8Array(options.columnsMax);
  }

  /** Reads all complete records; an incomplete one is read with the next text. */
  write(text: string): void {
    this.#readRecords(text, false);
  }

  /** Reads the rest of the text as the last record. */
  end(): void {
    this.#readRecords('', true);
  }

  /** A cell without the white space around it; null if nothing is left. */
  cell(index: number): string | null {
    const { text } = this;
    let start = this.starts[index] ?? 0;
    let end = this.ends[index] ?? 0;
    while (start < end && isPadding(text.charCodeAt(start))) start += 1;
    while (start < end && isPadding(text.charCodeAt(end - 1))) end -= 1;
    if (start === end) return null;
    const written = text.slice(start, end);
    const cell = unescapeQuotes(written, this.escaped[index] ?? 0, this.#quote);
    return cell.charCodeAt(0) === equals ? withoutGuard(cell) : cell;
  }

  /** True if a cell has anything but white space. */
  isFilled(index: number): boolean {
    const end = this.ends[index] ?? 0;
    for (let position = this.starts[index] ?? 0; position < end; position++) {
      if (!isPadding(this.text.charCodeAt(position))) return true;
    }
    return false;
  }

  /** Number of cells in quotes. */
  get quotedCount(): number {
    let quoted = 0;
    for (let index = 0; index < this.count; index++) {
      if (this.text.charCodeAt((this.starts[index] ?? 0) - 1) === this.#quote) quoted += 1;
    }
    return quoted;
  }

  #readRecords(text: string, isFinal: boolean): void {
    this.text = this.#position < this.text.length ? this.text.slice(this.#position) + text : text;
    this.#position = 0;
    for (;;) {
      if (this.#skipsLineFeed && this.#position < this.text.length) {
        if (this.text.charCodeAt(this.#position) === lineFeed) this.#position += 1;
        this.#skipsLineFeed = false;
      }
      if (this.#position >= this.text.length) return;
      const start = this.#position;
      const next = this.#readRecord(start, isFinal);
      if (next < 0) {
        this.#checkLength(start);
        return;
      }
      this.#position = next;
      const lines = this.#lineEnds;
      this.#onRecord(this);
      this.line += lines + 1;
    }
  }

  #checkLength(start: number): void {
    if (this.text.length - start <= this.#recordUnitsMax) return;
    throw new FileRefused(
      'too_large',
      refusalTexts.delimitedLineTooLong(this.line, this.#recordUnitsMax),
    );
  }

  /** Reads the record at `start` and returns the start of the next; negative if more text is needed. */
  #readRecord(start: number, isFinal: boolean): number {
    const maySpanLines = this.#unclosedCount < this.#unclosedMax;
    const next = this.#readCells(start, isFinal, maySpanLines);
    if (!maySpanLines) return next;
    if (next === incomplete) return next;
    const isRegular = this.count === this.#width && this.repair === null;
    if (next >= 0 && (this.#lineEnds === 0 || isRegular)) return next;
    if (next === unclosed) {
      this.#unclosedCount += 1;
      const single = this.#readCells(start, isFinal, false);
      if (single >= 0) this.repair = findingTexts.quoteNeverCloses();
      return single;
    }
    return this.#chooseReading(start, isFinal, next);
  }

  /** Accepts a cell over several lines unless reading the line alone gives the row the header's width. */
  #chooseReading(start: number, isFinal: boolean, spanningNext: number): number {
    const single = this.#readCells(start, isFinal, false);
    if (single >= 0 && this.count === this.#width) {
      this.repair = findingTexts.quoteOpen();
      return single;
    }
    this.#readCells(start, isFinal, true);
    return spanningNext;
  }

  #readCells(start: number, isFinal: boolean, maySpanLines: boolean): number {
    const { text } = this;
    const { length } = text;
    const delimiter = this.#delimiter;
    this.count = 0;
    this.#lineEnds = 0;
    this.repair = null;
    this.hasOverflow = false;
    let position = start;
    for (;;) {
      const quote = this.#quoteAt(position);
      if (quote >= 0) {
        const end = this.#readQuoted(quote, isFinal, maySpanLines);
        if (end < 0) return end;
        position = end;
      } else {
        const cellStart = position;
        while (position < length) {
          const code = text.charCodeAt(position);
          if (code === delimiter || code === lineFeed || code === carriageReturn) break;
          position += 1;
        }
        if (position >= length && !isFinal) return incomplete;
        this.#addCell(cellStart, position, 0);
      }
      if (position >= length) return isFinal ? length : incomplete;
      const code = text.charCodeAt(position);
      position += 1;
      if (code === delimiter) continue;
      if (code === carriageReturn) {
        if (position >= length) this.#skipsLineFeed = !isFinal;
        else if (text.charCodeAt(position) === lineFeed) position += 1;
      }
      return position;
    }
  }

  /** Position of the quote that opens the cell at `position`; negative for a plain cell. */
  #quoteAt(position: number): number {
    const { text } = this;
    let quote = position;
    while (text.charCodeAt(quote) === space) quote += 1;
    return text.charCodeAt(quote) === this.#quote ? quote : -1;
  }

  /** Reads a quoted cell and returns the position of the delimiter or line end after it. */
  #readQuoted(quote: number, isFinal: boolean, maySpanLines: boolean): number {
    const { text } = this;
    const { length } = text;
    if (text.charCodeAt(quote + 1) === this.#quote) {
      const doubled = this.#readDoublyQuoted(quote, isFinal);
      if (doubled !== notDoubled) return doubled;
    }
    let escaped: Escaping = 0;
    let hasInnerQuotes = false;
    let lineEnds = 0;
    let position = quote + 1;
    for (; position < length; position++) {
      const code = text.charCodeAt(position);
      if (code === this.#quote) {
        if (position + 1 >= length && !isFinal) return incomplete;
        if (text.charCodeAt(position + 1) === this.#quote) {
          escaped ||= 1;
          position += 1;
          continue;
        }
        const end = this.#endAfter(position + 1, isFinal);
        if (end === incomplete) return incomplete;
        if (end >= 0) {
          this.#addCell(quote + 1, position, escaped);
          this.#lineEnds += lineEnds;
          if (hasInnerQuotes) this.repair = findingTexts.quotesInside();
          return end;
        }
        hasInnerQuotes = true;
      } else if (code === lineFeed || code === carriageReturn) {
        if (!maySpanLines) break;
        if (code === lineFeed || text.charCodeAt(position + 1) !== lineFeed) lineEnds += 1;
        if (position - quote > quotedUnitsMax) return unclosed;
      } else if (code === backslash && this.#hasBackslashes) {
        if (position + 1 >= length && !isFinal) return incomplete;
        const next = text.charCodeAt(position + 1);
        if (next !== this.#quote && next !== backslash) continue;
        escaped = 2;
        position += 1;
      }
    }
    if (maySpanLines) return isFinal ? unclosed : incomplete;
    if (position >= length && !isFinal) return incomplete;
    return this.#readLiteral(quote);
  }

  /**
   * Reads `""text, text""`, which an export writes if it quotes a cell that is already quoted. The closing pair
   * must be on the same line and end the cell.
   */
  #readDoublyQuoted(quote: number, isFinal: boolean): number {
    const { text } = this;
    const { length } = text;
    const start = quote + 2;
    if (start >= length && !isFinal) return incomplete;
    const code = text.charCodeAt(start);
    if (start >= length || code === this.#quote || this.#endAfter(start, isFinal) >= 0) {
      return notDoubled;
    }
    for (let position = start; ; position++) {
      if (position >= length) return isFinal ? notDoubled : incomplete;
      const here = text.charCodeAt(position);
      if (here === lineFeed || here === carriageReturn) return notDoubled;
      if (here !== this.#quote || text.charCodeAt(position + 1) !== this.#quote) continue;
      const end = this.#endAfter(position + 2, isFinal);
      if (end === incomplete) return incomplete;
      if (end < 0) continue;
      this.#addCell(start, position, 0);
      this.repair = findingTexts.quotedTwice();
      return end;
    }
  }

  /** Skips blanks and returns the position of the delimiter or line end; `notEnd` if other text follows. */
  #endAfter(position: number, isFinal: boolean): number {
    const { text } = this;
    let end = position;
    while (text.charCodeAt(end) === space) end += 1;
    if (end >= text.length) return isFinal ? end : incomplete;
    const code = text.charCodeAt(end);
    const isEnd = code === this.#delimiter || code === lineFeed || code === carriageReturn;
    return isEnd ? end : notEnd;
  }

  /** Reads a cell whose quote is an ordinary character. */
  #readLiteral(quote: number): number {
    const { text } = this;
    let position = quote;
    while (position < text.length) {
      const code = text.charCodeAt(position);
      if (code === this.#delimiter || code === lineFeed || code === carriageReturn) break;
      position += 1;
    }
    this.#addCell(quote, position, 0);
    this.repair = findingTexts.quoteUnpaired();
    return position;
  }

  #addCell(start: number, end: number, escaped: Escaping): void {
    const { count } = this;
    if (count >= this.starts.length) {
      this.hasOverflow = true;
      return;
    }
    this.starts[count] = start;
    this.ends[count] = end;
    this.escaped[count] = escaped;
    this.count = count + 1;
  }
}

type Escaping = 0 | 1 | 2;

interface CsvLexerOptions {
  readonly delimiter: string;
  /** A double quote if absent. */
  readonly quote?: '"' | "'" | undefined;
  /** True if, in a quoted cell, a backslash escapes a quote or a backslash after it. */
  readonly hasBackslashes?: boolean | undefined;
  /** Number of cells of a regular row; it decides between the readings of a broken quote. */
  readonly expectedWidth: number;
  readonly columnsMax: number;
  readonly recordUnitsMax: number;
  /** After this many unclosed quotes, cells over several lines are no longer read. */
  readonly unclosedMax?: number;
}

const incomplete = -1;
const unclosed = -2;
const notEnd = -3;
const notDoubled = -4;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const equals = 0x3d;
const backslash = 0x5c;

/** Maximum length of a quoted cell over several lines; a cell of Excel has at most 32,767 characters. */
const quotedUnitsMax = 128 * 1024;

function unescapeQuotes(written: string, escaping: number, quoteCode: number): string {
  if (escaping === 0) return written;
  const quote = String.fromCharCode(quoteCode);
  if (escaping === 1) return written.replaceAll(quote + quote, quote);
  const escapes = quote === '"' ? /\\(["\\])|""/gu : /\\(['\\])|''/gu;
  return written.replace(escapes, (_, escaped?: string) => escaped ?? quote);
}

/** The text of a formula such as `="0012"`, with which exports keep Excel from reading a code as a number. */
function withoutGuard(cell: string): string | null {
  const match = /^="([^]*)"$/u.exec(cell);
  return match === null ? cell : match[1]!.replaceAll('""', '"') || null;
}
