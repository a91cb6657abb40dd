import { rowCount } from './spooled-text.ts';

/** A form of text in which each line has to be rewritten before it can be split into cells. */
interface LineForm {
  readonly delimiter: string;
  /** The line as delimited text, with its line feed; empty for a line without cells, such as a rule. */
  readonly rewrite: (line: string) => string;
}

/**
 * Finds a form that the lines of a sample have: a delimiter of several characters (`||`), rows in a pair of quotes each,
 * as a sheet of one column is saved, or a table with rules, as psql, mysql and Markdown draw it. Null for other texts.
 */
export function findLineForm(sample: string, isWhole: boolean): LineForm | null {
  const lines = sample.split(/\r\n?|\n/u).slice(0, linesMax);
  if (!isWhole) lines.pop();
  const filled = lines.filter((line) => line.trim() !== '');
  if (filled.length < linesMin) return null;
  return (
    namedDelimiterOf(filled) ??
    longDelimiterOf(filled) ??
    quotedRowsOf(filled) ??
    quotedWordsOf(filled) ??
    ruledTableOf(filled) ??
    drawnTableOf(filled)
  );
}

const linesMin = 3;
const linesMax = 1_000;

/** The delimiter that a first line names for Excel: `sep=;`. */
function namedDelimiterOf([first = '']: readonly string[]): LineForm | null {
  const [, delimiter] = named.exec(first) ?? [];
  if (delimiter === undefined) return null;
  return { delimiter, rewrite: (line) => (named.test(line) ? '\n' : `${line}\n`) };
}

const named = /^"?sep=(.)"?,*\r?$/iu;

function longDelimiterOf(lines: readonly string[]): LineForm | null {
  const longDelimiter = longDelimiters.find((each) => delimits(each, lines));
  if (longDelimiter === undefined) return null;
  return {
    delimiter: unitSeparator,
    rewrite: (line) => `${line.replaceAll(longDelimiter, unitSeparator)}\n`,
  };
}

/** Longest delimiters first. Those without `|` or `^` may stand in values, so they count only if lines have them twice. */
const longDelimiters = ['|^|', '^|^', '|*|', '||', '^|', '|^', '!|', '~|', '|~', '@@', '::', ';;'];
/** Replaces a delimiter of several characters: U+001F, the unit separator. */
const unitSeparator = '\u001f';

/** True if nearly all lines have a delimiter equally often, and its characters nowhere else. */
function delimits(longDelimiter: string, lines: readonly string[]): boolean {
  const counts = lines.map((line) => {
    const parts = line.split(longDelimiter);
    const isPure = parts.every((part) =>
      [...longDelimiter].every((character) => !part.includes(character)),
    );
    return isPure ? parts.length - 1 : 0;
  });
  const usual = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)]!;
  const isCertain = usual > (/[|^]/u.test(longDelimiter) ? 0 : 1);
  return isCertain && counts.filter((each) => each === usual).length >= lines.length * shareMin;
}

/** Minimum share of the lines with the usual number of delimiters; the others are titles and notes. */
const shareMin = 0.9;

function quotedRowsOf(lines: readonly string[]): LineForm | null {
  if (!lines.every((line) => quotedRow.test(line))) return null;
  const [header = '', ...rows] = lines.map((line) => withoutQuotes(line).split(',').length);
  const areWide = Number(header) > 1 && rows.every((width) => width >= Number(header));
  return areWide ? { delimiter: ',', rewrite: (line) => `${withoutQuotes(line)}\n` } : null;
}

const quotedRow = /^"(?:[^"]|"")*"$/u;

function withoutQuotes(line: string): string {
  const row = line.replace(/\r$/u, '');
  return quotedRow.test(row) ? row.slice(1, -1).replaceAll('""', '"') : row;
}

/** A table as R writes it: single blanks between cells, texts in quotes, and row numbers without a name in the header. */
function quotedWordsOf(lines: readonly string[]): LineForm | null {
  if (!lines[0]!.startsWith('"')) return null;
  const [header = 0, ...rows] = lines.map((line) =>
    quotedWords.test(line) ? line.match(words)!.length : 0,
  );
  const [width = 0] = rows;
  const isTable = width > 1 && rows.every((each) => each === width);
  const isNamed = header === width || header === width - 1;
  if (!isTable || !isNamed) return null;
  return { delimiter: '\t', rewrite: (line) => `${(line.match(words) ?? []).join('\t')}\n` };
}

const words = /"(?:[^"\\]|\\.)*"|[^\s"]+/gu;
const quotedWords =
  /^(?=.*")(?:"(?:[^"\\]|\\.)*"|[^\s",;|]+)(?: (?:"(?:[^"\\]|\\.)*"|[^\s",;|]+))+\r?$/u;

function ruledTableOf(lines: readonly string[]): LineForm | null {
  const rule = lines.slice(0, ruleLineMax).find(isRule);
  if (rule === undefined) return null;
  const delimiter = /[,;\t]/u.exec(rule)?.[0] ?? '|';
  const cells = lines.filter((line) => line.includes(delimiter) && !isRule(line));
  if (cells.length * 2 < lines.length) return null;
  return {
    delimiter,
    rewrite(line) {
      const row = line.trim();
      if (isRule(row) || rowCount.test(row)) return '';
      return `${delimiter === '|' ? row.replace(/^\|(.*)\|$/u, '$1') : line}\n`;
    },
  };
}

/** A table in characters that draw boxes, as tables of Hangul documents become texts: `│가람│12│` between `├──┼──┤`. */
function drawnTableOf(lines: readonly string[]): LineForm | null {
  const cells = lines.filter((line) => drawnRow.test(line));
  const isDrawn = lines.some(isDrawnRule) && cells.length * 2 >= lines.length - countRules(lines);
  if (!isDrawn || cells.length === 0) return null;
  return {
    delimiter: '|',
    rewrite(line) {
      const row = line.trim();
      if (isDrawnRule(row)) return '';
      return drawnRow.test(row) ? `${row.slice(1, -1).replace(/[│┃║]/gu, '|')}\n` : `${row}\n`;
    },
  };
}

const drawnRow = /^\s*[│┃║].*[│┃║]\s*$/u;

function isDrawnRule(line: string): boolean {
  return /^[\s\u2500-\u257f]+$/u.test(line) && /[─━═]/u.test(line);
}

function countRules(lines: readonly string[]): number {
  return lines.filter(isDrawnRule).length;
}

/** A header has at most a title, a rule and blank lines above the rule below it. */
const ruleLineMax = 10;
/** True for `----+----`, `+----+----+`, `|---|:--:|`, and `----,----` of a client with a delimiter of its own. */
function isRule(line: string): boolean {
  const isDrawn = /^[-+|: \r]+$/u.test(line) && line.includes('--') && /[+|]/u.test(line);
  return isDrawn || /^-{2,}(?:([,;\t])-+(?:\1-+)*)\s*$/u.test(line);
}
