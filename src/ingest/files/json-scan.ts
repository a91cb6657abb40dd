import { parseRecord } from './json-record.ts';
import type { FileLimits } from './limits.ts';
import { treeRefusalTexts } from './tree-refusal-texts.ts';
import { FileRefused } from './refused.ts';

/** Receives the records and scalars of a JSON text while it is scanned. */
interface JsonVisitor {
  /**
   * An object inside an array, or one of several at the root. `text` is not yet parsed; `memberCount` counts the
   * members at any depth.
   */
  record(path: string, text: string, memberCount: number): void;
  /** A string, number or word outside of records, as written. */
  scalar(path: string, raw: string): void;
  /** A second value at the root: the text is a sequence of objects. */
  secondRoot(): void;
}

interface JsonScannerOptions {
  /** True if the objects at the root are records. */
  readonly hasRootRecords: boolean;
  readonly recordUnitsMax: number;
  readonly depthMax: number;
}

/**
 * Splits a JSON text of any size into the objects of its arrays without parsing the whole. A quote ends a string only
 * before a character that may follow a string: the portal writes `""2,4주 월요일""` without escaping.
 */
export class JsonScanner {
  readonly #options: JsonScannerOptions;
  readonly #visitor: JsonVisitor;
  readonly #stack: Frame[] = [];
  #text = '';
  #position = 0;
  #stringStart = none;
  #quote = none;
  #isEscaped = false;
  #scalarStart = none;
  #recordStart = none;
  #recordPath = '';
  #depth = 0;
  #memberCount = 0;
  #roots = 0;
  #lastString = '';

  constructor(options: JsonScannerOptions, visitor: JsonVisitor) {
    this.#options = options;
    this.#visitor = visitor;
  }

  write(text: string): void {
    this.#scan(text, false);
  }

  /** Throws `FileRefused` if the text ends inside a value. */
  end(): void {
    this.#scan('\n', true);
    if (this.#stack.length > 0 || this.#recordStart !== none || this.#stringStart !== none) {
      throw new FileRefused('truncated', treeRefusalTexts.jsonTruncated());
    }
  }

  #scan(text: string, isFinal: boolean): void {
    this.#append(text);
    for (; this.#position < this.#text.length; this.#position++) {
      const code = this.#text.charCodeAt(this.#position);
      if (this.#stringStart !== none && this.#continueString(code)) continue;
      if (!this.#readStructure(code, isFinal)) return;
    }
  }

  /** Appends text, drops the beginning that is no longer needed, and corrects all positions. */
  #append(text: string): void {
    const starts = [this.#stringStart, this.#scalarStart, this.#recordStart, this.#position];
    const keptFrom = Math.min(...starts.filter((start) => start !== none));
    this.#text = this.#text.slice(keptFrom) + text;
    this.#position -= keptFrom;
    if (this.#stringStart !== none) this.#stringStart -= keptFrom;
    if (this.#quote !== none) this.#quote -= keptFrom;
    if (this.#scalarStart !== none) this.#scalarStart -= keptFrom;
    if (this.#recordStart !== none) this.#recordStart -= keptFrom;
    checkLength(this.#position, this.#options.recordUnitsMax);
  }

  /** Continues inside a string; false if `code` is the first character after it. */
  #continueString(code: number): boolean {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      return true;
    }
    if (this.#quote !== none) {
      if (isBlank(code)) return true;
      if (code === comma || code === colon || code === closeBrace || code === closeBracket) {
        this.#endString();
        return false;
      }
      this.#quote = none;
    }
    if (code === backslash) this.#isEscaped = true;
    else if (code === doubleQuote) this.#quote = this.#position;
    return true;
  }

  #endString(): void {
    if (this.#recordStart === none) {
      this.#lastString = this.#text.slice(this.#stringStart + 1, this.#quote);
      this.#scalarStart = this.#stringStart;
    }
    this.#stringStart = none;
    this.#quote = none;
  }

  /** Continues outside of strings; false if more text is needed to decide. */
  #readStructure(code: number, isFinal: boolean): boolean {
    switch (code) {
      case doubleQuote:
        this.#stringStart = this.#position;
        return true;
      case openBrace:
        return this.#open(false, isFinal);
      case openBracket:
        return this.#open(true, isFinal);
      case closeBrace:
      case closeBracket:
        this.#endScalar();
        this.#close();
        return true;
      case colon:
        if (this.#recordStart === none) {
          const frame = this.#stack.at(-1);
          if (frame !== undefined) frame.key = this.#lastString;
          this.#scalarStart = none;
        } else {
          this.#memberCount += 1;
        }
        return true;
      case comma:
        this.#endScalar();
        return true;
      default:
        if (this.#recordStart === none && this.#scalarStart === none && !isBlank(code)) {
          this.#scalarStart = this.#position;
        }
        return true;
    }
  }

  #open(isArray: boolean, isFinal: boolean): boolean {
    if (this.#recordStart !== none) {
      this.#depth += 1;
      return true;
    }
    const parent = this.#stack.at(-1);
    if (parent === undefined) {
      this.#roots += 1;
      if (this.#roots === 2 && !this.#options.hasRootRecords) this.#visitor.secondRoot();
    }
    const path = parent === undefined ? '' : pathBelow(parent);
    if (!isArray && (parent === undefined ? this.#options.hasRootRecords : parent.isArray)) {
      const isContainer = parent?.isContainer ?? this.#isContainer(isFinal);
      if (isContainer === null) return false;
      if (parent !== undefined) parent.isContainer = isContainer;
      if (!isContainer) {
        this.#recordStart = this.#position;
        this.#recordPath = path;
        this.#depth = 1;
        this.#memberCount = 0;
        return true;
      }
    }
    if (this.#stack.length >= this.#options.depthMax) {
      throw new FileRefused('not_a_table', treeRefusalTexts.jsonTooDeep());
    }
    this.#stack.push({ isArray, path, key: '', isContainer: null });
    return true;
  }

  /**
   * True if an array's objects are parts of an envelope and not records, as in `[{"head":[…]},{"row":[…]}]`
   * of the 행안부 services; null if the text so far does not decide.
   */
  #isContainer(isFinal: boolean): boolean | null {
    if (this.#text.length - this.#position < containerLookahead && !isFinal) return null;
    const ahead = this.#text.slice(this.#position, this.#position + containerLookahead);
    return /^\{\s*"(?:head|row|list_total_count|RESULT)"\s*:\s*[[{]/u.test(ahead);
  }

  #close(): void {
    if (this.#recordStart === none) {
      this.#stack.pop();
      return;
    }
    this.#depth -= 1;
    if (this.#depth > 0) return;
    const text = this.#text.slice(this.#recordStart, this.#position + 1);
    this.#visitor.record(this.#recordPath, text, this.#memberCount);
    this.#recordStart = none;
  }

  #endScalar(): void {
    if (this.#recordStart !== none || this.#scalarStart === none) return;
    const raw = this.#text.slice(this.#scalarStart, this.#position).trim();
    this.#scalarStart = none;
    const frame = this.#stack.at(-1);
    if (frame !== undefined && raw !== '') this.#visitor.scalar(pathBelow(frame), raw);
  }
}

interface Frame {
  readonly isArray: boolean;
  readonly path: string;
  key: string;
  /** True for an array whose objects are parts of an envelope; null before the first object. */
  isContainer: boolean | null;
}

function pathBelow(frame: Frame): string {
  if (frame.isArray) return frame.path;
  return frame.path === '' ? frame.key : `${frame.path}.${frame.key}`;
}

function isBlank(code: number): boolean {
  return (
    code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === recordSeparator
  );
}

/** Splits a text with one JSON object on each line. A broken line loses only its own record. */
export class JsonLines {
  readonly #recordUnitsMax: number;
  readonly #visitor: Pick<JsonVisitor, 'record'>;
  #rest = '';

  constructor(limits: Pick<FileLimits, 'recordUnitsMax'>, visitor: Pick<JsonVisitor, 'record'>) {
    this.#recordUnitsMax = limits.recordUnitsMax;
    this.#visitor = visitor;
  }

  write(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of [...lines, this.#rest]) checkLength(line.length, this.#recordUnitsMax);
    for (const line of lines) this.#visitLine(line.trim());
  }

  /** Throws `FileRefused` if the text ends inside a record. */
  end(): void {
    const last = this.#rest.trim();
    if (last.startsWith('{') && !last.endsWith('}') && parseRecord(last, null) === null) {
      throw new FileRefused('truncated', treeRefusalTexts.jsonTruncated());
    }
    this.#visitLine(last);
  }

  #visitLine(line: string): void {
    if (line !== '') this.#visitor.record('', line, countColons(line));
  }
}

function checkLength(units: number, unitsMax: number): void {
  if (units <= unitsMax) return;
  throw new FileRefused('too_large', treeRefusalTexts.jsonRecordTooLong(unitsMax));
}

/** Counts the colons outside of strings, one for each member. */
function countColons(line: string): number {
  let colons = 0;
  let inString = false;
  for (let position = 0; position < line.length; position++) {
    const code = line.charCodeAt(position);
    if (code === doubleQuote) inString = !inString;
    else if (code === backslash && inString) position++;
    else if (code === colon && !inString) colons++;
  }
  return colons;
}

const none = -1;
const containerLookahead = 64;
const recordSeparator = 0x1e;
const doubleQuote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
