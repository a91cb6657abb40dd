import type { Value } from '../axis.ts';
import { matchingText } from '../korean/normalise.ts';
import type { PresentValue } from './typed-value.ts';

/** Matching form of the values of a run, computed once for the search index and the columns. */
export function matchingTextsOf(values: readonly PresentValue[]): readonly string[] {
  let texts = cache.get(values);
  if (texts === undefined) cache.set(values, (texts = values.map(searchText)));
  return texts;
}

const cache = new WeakMap<readonly PresentValue[], readonly string[]>();

/** Matching form of a value for full-text search; empty for null. */
export function searchText(value: Value): string {
  if (value === null) return '';
  return matchingText(typeof value === 'string' ? value : String(value));
}
