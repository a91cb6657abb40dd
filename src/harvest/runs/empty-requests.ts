import type { AxisRequest } from '../operations/requests.ts';
import { runLimits } from './limits.ts';

/**
 * State of a request in the order of its enumeration. `empty`: its first response has no records. `known_empty`: so
 * had a further response or the last published run. `emptied`: the last published run had records. `failed`: none.
 */
export type RequestState = 'records' | 'empty' | 'known_empty' | 'emptied' | 'failed';

/**
 * Returns the positions of empty requests that are sent again: those that had records, those beside a sibling with
 * records, and one of ten in a row of empty ones, since a service that is empty for a moment is so for many requests.
 * If no request has records, all are. `isSibling` is true for a request whose predecessor is a sibling.
 */
export function doubtfulRequests(
  states: readonly RequestState[],
  isSibling: readonly boolean[],
): number[] {
  const step = runLimits.emptySampleStep;
  const hasRecords = states.includes('records');
  let emptyInRow = 0;
  return states.flatMap((state, at) => {
    const isAlone = isSibling[at] !== true && isSibling[at + 1] !== true;
    const isBesideRecords =
      (states[at - 1] === 'records' && (isAlone || isSibling[at] === true)) ||
      (states[at + 1] === 'records' && (isAlone || isSibling[at + 1] === true));
    const isSampled = emptyInRow % step === step / 2;
    emptyInRow = state === 'empty' ? emptyInRow + 1 : 0;
    const isDoubtful = state === 'empty' && (isBesideRecords || isSampled || !hasRecords);
    return isDoubtful || state === 'emptied' ? [at] : [];
  });
}

/**
 * Returns for each request if it differs from its predecessor in the innermost loop of the enumeration alone, such
 * as one year and the next of the same station. With a single loop all are siblings.
 */
export function markSiblings(requests: readonly Pick<AxisRequest, 'parameters'>[]): boolean[] {
  const differences = requests.map(({ parameters }, at) => {
    const previous = requests[at - 1]?.parameters ?? {};
    const names = new Set([...Object.keys(parameters), ...Object.keys(previous)]);
    return [...names].filter((name) => parameters[name] !== previous[name]).length;
  });
  const compared = differences.slice(1);
  const most = compared.reduce((a, b) => Math.max(a, b), 0);
  const isSingle = compared.every((count) => count === most);
  return differences.map((count, at) => at > 0 && (isSingle || count < most));
}
