import { CsvLexer } from './csv-lexer.ts';
import type { FileLimits } from './limits.ts';

/** The delimiter of a text and its usual width. */
export interface CsvDialect extends Quoting {
  readonly delimiter: string;
  /** Number of cells in most rows. */
  readonly width: number;
}

interface Quoting {
  /** A double quote if absent. */
  readonly quote?: "'";
  /** True if a backslash stands before a quote inside a quoted cell, as MySQL and Java write it. */
  readonly hasBackslashes?: true;
}

/** Finds the delimiter and the way in which cells are quoted; a comma if no delimiter is regular. */
export function sniffDialect(
  sample: string,
  isWhole: boolean,
  limits: FileLimits,
  candidates: readonly string[] = delimiters,
): CsvDialect {
  const sniff = (quoting: Quoting): Sniffed =>
    sniffDelimiter(sample, isWhole, quoting, limits, candidates);
  let best = sniff({});
  if (sample.includes('\\"')) {
    const escaped = sniff({ hasBackslashes: true });
    if (escaped.repairs < best.repairs) best = escaped;
  }
  if (singleQuoted.test(sample)) {
    const quoting: Quoting = { quote: "'" };
    const single = sniff(sample.includes("\\'") ? { ...quoting, hasBackslashes: true } : quoting);
    const isBetter = single.score > best.score * 1.05;
    const isEqual = single.score === best.score && single.quotedShare >= quotedShareMin;
    if (single.repairs <= best.repairs && (isBetter || isEqual)) best = single;
  }
  return best.dialect;
}

/** A cell that begins with a single quote, after a delimiter or at the start of a line. */
const singleQuoted = /(?:^|[,;\t|^]) *'/mu;
/** Minimum share of rows with a cell in single quotes, if these quotes do not change the widths of rows. */
const quotedShareMin = 0.9;

interface Sniffed {
  readonly dialect: CsvDialect;
  /** Share of the rows with the usual width. */
  readonly score: number;
  readonly repairs: number;
  /** Share of the rows in which a cell is quoted. */
  readonly quotedShare: number;
}

/** Finds the delimiter that gives most rows of a sample the same width; a comma if none does. */
function sniffDelimiter(
  sample: string,
  isWhole: boolean,
  quoting: Quoting,
  limits: FileLimits,
  candidates: readonly string[],
): Sniffed {
  const usual = candidates.includes(',') ? ',' : candidates[0]!;
  let best = {
    delimiter: usual,
    width: 1,
    score: 0,
    firstRow: Infinity,
    repairs: 0,
    quotedShare: 0,
  };
  for (const delimiter of candidates) {
    if (!sample.includes(delimiter)) continue;
    const { widths, repairs, quotedShare } = widthsOf(sample, isWhole, delimiter, quoting, limits);
    const [width, { rows, firstRow }] = [...widths].sort(
      ([a, one], [b, two]) => two.rows - one.rows || b - a,
    )[0] ?? [1, { rows: 0, firstRow: 0 }];
    if (width < 2) continue;
    let total = 0;
    for (const each of widths.values()) total += each.rows;
    const score = rows / total;
    // A later delimiter must be clearly better: commas inside the cells of a TSV file can be regular, too. It also wins
    // if it is as good and its rows begin earlier: a delimiter that the header lacks is inside the cells.
    const isInHeader = score >= best.score && firstRow < best.firstRow;
    if (score > best.score * 1.05 || isInHeader)
      best = { delimiter, width, score, firstRow, repairs, quotedShare };
  }
  const { delimiter, width, score, repairs, quotedShare } = best;
  return { dialect: { delimiter, width, ...quoting }, score, repairs, quotedShare };
}

/** Tab and bar are first, because they rarely occur inside cells. U+0001 is the delimiter of Hive. */
const delimiters = ['\t', '|', ',', ';', '^', '§', '¦', '\u0001'];

/** Rows of one width. */
interface WidthCount {
  /** Their number, weighted. */
  rows: number;
  /** Index of the first of them in the sample. */
  readonly firstRow: number;
}

/** Counts rows by their number of cells, and those with repaired quotes; finds the share of those with quoted cells. */
function widthsOf(
  sample: string,
  isWhole: boolean,
  delimiter: string,
  quoting: Quoting,
  limits: FileLimits,
): { readonly widths: ReadonlyMap<number, WidthCount> } & Pick<Sniffed, 'repairs' | 'quotedShare'> {
  let repairs = 0;
  let quotedRows = 0;
  const widths = new Map<number, WidthCount>();
  let row = 0;
  const lexer = new CsvLexer(
    {
      delimiter,
      ...quoting,
      expectedWidth: 0,
      columnsMax: limits.columnsMax,
      recordUnitsMax: limits.recordUnitsMax,
      // A wrong delimiter leaves the first quote of every row open, and each costs a pass over the sample.
      unclosedMax: 2,
    },
    ({ count, repair, quotedCount }) => {
      if (repair !== null) repairs += 1;
      if (quotedCount > 0) quotedRows += 1;
      const width = Math.max(1, count);
      const seen = widths.get(width) ?? { rows: 0, firstRow: row };
      // Titles, notes and blanks are one cell under any delimiter, so such lines weigh less.
      seen.rows += width > 1 ? 1 : singleWeight;
      widths.set(width, seen);
      row += 1;
    },
  );
  lexer.write(sample);
  if (isWhole) lexer.end();
  return { widths, repairs, quotedShare: quotedRows / Math.max(1, row) };
}

/** Weight of a line without the delimiter: it counts against the delimiter, but less than a row of another width. */
const singleWeight = 0.5;
