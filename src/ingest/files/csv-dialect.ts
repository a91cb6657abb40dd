import { CsvLexer } from './csv-lexer.ts';
import type { FileLimits } from './limits.ts';

/** The delimiter of a text and its usual width. */
export interface CsvDialect {
  readonly delimiter: string;
  /** Number of cells in most rows. */
  readonly width: number;
}

/** Finds the delimiter that gives most rows of a sample the same width; a comma if none does. */
export function sniffDialect(
  sample: string,
  isWhole: boolean,
  limits: FileLimits,
  among: readonly string[] = delimiters,
): CsvDialect {
  const usual = among.includes(',') ? ',' : among[0]!;
  let best = { delimiter: usual, width: 1, score: 0, firstRow: Infinity };
  for (const delimiter of among) {
    if (!sample.includes(delimiter)) continue;
    const widths = widthsOf(sample, isWhole, delimiter, limits);
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
    if (score > best.score * 1.05 || isInHeader) best = { delimiter, width, score, firstRow };
  }
  return { delimiter: best.delimiter, width: best.width };
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

/** Rows by their number of cells. */
function widthsOf(
  sample: string,
  isWhole: boolean,
  delimiter: string,
  limits: FileLimits,
): Map<number, WidthCount> {
  const widths = new Map<number, WidthCount>();
  let row = 0;
  const lexer = new CsvLexer(
    {
      delimiter,
      expectedWidth: 0,
      columnsMax: limits.columnsMax,
      recordUnitsMax: limits.recordUnitsMax,
      // A wrong delimiter leaves the first quote of every row open, and each costs a pass over the sample.
      unclosedMax: 2,
    },
    ({ count }) => {
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
  return widths;
}

/** Weight of a line without the delimiter: it counts against the delimiter, but less than a row of another width. */
const singleWeight = 0.5;
