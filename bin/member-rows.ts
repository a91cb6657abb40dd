import { CsvLexer } from '../src/ingest/files/csv-lexer.ts';
import { parseObject } from '../src/kernel/json-object.ts';
import type { ImportRow, RefusedRow } from '../src/members/import-members.ts';
import { memberColumns, type MemberColumns } from './member-columns.ts';

/**
 * Reads rows of a UTF-8 text that arrives in pieces: JSON objects, one per line, or CSV with the column names in the
 * first line. A row that cannot be read is refused with its line number. Throws if the text is neither.
 */
export async function* readMemberRows(
  pieces: AsyncIterable<string>,
): AsyncGenerator<readonly ImportRow[]> {
  let head = '';
  let reader: RowReader | null = null;
  for await (const piece of pieces) {
    if (reader === null) {
      head += piece;
      reader = readerOf(head, false);
      if (reader !== null) yield reader.write(head);
    } else {
      yield reader.write(piece);
    }
  }
  const lastReader = reader ?? readerOf(head, true);
  if (lastReader === null) return;
  if (reader === null) yield lastReader.write(head);
  yield lastReader.end();
}

interface RowReader {
  write(piece: string): readonly ImportRow[];
  end(): readonly ImportRow[];
}

/** The reader for the format of a text; null for white space, and while the first line is incomplete. */
function readerOf(head: string, isWhole: boolean): RowReader | null {
  const text = head.replace(/^\ufeff/, '').trimStart();
  if (text === '') return null;
  if (text.startsWith('{')) return new LineReader();
  if (text.startsWith('[')) throw new Error('The file is a JSON array. Write one object a line.');
  const end = text.search(/[\r\n]/);
  if (end < 0 && !isWhole && text.length <= rowUnitsMax) return null;
  return new CsvReader(memberColumns(end < 0 ? text : text.slice(0, end)));
}

/** Reads JSON objects, one per line. */
class LineReader implements RowReader {
  #line = 0;
  #rest = '';
  /** True within a line that is too long, until its end. */
  #isSkipping = false;

  write(piece: string): readonly ImportRow[] {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop()!;
    const rows = lines.flatMap((line) => this.#read(line));
    if (this.#rest.length > rowUnitsMax) {
      this.#isSkipping = true;
      this.#rest = '';
    }
    return rows;
  }

  end(): readonly ImportRow[] {
    return this.#rest === '' && !this.#isSkipping ? [] : this.#read(this.#rest);
  }

  #read(text: string): readonly ImportRow[] {
    this.#line += 1;
    const line = this.#line;
    if (this.#isSkipping || text.length > rowUnitsMax) {
      this.#isSkipping = false;
      return [malformed(line, null, `The row is longer than ${rowUnitsMax} characters.`)];
    }
    const row = line === 1 ? text.replace(/^\ufeff/, '') : text;
    if (row.trim() === '') return [];
    if (row.includes('\ufffd')) return [malformed(line, row, notUtf8)];
    const body = parseObject(row);
    return [body === null ? malformed(line, row, 'The row is no JSON object.') : { line, body }];
  }
}

class CsvReader implements RowReader {
  readonly #columns: MemberColumns;
  readonly #lexer: CsvLexer;
  #rows: ImportRow[] = [];
  #isHeader = true;

  constructor(columns: MemberColumns) {
    this.#columns = columns;
    const { delimiter, width } = columns;
    const bounds = { columnsMax: width + 1, recordUnitsMax: 4 * rowUnitsMax };
    this.#lexer = new CsvLexer({ delimiter, expectedWidth: width, ...bounds }, () => this.#add());
  }

  write(piece: string): readonly ImportRow[] {
    this.#rows = [];
    this.#lexer.write(piece);
    return this.#rows;
  }

  end(): readonly ImportRow[] {
    this.#rows = [];
    this.#lexer.end();
    return this.#rows;
  }

  #add(): void {
    const { line, count, repair, text, starts, ends } = this.#lexer;
    const cells = Array.from({ length: count }, (_, at) => this.#lexer.cell(at));
    if (cells.every((cell) => cell === null)) return;
    if (this.#isHeader) {
      this.#isHeader = false;
      return;
    }
    const { width } = this.#columns;
    const row = text.slice(starts[0], ends[count - 1]);
    if (row.length > rowUnitsMax) {
      this.#rows.push(malformed(line, null, `The row is longer than ${rowUnitsMax} characters.`));
    } else if (count !== width) {
      const reason = `The row has ${count > width ? 'more' : 'fewer'} than ${width} columns.`;
      this.#rows.push(malformed(line, row, reason));
    } else if (repair !== null) {
      this.#rows.push(malformed(line, row, `The quotes of the row do not match. ${repair.en}`));
    } else if (row.includes('\ufffd')) {
      this.#rows.push(malformed(line, row, notUtf8));
    } else {
      this.#rows.push({ line, body: this.#columns.bodyOf(cells) });
    }
  }
}

function malformed(line: number, row: string | null, message: string): RefusedRow {
  return { line, row, code: 'malformed_row', message };
}

const notUtf8 = 'The row is not valid UTF-8. Save the file as UTF-8.';

/** Limit on the characters of a row, the same as for the body of a registration. */
const rowUnitsMax = 65_536;
