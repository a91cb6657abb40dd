import { CsvLexer } from './csv-lexer.ts';
import type { FileLimits } from './limits.ts';

/** The delimiter of a text and its usual width. */
export interface CsvDialect {
  readonly delimiter: string;
  /** Number of cells in most rows. */
  readonly width: number;
  /** True if a backslash stands before a quote inside a quoted cell, as MySQL and Java write it. */
  readonly hasBackslashes?: boolean;
}

/** Finds the delimiter and the way in which quotes are escaped; a comma if no delimiter is regular. */
export function sniffDialect(
  sample: string,
  isWhole: boolean,
  limits: FileLimits,
  among: readonly string[] = delimiters,
): CsvDialect {
  const plain = sniffDelimiter(sample, isWhole, false, limits, among);
  if (!sample.includes('\\"')) return plain.dialect;
  const escaped = sniffDelimiter(sample, isWhole, true, limits, among);
  return escaped.repairs < plain.repairs ? escaped.dialect : plain.dialect;
}

/** Finds the delimiter that gives most rows of a sample the same width; a comma if none does. */
function sniffDelimiter(
  sample: string,
  isWhole: boolean,
  hasBackslashes: boolean,
  limits: FileLimits,
  among: readonly string[],
): { readonly dialect: CsvDialect; readonly repairs: number } {
  const usual = among.includes(',') ? ',' : among[0]!;
  let best = { delimiter: usual, width: 1, score: 0, firstRow: Infinity, repairs: 0 };
  for (const delimiter of among) {
    if (!sample.includes(delimiter)) continue;
    const { widths, repairs } = widthsOf(sample, isWhole, delimiter, hasBackslashes, limits);
    const [width, { rows, firstRow }] = [...widths].sort(
      ([a, one], [b, two]) => two.rows - one.rows || b - a,
    )[0] ?? [1, { rows: 0, firstRow: 0 }];
    if (width < 2) continue;
    let total = 0;
    for (const each of widths.values()) total += each.rows;
    const score = rows / total;
    // A later delimiter must be clearly better: commas inside the cells of a TSV file can be regular, too. Without
    // one in the names of the columns, they are inside the cells.
    const isInHeader = score >= best.score && firstRow < best.firstRow;
    if (score > best.score * 1.05 || isInHeader)
      best = { delimiter, width, score, firstRow, repairs };
  }
  const { delimiter, width, repairs } = best;
  return { dialect: { delimiter, width, hasBackslashes }, repairs };
}

/** Tab and bar are first, because they rarely occur inside cells. U+0001 is that of Hive. */
const delimiters = ['\t', '|', ',', ';', '^', '§', '¦', '\u0001'];

/** Rows of one width. */
interface WidthCount {
  /** Their number, weighted. */
  rows: number;
  /** Index of the first of them in the sample. */
  readonly firstRow: number;
}

/** Rows by their number of cells, and the number of rows with repaired quotes. */
function widthsOf(
  sample: string,
  isWhole: boolean,
  delimiter: string,
  hasBackslashes: boolean,
  limits: FileLimits,
): { readonly widths: ReadonlyMap<number, WidthCount>; readonly repairs: number } {
  let repairs = 0;
  const widths = new Map<number, WidthCount>();
  let row = 0;
  const lexer = new CsvLexer(
    {
      delimiter,
      hasBackslashes,
      expectedWidth: 0,
      columnsMax: limits.columnsMax,
      recordUnitsMax: limits.recordUnitsMax,
      // A wrong delimiter leaves the first quote of every row open, and each costs a pass over the sample.
      unclosedMax: 2,
    },
    ({ count, repair }) => {
      if (repair !== null) repairs += 1;
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
  return { widths, repairs };
}

/** Weight of a line without the delimiter: it counts against the delimiter, but less than a row of another width. */
const singleWeight = 0.5;
