import type { Problem, ProblemError } from '../kernel/problem.ts';

/** A problem as a model reads it: what is wrong, the nearest names, and the next step. */
export function refusalText(problem: Problem): string {
  const { detail, errors, extra, retryAfterS } = problem;
  const fixes = errors.flatMap((error) => ('fix' in error ? [error.fix.en] : []));
  const near = [...listOf(extra['suggestions']), ...errors.flatMap(suggestionsOf)];
  const isAxis = problem.code === 'unknown_axis';
  return [
    isAxis ? detail.en.replace('Choose a code from /api/axes.', '') : detail.en,
    ...new Set(fixes),
    ...(near.length === 0
      ? []
      : [`Nearest: ${[...new Set(near)].slice(0, nearMax(problem)).join(', ')}.`]),
    ...(isAxis ? ['Find codes with find_datasets.'] : []),
    ...(retryAfterS === null ? [] : [`Try again in ${retryAfterS} seconds.`]),
  ]
    .map((sentence) => sentence.trim())
    .join(' ');
}

/** Three names, or all regions that share one. */
function nearMax({ code, errors }: Problem): number {
  return code === 'invalid_parameter' && errors.length === 0 ? 8 : 3;
}

function suggestionsOf(error: ProblemError): readonly string[] {
  return 'suggestions' in error ? (error.suggestions ?? []) : [];
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
