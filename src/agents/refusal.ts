import type { Problem, ProblemError } from '../kernel/problem.ts';

/** Describes a problem to a model: the fault, the nearest names and the next step. */
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

/** Replaces endpoints by tools in a sentence of the API. */
function inToolWords(text: string): string {
  return text
    .replace('Choose a code from /api/axes.', '')
    .replace('/api/data/fields lists them.', 'describe_dataset lists its fields.');
}

/** Number of names to suggest: three, or all regions that share an ambiguous name. */
function nearMax({ code, errors }: Problem): number {
  return code === 'invalid_parameter' && errors.length === 0 ? 8 : 3;
}

function suggestionsOf(error: ProblemError): readonly string[] {
  return 'suggestions' in error ? (error.suggestions ?? []) : [];
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
