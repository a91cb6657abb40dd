import type { Problem, ProblemError } from '../kernel/problem.ts';

/** A problem as a model reads it: what is wrong, the nearest names, and the next step. */
export function refusalText(problem: Problem): string {
  const { detail, errors, extra, retryAfterS } = problem;
  const faults = errors.flatMap((error) =>
    'fix' in error ? [`${error.message.en} ${error.fix.en}`] : [],
  );
  const near = [...listOf(extra['suggestions']), ...errors.flatMap(suggestionsOf)];
  const isAxis = problem.code === 'unknown_axis';
  return [
    ...(faults.length > 0 ? faults : [inToolWords(detail.en)]),
    ...(near.length === 0
      ? []
      : [`Nearest: ${[...new Set(near)].slice(0, nearMax(problem)).join(', ')}.`]),
    ...(isAxis ? ['Find codes with find_datasets.'] : []),
    ...(retryAfterS === null ? [] : [`Try again in ${retryAfterS} seconds.`]),
  ]
    .map((sentence) => sentence.trim())
    .join(' ');
}

/** A sentence of the API that leads to tools in place of endpoints. */
function inToolWords(text: string): string {
  return text
    .replace('Choose a code from /api/axes.', '')
    .replace('/api/data/fields lists them.', 'describe_dataset lists its fields.');
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
