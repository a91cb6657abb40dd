import type { Value } from '../axis.ts';
import { matchingText } from '../korean/normalise.ts';
import type { PresentValue } from './typed-value.ts';

/** Matching form of the values of a run, computed once for the search index and the columns. */
export function matchingTextsOf(values: readonly PresentValue[]): readonly string[] {
  let texts = known.get(values);
  if (texts === undefined) known.set(values, (texts = values.map(searchText)));
  return texts;
}

const known = new WeakMap<readonly PresentValue[], readonly string[]>();

/** A value as full-text search reads it. */
export function searchText(value: Value): string {
  if (value === null) return '';
  return matchingText(typeof value === 'string' ? value : String(value));
}
