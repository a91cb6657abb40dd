import { matchingText } from '../korean/normalise.ts';

/** A region's name without blanks and dots, so that `수원시 장안구` and `수원시장안구` are one. */
export function nameKey(text: string): string {
  const matching = matchingText(text);
  return loose.test(matching) ? matching.replace(looseAll, '') : matching;
}

const loose = /[ .·,]/;
const looseAll = /[ .·,]/g;
