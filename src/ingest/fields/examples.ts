import type { SampledValue } from './column.ts';
import { isMissing } from '../../data/values/shapes.ts';

/**
 * Up to five example values of a column: the most frequent ones or, if all differ, an even selection. Values that may
 * be personal are left out: mobile numbers, resident numbers, e-mail addresses.
 */
export function examplesOf(sample: readonly SampledValue[]): string[] {
  const candidates = sample.filter(
    ({ text, shape }) =>
      !isMissing(shape) && text.length <= exampleLengthMax && !personalData.test(text),
  );
  if (candidates.length <= examplesMax) return candidates.map(({ text }) => text);
  if (candidates.some(({ count }) => count > 1)) {
    return candidates
      .toSorted((left, right) => right.count - left.count)
      .slice(0, examplesMax)
      .map(({ text }) => text);
  }
  return candidates
    .filter((_, index) => index % Math.ceil(candidates.length / examplesMax) === 0)
    .map(({ text }) => text);
}

const examplesMax = 5;
const exampleLengthMax = 100;

/** Mobile numbers (010, 011, 016–019, with or without +82), resident numbers, e-mail addresses. */
const personalData =
  /(?<!\d)(?:\+?82[-. ]?|0)1[016789][-. )]?\d{3,4}[-. ]?\d{4}(?!\d)|(?<!\d)\d{6}[- ]?[1-8]\d{6}(?!\d)|[^\s@]+@[^\s@]+\.[^\s@]+/;
