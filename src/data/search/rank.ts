import type { SearchTerm } from '../korean/terms.ts';
import { endOfField, fieldSeparator, type GramKey } from './gram.ts';
import { otherWordLength, titleDistance } from './title-distance.ts';

/** A parsed search query: terms that must all occur, and its whole text for exact matches. */
export interface Query {
  readonly terms: readonly QueryTerm[];
  /** The normalised query. */
  readonly text: string;
  /** True for a search of dataset titles, which ranks by all terms: by `titleDistance` and the fields with each term. */
  readonly ranksTitles?: boolean;
}

/** A term, and the alternatives to its text that fulfil it. */
export interface QueryTerm extends SearchTerm {
  /** Synonyms, which fulfil the term in a name. */
  readonly nameSynonyms?: readonly string[];
  /** Key of the documents that fulfil the term by a tag, such as the tag of a region. */
  readonly tag?: GramKey;
}

/** Quality of a match: a lower tier is better, and within a tier a lower length. */
export interface Rank {
  readonly tier: Tier;
  /** Length of the fields with the terms; if titles are ranked, plus `titleDistance`. */
  readonly length: number;
}

/**
 * Tiers of matches, best first: the dataset is about all terms; the name is the query, begins with its first term,
 * or contains all of its terms. Then, in a dataset that is about some of the terms, the name contains the others (or
 * has other words for some of them), or any field does. Last, the terms are in any fields of another dataset.
 */
export const tiers = [0, 1, 2, 3, 4, 5, 6] as const;
export type Tier = (typeof tiers)[number];

/**
 * The rank of a record by its normalised text (name first), or null if a term is missing. `fulfilled` has a bit for each
 * term that is a topic of the dataset, `tagged` for each term that the record fulfils by a tag: neither need occur. One
 * answer ranks hundreds of records, so the text is searched without splitting it.
 */
export function rankOf(recordText: string, query: Query, fulfilled = 0, tagged = 0): Rank | null {
  const { terms, text } = query;
  const nameEnd = endOfField(recordText, 0);
  let areAllInName = true;
  let areRequiredInName = true;
  let hasOtherWord = false;
  let firstRequired: string | null = null;
  for (const [position, term] of terms.entries()) {
    const isRequired = (fulfilled & (1 << position)) === 0;
    const at = recordText.indexOf(term.text);
    if (isRequired) firstRequired ??= term.text;
    // The first occurrence is in the name if any occurrence is.
    if (at >= 0 && at + term.text.length <= nameEnd) continue;
    areAllInName = false;
    if (!isRequired) continue;
    if (term.nameSynonyms !== undefined && hasNameWord(recordText, nameEnd, term.nameSynonyms))
      hasOtherWord = true;
    else if (at < 0 && (tagged & (1 << position)) === 0) return null;
    else areRequiredInName = false;
  }
  if (firstRequired === null) return { tier: 0, length: 0 };
  const distance = query.ranksTitles === true ? titleDistance(recordText, nameEnd, terms) : 0;
  if (areAllInName && distance < otherWordLength) {
    if (recordText.startsWith(text) && nameEnd === text.length) return { tier: 1, length: nameEnd };
    const isStart = distance === 0 && recordText.startsWith(terms[0]!.text);
    return { tier: isStart ? 2 : 3, length: nameEnd + distance };
  }
  if (areAllInName || ((fulfilled !== 0 || hasOtherWord) && areRequiredInName))
    return { tier: 4, length: nameEnd + distance };
  const length =
    query.ranksTitles === true
      ? weightOf(recordText, nameEnd, terms)
      : shortestFieldWith(recordText, firstRequired);
  return { tier: fulfilled === 0 ? 6 : 5, length };
}

function hasNameWord(recordText: string, nameEnd: number, words: readonly string[]): boolean {
  return words.some((word) => {
    const at = recordText.indexOf(word);
    return at >= 0 && at + word.length <= nameEnd;
  });
}

/** Sum, over the terms that the name lacks in these or other words, of the length of the shortest field with the term. */
function weightOf(recordText: string, nameEnd: number, terms: readonly QueryTerm[]): number {
  let weight = 0;
  for (const { text, nameSynonyms = [] } of terms) {
    if (hasNameWord(recordText, nameEnd, [text, ...nameSynonyms])) continue;
    weight += shortestFieldWith(recordText, text);
  }
  return weight;
}

/** Length of the shortest field with a word; the length of the whole record if no field has it. */
function shortestFieldWith(recordText: string, word: string): number {
  let shortest = recordText.length;
  for (let at = recordText.indexOf(word); at >= 0;) {
    const start = recordText.lastIndexOf(fieldSeparator, at) + 1;
    const end = endOfField(recordText, at);
    shortest = Math.min(shortest, end - start);
    at = recordText.indexOf(word, end);
  }
  return shortest;
}

/** Negative if `a` ranks before `b`. Equal ranks keep the order of the documents. */
export function compareRanks(a: Rank, b: Rank): number {
  return a.tier - b.tier || a.length - b.length;
}

/** The rank as a number that grows with relevance: above 6 in a dataset about all terms, down to above 0. */
export function scoreOf({ tier, length }: Rank): number {
  return Math.round((6 - tier + 1 / (1 + length)) * 10_000) / 10_000;
}
