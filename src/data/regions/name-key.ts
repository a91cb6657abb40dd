import { matchingText } from '../korean/normalise.ts';

/** Form in which names of regions are compared: `수원시 장안구` and `수원시장안구` are equal. */
export function nameKey(text: string): string {
  const matching = matchingText(text);
  return ignoredInKey.test(matching) ? matching.replace(allIgnoredInKey, '') : matching;
}

const ignoredInKey = /[ .·,]/;
const allIgnoredInKey = /[ .·,]/g;
