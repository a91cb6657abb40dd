import { matchingText } from '../korean/normalise.ts';

/** The form in which names of regions are compared: `수원시 장안구` and `수원시장안구` are equal. */
export function nameKey(text: string): string {
  const matching = matchingText(text);
  return loose.test(matching) ? matching.replace(looseAll, '') : matching;
}

const loose = /[ .·,]/;
const looseAll = /[ .·,]/g;
