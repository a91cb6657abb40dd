import { delimitAligned, findAlignedColumns } from './aligned-text.ts';
import { sniffDialect, type CsvDialect } from './csv-dialect.ts';
import { CsvLexer } from './csv-lexer.ts';
import type { HeadRow } from './head-row.ts';
import { findingTexts } from './finding-texts.ts';
import { findHeading, headingOfPart, singleHeaderRow, type Heading } from './heading.ts';
import type { FileLimits } from './limits.ts';
import { findLineForm } from './line-form.ts';
import { rewriteLines } from './lines.ts';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused } from './refused.ts';
import type { Part } from './part.ts';
import type { ByteSource } from './source.ts';
import { delimitSpooled, findSpooledText } from './spooled-text.ts';
import { unclearSides } from './side-tables.ts';
import { findStackedText, mayBeStacked, unstack } from './stacked-text.ts';
import { nameEqualSections, sectionNames } from './section-column.ts';
import { TableBody } from './table-body.ts';
import { TableSections, type Section } from './table-sections.ts';
import type { Batch, Cell, Encoding, FileFinding, FindingSink, Table } from './table.ts';
import { readText, readTextHead } from './text.ts';

/**
 * Yields the tables of a delimited text, nearly always one. The text is read twice: first for the headers and the widest
 * rows, then for the rows; once more for each further table. Memory does not grow with the file.
 */
export async function* csvTables(part: Part, encoding: Encoding): AsyncIterable<Table> {
  const { source, limits, finding } = part;
  const { text, isWhole } = await readTextHead(source, encoding, sampleUnits);
  const { dialect, open } = openDelimited(source, encoding, text, isWhole, limits);
  const sections = await readSections(open, dialect, limits);
  if (sections[0]!.head.every((row) => row.every((cell) => cell === null))) {
    throw new FileRefused('empty', refusalTexts.onlyBlanks(source.name));
  }
  const headings = sections.map((section) =>
    sections.length === 1
      ? headingOfPart(part, section)
      : findHeading(section.head, section.usedWidth, limits, section.headLines),
  );
  if (sections.length === 1 && isProse(headings[0]!)) {
    throw new FileRefused('not_a_table', refusalTexts.prose(source.name));
  }
  for (const { head, line: row } of sections) {
    const sides = unclearSides({ rows: head, mergedRows: head, firstRow: row });
    if (sides === null) continue;
    const detail = findingTexts.sidesUnclear(sides, part.path);
    finding({ kind: 'layout_unclear', row, detail });
  }
  if (dialect.width === 1 && mayBeStacked(text)) {
    finding({ kind: 'layout_unclear', row: null, detail: findingTexts.stackedUnclear() });
  }
  const names = sectionNames(headings.map(({ layout }) => layout.titleLines));
  const tables = sections.map((section, index): Table => {
    const heading = headings[index]!;
    const place = { section, next: sections[index + 1] ?? null, heading };
    return {
      part: part.path,
      ...(sections.length === 1 ? {} : { section: names[index]! }),
      format: 'csv',
      encoding,
      columns: heading.columns,
      layout: heading.layout,
      batches: readRows(open, encoding, dialect, place, limits, finding),
    };
  });
  yield* nameEqualSections(tables, '표');
}

const sampleUnits = 256 * 1024;

/** Opens the delimited text from its start; `onOtherLine` is as in `readText`. */
type TextOpener = (onOtherLine?: (line: number) => void) => AsyncIterable<string>;

/** The text of a source with its delimiter. A longer delimiter, or alignment by blanks, is rewritten to a character. */
function openDelimited(
  source: ByteSource,
  encoding: Encoding,
  sample: string,
  isWhole: boolean,
  limits: FileLimits,
): { dialect: CsvDialect; open: TextOpener } {
  const open: TextOpener = (onOtherLine) => readText(source, encoding, onOtherLine);
  const form = findLineForm(sample, isWhole);
  if (form !== null) {
    const { delimiter, rewrite } = form;
    const rewritten = sample.split('\n').map(rewrite).join('');
    return {
      dialect: sniffDialect(rewritten, isWhole, limits, [delimiter]),
      open: (onOtherLine) => rewriteLines(open(onOtherLine), rewrite, limits),
    };
  }
  const spooled = findSpooledText(sample);
  if (spooled !== null) {
    return {
      dialect: { delimiter: '\t', width: spooled.columns.bounds.length },
      open: (onOtherLine) => delimitSpooled(source.name, open(onOtherLine), spooled, limits),
    };
  }
  if (isPrinted(sample)) {
    throw new FileRefused('not_a_table', refusalTexts.printedReport(source.name));
  }
  const dialect = sniffDialect(sample, isWhole, limits);
  const columns = dialect.width === 1 ? findAlignedColumns(sample) : null;
  if (columns !== null) {
    return {
      dialect: { delimiter: '\t', width: columns.bounds.length },
      open: (onOtherLine) => delimitAligned(open(onOtherLine), columns, limits),
    };
  }
  // Commas inside of cells may look like a delimiter.
  const stacked = dialect.width < 3 && isWhole ? findStackedText(sample) : null;
  if (stacked === null) return { dialect, open };
  return {
    dialect: { delimiter: '\t', width: stacked.columns },
    open: () => asPiece(unstack(sample, stacked)),
  };
}

async function* asPiece(text: string): AsyncIterable<string> {
  yield text;
}

/** True for a text with the number of a page at the end of two lines, as mainframes print it. */
function isPrinted(sample: string): boolean {
  return (sample.match(pageHeading)?.length ?? 0) > 1;
}

const pageHeading = /(?<=\S) {2,}(?:page|페이지|쪽)(?: ?no\.?)? ?[:.]? *\d+ *\r?$/gimu;

/** True for a text whose first line is a sentence; a list of one column has a name above it. */
function isProse({ columns, layout }: Heading): boolean {
  const lines = [...layout.titleLines, ...columns];
  return columns.length === 1 && /\s.*(?:니다|[.。!?])$/u.test(lines[0]!);
}

async function readSections(
  open: TextOpener,
  dialect: CsvDialect,
  limits: FileLimits,
): Promise<readonly Section[]> {
  const sections = new TableSections();
  const widest = dialect.width + limits.surplusColumnsMax;
  const lexer = openLexer(dialect, limits, (record) => {
    const cells = sections.needsCells ? cellsOf(record) : noCells;
    const isOdd = record.hasOverflow || record.count > widest;
    const { usedWidth } = sections;
    let width = isOdd ? 0 : record.count;
    while (width > usedWidth && !record.isFilled(width - 1)) width -= 1;
    sections.add(cells, isBlank(record), record.line, width);
  });
  for await (const text of open()) lexer.write(text);
  lexer.end();
  return sections.end();
}

const noCells: HeadRow = [];

function cellsOf(record: CsvLexer): HeadRow {
  return Array.from({ length: record.count }, (_, index) => record.cell(index));
}

function isBlank(record: CsvLexer): boolean {
  for (let index = 0; index < record.count; index++) if (record.isFilled(index)) return false;
  return true;
}

/** A table among the records of a text; `next` is the one below it. */
interface CsvPlace {
  readonly section: Section;
  readonly next: Section | null;
  readonly heading: Heading;
}

async function* readRows(
  open: TextOpener,
  encoding: Encoding,
  dialect: CsvDialect,
  { section, next, heading }: CsvPlace,
  limits: FileLimits,
  finding: FindingSink,
): AsyncIterable<Batch> {
  const body = new TableBody(
    heading.columns.length,
    finding,
    singleHeaderRow(heading),
    heading.layout.titleLines,
  );
  let skip = section.start + heading.firstDataRow;
  let rowsLeft = (next?.start ?? Infinity) - skip;
  let isDamaged = false;
  const lexer = openLexer(dialect, limits, (record) => {
    if (skip > 0) skip -= 1;
    else if (rowsLeft-- > 0) addRecord(record, heading, isDamaged, body, finding);
  });
  const reportOther = (line: number): void => {
    if (line < section.line || line >= (next?.line ?? Infinity)) return;
    const detail = findingTexts.otherEncoding(encoding);
    finding({ kind: 'encoding_mixed', row: line, detail });
  };
  for await (const text of open(reportOther)) {
    // A damaged row may end in a later piece, so all rows from the first damage on are checked.
    isDamaged ||= damageSigns.some((sign) => text.includes(sign));
    lexer.write(text);
    if (body.isFull) yield body.takeBatch();
    if (rowsLeft <= 0) break;
  }
  lexer.end();
  yield body.endBatch();
}

function openLexer(
  dialect: CsvDialect,
  limits: FileLimits,
  onRecord: (lexer: CsvLexer) => void,
): CsvLexer {
  const { width: expectedWidth, ...quoting } = dialect;
  const { recordUnitsMax } = limits;
  const columnsMax = limits.columnsMax + limits.surplusColumnsMax;
  return new CsvLexer({ ...quoting, expectedWidth, columnsMax, recordUnitsMax }, onRecord);
}

function addRecord(
  record: CsvLexer,
  heading: Heading,
  isDamaged: boolean,
  body: TableBody,
  finding: FindingSink,
): void {
  const { count, line } = record;
  const width = heading.columns.length;
  const cells: Cell[] = [];
  let filled = 0;
  for (let index = 0; index < width; index++) {
    const cell = index < count ? record.cell(index) : null;
    if (cell !== null) filled += 1;
    cells.push(cell);
  }
  let odd: FileFinding | null = null;
  if (filled > 0) {
    if (record.repair !== null) finding({ kind: 'quote_broken', row: line, detail: record.repair });
    if (isDamaged) reportDamage(cells, line, finding);
    odd = count === heading.headerWidth ? null : oddWidth(record, heading);
    if (odd?.kind === 'row_unreadable') return finding(odd);
  }
  body.add(cells, filled, line, { odd });
}

/** The finding about a row that is not as wide as the header; null if only blank cells are too many. */
function oddWidth(record: CsvLexer, heading: Heading): FileFinding | null {
  const { headerWidth } = heading;
  const row = record.line;
  if (record.count < headerWidth) {
    const detail = findingTexts.narrower(record.count, headerWidth);
    return { kind: 'row_narrower', row, detail };
  }
  let used = record.count;
  while (used > headerWidth && !record.isFilled(used - 1)) used -= 1;
  if (used > heading.columns.length || record.hasOverflow) {
    return { kind: 'row_unreadable', row, detail: findingTexts.tooWide(used, headerWidth) };
  }
  if (used === headerWidth) return null;
  const detail = findingTexts.wider(used, headerWidth);
  return { kind: 'row_wider', row, detail };
}

/** Signs of damage: a piece of text without any of them has no damaged cell. */
const damageSigns = [
  '\ufffd',
  '¿¿',
  '???',
  '####',
  '#N/A',
  '#REF!',
  '#DIV/0!',
  '#VALUE!',
  '#NAME?',
];
/** A cell that has only marks in place of letters which an encoding lacked. */
const lostLetters = /^(?=.*(?:\?{3}|¿{2}))[?¿\s\d().,-]+$/u;

/** An error of a formula, or the signs that fill a column too narrow for its dates. */
const spreadsheetError = /^#(?:N\/A|REF!|DIV\/0!|VALUE!|NAME\?|NUM!|NULL!|#{3,})$/u;

function reportDamage(cells: readonly Cell[], row: number, finding: FindingSink): void {
  for (const [index, cell] of cells.entries()) {
    if (typeof cell !== 'string') continue;
    if (spreadsheetError.test(cell)) {
      const detail = findingTexts.errorValue(index + 1, cell.slice(0, 80));
      finding({ kind: 'formula_without_value', row, detail });
      return;
    }
    const isUnreadable = cell.includes('\ufffd');
    if (!isUnreadable && !lostLetters.test(cell)) continue;
    const text = isUnreadable ? findingTexts.characterUnreadable : findingTexts.lettersLost;
    finding({ kind: 'character_unreadable', row, detail: text(index + 1, cell.slice(0, 80)) });
    return;
  }
}
