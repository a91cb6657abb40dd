import type { SearchTerm } from '../korean/terms.ts';
import { fieldSeparator } from './gram.ts';

/** A parsed search query: terms that must all occur, and its whole text for exact matches. */
export interface Query {
  readonly terms: readonly SearchTerm[];
  /** The normalised query. */
  readonly text: string;
}

/** Quality of a match: the tier first, then the length of the field that decided it. */
export interface Rank {
  readonly tier: Tier;
  readonly length: number;
}

/** Tiers of matches, best first: a whole field, the start of the name, the name, any other field. */
export const tiers = [0, 1, 2, 3] as const;
export type Tier = (typeof tiers)[number];

/**
 * The rank of a record by its normalised text (name first), or null if a term is missing. One answer ranks
 * hundreds of records, so the text is searched without splitting it.
 */
export function rankOf(recordText: string, { terms, text }: Query): Rank | null {
  const nameEnd = endOfField(recordText, 0);
  let isInName = true;
  for (const term of terms) {
    const at = recordText.indexOf(term.text);
    if (at < 0) return null;
    // The first occurrence is in the name if any occurrence is.
    if (at + term.text.length > nameEnd) isInName = false;
  }
  if (isWholeField(recordText, text)) return { tier: 0, length: text.length };
  const first = terms[0]!.text;
  if (!isInName) return { tier: 3, length: shortestFieldWith(recordText, first) };
  return { tier: recordText.startsWith(first) ? 1 : 2, length: nameEnd };
}

function isWholeField(recordText: string, text: string): boolean {
  for (let at = recordText.indexOf(text); at >= 0; at = recordText.indexOf(text, at + 1)) {
    const startsThere = at === 0 || recordText[at - 1] === fieldSeparator;
    if (startsThere && endOfField(recordText, at) === at + text.length) return true;
  }
  return false;
}

function shortestFieldWith(recordText: string, word: string): number {
  let shortest = Infinity;
  for (let at = recordText.indexOf(word); at >= 0;) {
    const start = recordText.lastIndexOf(fieldSeparator, at) + 1;
    const end = endOfField(recordText, at);
    shortest = Math.min(shortest, end - start);
    at = recordText.indexOf(word, end);
  }
  return shortest;
}

function endOfField(recordText: string, from: number): number {
  const end = recordText.indexOf(fieldSeparator, from);
  return end < 0 ? recordText.length : end;
}

/** Negative if `a` ranks before `b`. Equal ranks keep the order of the documents. */
export function compareRanks(a: Rank, b: Rank): number {
  return a.tier - b.tier || a.length - b.length;
}

/** The rank as a number that grows with relevance: above 3 for a whole field, down to above 0. */
export function scoreOf({ tier, length }: Rank): number {
  return Math.round((3 - tier + 1 / (1 + length)) * 10_000) / 10_000;
}
