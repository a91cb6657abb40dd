import type { SearchTerm } from '../korean/terms.ts';
import { fieldSeparator } from './gram.ts';

/** A question as search understands it: terms that must all occur, and the whole of it for exact matches. */
export interface Question {
  readonly terms: readonly SearchTerm[];
  /** The normalised question. */
  readonly text: string;
}

/** How well a record answers: the tier first, then the length of the field that decided it. */
export interface Rank {
  readonly tier: Tier;
  readonly length: number;
}

/** A whole field, the start of the name, the name, any other field. */
export const tiers = [0, 1, 2, 3] as const;
export type Tier = (typeof tiers)[number];

/** The rank of a record by its normalised text (name first), or null when a term is missing. */
export function rankOf(recordText: string, question: Question): Rank | null {
  const fields = recordText.split(fieldSeparator);
  for (const { text } of question.terms)
    if (!fields.some((field) => field.includes(text))) return null;
  if (fields.includes(question.text)) return { tier: 0, length: question.text.length };
  const name = fields[0]!;
  if (question.terms.every(({ text }) => name.includes(text))) {
    const starts = name.startsWith(question.terms[0]!.text);
    return { tier: starts ? 1 : 2, length: name.length };
  }
  let shortest = Infinity;
  for (const field of fields) {
    if (field.length < shortest && field.includes(question.terms[0]!.text)) shortest = field.length;
  }
  return { tier: 3, length: shortest };
}

/** Below zero when `a` comes before `b`. Equal ranks keep the order of the documents. */
export function compareRanks(a: Rank, b: Rank): number {
  return a.tier - b.tier || a.length - b.length;
}

/** The rank as a number that grows with relevance: above 3 for a whole field, down to above 0. */
export function scoreOf({ tier, length }: Rank): number {
  return Math.round((3 - tier + 1 / (1 + length)) * 10_000) / 10_000;
}
