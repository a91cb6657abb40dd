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

export function parseQuery(query: string): ParsedQuery {
  const all = allTerms(query);
  const terms = all.slice(0, termsMax);
  const dropped = all.slice(termsMax).map(({ text }) => text);
  return { terms, text: terms.map(({ text }) => text).join(' '), dropped };
}

/**
 * Terms of a query: separated by blanks, `"quoted"` or `“quoted”` kept together, without duplicates, at most
 * `termsMax`. A quote without its closing one is an ordinary character.
 */
export function parseTerms(text: string): SearchTerm[] {
  return allTerms(text).slice(0, termsMax);
}

function allTerms(text: string): SearchTerm[] {
  const terms = new Map<string, SearchTerm>();
  for (const term of termsOf(matchingText(text))) {
    if (term.text !== '' && !terms.has(term.text)) terms.set(term.text, term);
  }
  return [...terms.values()];
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
