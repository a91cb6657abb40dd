import { parseRecord } from './json-record.ts';
import type { FileLimits } from './limits.ts';
import { FileRefused } from './refused.ts';
import type { ByteSource } from './source.ts';
import type { Encoding } from './table.ts';
import { readTextHead } from './text.ts';

/**
 * Cuts a text of one JSON object a line into its lines, each a record: a line that is broken costs itself,
 * and not the ones after it.
 */
export class JsonLines {
  readonly #recordUnitsMax: number;
  readonly #visitor: LineVisitor;
  #rest = '';

  constructor(limits: Pick<FileLimits, 'recordUnitsMax'>, visitor: LineVisitor) {
    this.#recordUnitsMax = limits.recordUnitsMax;
    this.#visitor = visitor;
  }

  write(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of [...lines, this.#rest]) {
      if (line.length <= this.#recordUnitsMax) continue;
      throw new FileRefused(
        'too_large',
        `A record of the JSON is longer than ${this.#recordUnitsMax} characters; it is no table.`,
      );
    }
    for (const line of lines) this.#take(line.trim());
  }

  /** Throws `FileRefused` where the text ends inside a record. */
  end(): void {
    const last = this.#rest.trim();
    if (last.startsWith('{') && !last.endsWith('}') && parseRecord(last, null) === null) {
      throw new FileRefused('truncated', 'The JSON ends in the middle; download it again.');
    }
    this.#take(last);
  }

  #take(line: string): void {
    if (line !== '') this.#visitor.record('', line, countNames(line));
  }
}

interface LineVisitor {
  /** Every line that is not blank, at the root, with how many members its objects have together. */
  record(path: string, text: string, names: number): void;
}

/**
 * Whether a JSON text is one object a line: it begins with an object, and two of its first lines are whole
 * ones. Objects that are printed over several lines have no such line.
 */
export async function isJsonLines(source: ByteSource, encoding: Encoding): Promise<boolean> {
  const { text } = await readTextHead(source, encoding, headUnits);
  if (!text.trimStart().startsWith('{')) return false;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const whole = lines.slice(0, headLines).filter(isWholeObject);
  return whole.length >= 2;
}

const headUnits = 64 * 1024;
const headLines = 20;

/** At the margin: an object on a line of its own inside a printed one is set in. */
function isWholeObject(line: string): boolean {
  if (!line.startsWith('{') || !line.trimEnd().endsWith('}')) return false;
  return parseRecord(line, null) !== null;
}

/** The colons outside of strings: one for each member. */
function countNames(line: string): number {
  let names = 0;
  let inString = false;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === doubleQuote) inString = !inString;
    else if (code === backslash && inString) at++;
    else if (code === colon && !inString) names++;
  }
  return names;
}

const doubleQuote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;
