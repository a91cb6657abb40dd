import { choicesOf, type CollectionTime } from './choices.ts';
import type { AxisDefinition } from './definition.ts';
import type { Enumeration, Loop } from './enumeration.ts';

/** Expected cost of a collection. */
interface CollectionPlan {
  /** Number of paged requests, each counted once whatever its pages. */
  readonly pagedRequests: number;
  /** Number of all requests, including lists and further pages. */
  readonly requests: number;
  /** Number of days that the requests take under the operation's daily quota. */
  readonly days: number;
}

/**
 * Counts the requests of a collection by its loops and its expected size. Loops over fixed values are counted
 * exactly, loops over records of other axes by an estimate.
 */
export function plannedRequests(
  axis: AxisDefinition,
  time: CollectionTime,
  enumeration: Enumeration = axis.enumeration,
): CollectionPlan {
  const pagedRequests = countRequests(enumeration, {}, time);
  const rows = axis.expectedRows / Math.max(1, pagedRequests);
  const pages = Math.max(1, Math.ceil(rows / axis.paging.pageSize));
  const lists = enumeration
    .filter((loop) => loop.kind === 'list')
    .reduce((sum, { each }) => sum + (each?.expect ?? 1), 0);
  const requests = pagedRequests * pages + lists;
  return { pagedRequests, requests, days: Math.ceil(requests / axis.dailyQuota) };
}

function countRequests(
  [loop, ...inner]: Enumeration,
  outer: Readonly<Record<string, string>>,
  time: CollectionTime,
): number {
  if (loop === undefined) return 1;
  if (loop.kind === 'newest-year') return loop.back + 1;
  if (isEstimated(loop)) return loop.expect * countRequests(inner, outer, time);
  const choices = choicesOf(loop, outer, time);
  return choices.length * countRequests(inner, { ...outer, ...choices[0]?.parameters }, time);
}

function isEstimated(loop: Loop): loop is Extract<Loop, { expect: number }> {
  return 'expect' in loop;
}
