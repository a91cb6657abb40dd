import { matchingText } from './normalise.ts';

/** Text that a record must contain, normalised with `matchingText`. */
export interface SearchTerm {
  readonly text: string;
  /** A quoted phrase keeps its blanks. */
  readonly phrase: boolean;
}

/** Number of terms that are searched for; more would only cost time. */
export const termsMax = 16;

/** A search query, cut into its terms. */
export interface ParsedQuery {
  readonly terms: readonly SearchTerm[];
  /** Texts of the terms, joined by blanks. */
  readonly text: string;
  /** Texts of the terms after the first `termsMax`, which are not searched for. */
  readonly dropped: readonly string[];
}

/**
 * Splits a query at blanks into distinct terms, at most `termsMax`; `"quoted"` and `“quoted”` texts stay together.
 * A quote without its closing one is an ordinary character.
 */
export function parseQuery(query: string): ParsedQuery {
  const all = new Map<string, SearchTerm>();
  for (const term of termsOf(matchingText(query))) {
    if (term.text !== '' && !all.has(term.text)) all.set(term.text, term);
  }
  const terms = [...all.values()].slice(0, termsMax);
  const dropped = [...all.keys()].slice(termsMax);
  return { terms, text: terms.map(({ text }) => text).join(' '), dropped };
}

function* termsOf(text: string): Generator<SearchTerm> {
  let start = 0;
  while (start < text.length) {
    const closing = closingQuotes.get(text.charAt(start));
    const end = closing === undefined ? -1 : text.indexOf(closing, start + 1);
    if (end > start) {
      yield { text: text.slice(start + 1, end).trim(), phrase: true };
      start = end + 1;
    } else {
      const blank = text.indexOf(' ', start + 1);
      const stop = blank < 0 ? text.length : blank;
      yield { text: text.slice(start, stop).trim(), phrase: false };
      start = stop;
    }
    while (text.charAt(start) === ' ') start++;
  }
}

const closingQuotes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”'],
]);
