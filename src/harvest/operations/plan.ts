import { choicesOf, type CollectionTime } from './choices.ts';
import type { AxisDefinition } from './definition.ts';
import type { Enumeration, Loop } from './enumeration.ts';

/** What a collection costs, before anything is asked. */
export interface CollectionPlan {
  /** Questions that are asked from their first page on. */
  readonly questions: number;
  /** Calls, lists and further pages included. */
  readonly requests: number;
  /** Days that the operation's daily quota takes. */
  readonly days: number;
}

/**
 * Counts a collection by its loops and by what is known of its size: exact for known values, an
 * estimate for records of other axes. A run counts for itself as answers come in.
 */
export function plannedRequests(
  axis: AxisDefinition,
  time: CollectionTime,
  enumeration: Enumeration = axis.enumeration,
): CollectionPlan {
  const questions = questionsOf(enumeration, {}, time);
  const rows = axis.expectedRows / Math.max(1, questions);
  const pages = Math.max(1, Math.ceil(rows / axis.paging.pageSize));
  const lists = enumeration
    .filter((loop) => loop.kind === 'list')
    .reduce((sum, { each }) => sum + (each?.expect ?? 1), 0);
  const requests = questions * pages + lists;
  return { questions, requests, days: Math.ceil(requests / axis.dailyQuota) };
}

function questionsOf(
  [loop, ...inner]: Enumeration,
  outer: Readonly<Record<string, string>>,
  time: CollectionTime,
): number {
  if (loop === undefined) return 1;
  if (loop.kind === 'newest-year') return loop.back + 1;
  if (isOpen(loop)) return loop.expect * questionsOf(inner, outer, time);
  const choices = choicesOf(loop, outer, time);
  return choices.length * questionsOf(inner, { ...outer, ...choices[0]?.parameters }, time);
}

function isOpen(loop: Loop): loop is Extract<Loop, { expect: number }> {
  return 'expect' in loop;
}
