import { CsvLexer } from './csv-lexer.ts';
import type { FileLimits } from './limits.ts';

/** The delimiter of a text and its usual width. */
export interface CsvDialect {
  readonly delimiter: string;
  /** Number of cells in most rows. */
  readonly width: number;
}

/** Finds the delimiter that gives most rows of a sample the same width; a comma if none does. */
export function sniffDialect(sample: string, isWhole: boolean, limits: FileLimits): CsvDialect {
  let best: CsvDialect & { score: number } = { delimiter: ',', width: 1, score: 0 };
  for (const delimiter of delimiters) {
    const widths = widthsOf(sample, isWhole, delimiter, limits);
    const [width, rows] = [...widths].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [1, 0];
    if (width < 2) continue;
    let total = 0;
    for (const count of widths.values()) total += count;
    const score = rows / total;
    // A later delimiter must be clearly better: commas inside the cells of a TSV file can be regular, too.
    if (score > best.score * 1.05) best = { delimiter, width, score };
  }
  return { delimiter: best.delimiter, width: best.width };
}

/** Tab and bar are first, because they rarely occur inside cells. */
const delimiters = ['\t', '|', ',', ';'];

/** Weighted number of rows by their number of cells. */
function widthsOf(
  sample: string,
  isWhole: boolean,
  delimiter: string,
  limits: FileLimits,
): Map<number, number> {
  const widths = new Map<number, number>();
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
      // Titles, notes and blanks are one cell under any delimiter, so such lines weigh less.
      if (count > 1) widths.set(count, (widths.get(count) ?? 0) + 1);
      else widths.set(1, (widths.get(1) ?? 0) + singleWeight);
    },
  );
  lexer.write(sample);
  if (isWhole) lexer.end();
  return widths;
}

/** Weight of a line without the delimiter: it counts against the delimiter, but less than a row of another width. */
const singleWeight = 0.5;
