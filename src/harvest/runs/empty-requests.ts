import type { AxisRequest } from '../operations/requests.ts';
import { runLimits } from './limits.ts';

/**
 * State of a request. `unconfirmed_empty`: its only answer is empty. `confirmed_empty`: a second answer is empty, too,
 * or the answer in the last published run was. `lost_records`: its answer is empty, but had records in that run.
 * `failed`: it has no answer.
 */
export type RequestState =
  'records' | 'unconfirmed_empty' | 'confirmed_empty' | 'lost_records' | 'failed';

/**
 * Returns the positions of requests whose empty answer is doubtful: it lost records, stands next to a sibling with
 * records, or is one in ten of a series of empty answers, since a temporary fault empties many answers in a row. If no
 * request has records, all unconfirmed ones are doubtful. `isSibling` is true for a sibling of the request before it.
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
    emptyInRow = state === 'unconfirmed_empty' ? emptyInRow + 1 : 0;
    const isDoubtful =
      state === 'unconfirmed_empty' && (isBesideRecords || isSampled || !hasRecords);
    return isDoubtful || state === 'lost_records' ? [at] : [];
  });
}

/**
 * Returns for each request true if it is a sibling of the one before it: only the innermost loop of the enumeration
 * differs, as between two years of the same station. In a single loop all requests are siblings.
 */
export function siblingsOfPrevious(
  requests: readonly Pick<AxisRequest, 'parameters'>[],
): boolean[] {
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
