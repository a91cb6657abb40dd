import { choicesOf, type CollectionTime } from './choices.ts';
import type { AxisDefinition } from './definition.ts';
import type { Enumeration, Loop } from './enumeration.ts';

/** Cost of a collection, before its first request. */
interface CollectionPlan {
  /** Paged requests. */
  readonly pagedRequests: number;
  /** Requests, lists and further pages included. */
  readonly requests: number;
  /** Days that the operation's daily quota takes. */
  readonly days: number;
}

/**
 * Counts the requests of a collection by its loops and its expected size: exactly for known values, an
 * estimate for records of other axes.
 */
export function plannedRequests(
  axis: AxisDefinition,
  time: CollectionTime,
  enumeration: Enumeration = axis.enumeration,
): CollectionPlan {
  const pagedRequests = countOf(enumeration, {}, time);
  const rows = axis.expectedRows / Math.max(1, pagedRequests);
  const pages = Math.max(1, Math.ceil(rows / axis.paging.pageSize));
  const lists = enumeration
    .filter((loop) => loop.kind === 'list')
    .reduce((sum, { each }) => sum + (each?.expect ?? 1), 0);
  const requests = pagedRequests * pages + lists;
  return { pagedRequests, requests, days: Math.ceil(requests / axis.dailyQuota) };
}

function countOf(
  [loop, ...inner]: Enumeration,
  outer: Readonly<Record<string, string>>,
  time: CollectionTime,
): number {
  if (loop === undefined) return 1;
  if (loop.kind === 'newest-year') return loop.back + 1;
  if (isOpen(loop)) return loop.expect * countOf(inner, outer, time);
  const choices = choicesOf(loop, outer, time);
  return choices.length * countOf(inner, { ...outer, ...choices[0]?.parameters }, time);
}

function isOpen(loop: Loop): loop is Extract<Loop, { expect: number }> {
  return 'expect' in loop;
}
