import type { Row, Value } from '../data/axis.ts';
import { matchingText } from '../data/korean/normalise.ts';
import type { SearchTerm } from '../data/korean/terms.ts';
import { hasLongerWords } from '../data/search/longer-words.ts';
import { matchingRanges, type Range } from './matching-ranges.ts';

export interface Match {
  readonly field: string;
  readonly label: string;
  readonly snippet: string;
  readonly ranges: readonly Range[];
}

/** Fields of a record in which a term occurs, each with a snippet around its first match. */
export function matchesOf(
  record: Row,
  fields: readonly { readonly name: string; readonly label: string }[],
  terms: readonly SearchTerm[],
): Match[] {
  const texts = terms.map(({ text }) => text);
  const wholeWords = wordsOfTheirOwn(texts, record, fields);
  const matches: Match[] = [];
  for (const { name, label } of fields) {
    if (matches.length >= matchesMax) break;
    const text = textOf(record[name] ?? null);
    const ranges = matchingRanges(text, texts, rangesMax, wholeWords);
    if (ranges.length > 0) matches.push({ field: name, label, ...snippetOf(text, ranges) });
  }
  return matches;
}

/** True if any of the fields has a term. */
export function isFoundIn(
  record: Row,
  fields: readonly { readonly name: string }[],
  term: string,
): boolean {
  return fields.some(({ name }) => matchingText(textOf(record[name] ?? null)).includes(term));
}

/** Terms that occur in a record other than in a longer word (화재 in 문화재), so that these longer words do not match. */
function wordsOfTheirOwn(
  terms: readonly string[],
  record: Row,
  fields: readonly { readonly name: string }[],
): ReadonlySet<string> {
  const ofLonger = terms.filter(hasLongerWords);
  if (ofLonger.length === 0) return noTerms;
  const inLonger = new Set(ofLonger);
  const isFound = (term: string): boolean =>
    fields.some(
      ({ name }) => matchingRanges(textOf(record[name] ?? null), [term], 1, inLonger).length > 0,
    );
  return new Set([...inLonger].filter(isFound));
}

const noTerms: ReadonlySet<string> = new Set();
const matchesMax = 8;
const rangesMax = 16;
const snippetLengthMax = 160;
const contextLengthMax = 40;

function textOf(value: Value): string {
  return typeof value === 'string' ? value : value === null ? '' : String(value);
}

/** Cuts a long text from shortly before its first match; matches beyond the cut are left out. */
function snippetOf(text: string, ranges: readonly Range[]): Pick<Match, 'snippet' | 'ranges'> {
  if (text.length <= snippetLengthMax) return { snippet: text, ranges };
  const [first, firstEnd] = ranges[0]!;
  const from = characterStart(text, Math.max(0, first - contextLengthMax));
  const until = characterStart(text, Math.max(from + snippetLengthMax, firstEnd));
  return {
    snippet: text.slice(from, until),
    ranges: ranges
      .filter(([, end]) => end <= until)
      .map(([start, end]): Range => [start - from, end - from]),
  };
}

/** Moves a position inside a surrogate pair to the start of its character. */
function characterStart(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
