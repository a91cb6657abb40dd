import { matchingText } from './normalise.ts';

/** Text that a record must contain, normalised with `matchingText`. */
export interface SearchTerm {
  readonly text: string;
  /** A quoted phrase keeps its blanks. */
  readonly phrase: boolean;
}

/** More terms than this narrow nothing further and only cost time: the rest is dropped. */
export const termsMax = 16;

/** Terms of a query, and their texts joined by blanks. */
export function questionOf(text: string): { terms: SearchTerm[]; text: string } {
  const terms = parseTerms(text);
  return { terms, text: terms.map((term) => term.text).join(' ') };
}

/**
 * Terms of a query: separated by blanks, `"quoted"` or `“quoted”` kept together, without duplicates, at most
 * `termsMax`. A quote without its closing one is an ordinary character.
 */
export function parseTerms(text: string): SearchTerm[] {
  return everyTerm(text).slice(0, termsMax);
}

/** Terms of a query that `parseTerms` leaves out: those after the first `termsMax`. */
export function droppedTerms(text: string): string[] {
  return everyTerm(text)
    .slice(termsMax)
    .map((term) => term.text);
}

function everyTerm(text: string): SearchTerm[] {
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
