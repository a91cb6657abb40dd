import words from './words.json' with { type: 'json' };
import type { SeededRandom } from './seeded-random.ts';

/** Coined words: in the names of places and shops no real one is meant. */
const { coined, spots, givenNames } = words;
const surnames = [...words.surnames];

/** `윤슬 큰길분식`: a name made of a coined word and the kind of thing. */
export function signFor(random: SeededRandom, kind: string): string {
  const spot = random.pick(spots);
  return `${random.pick(coined)}${spot}${spot === '' && random.chance(0.4) ? ' ' : ''}${kind}`;
}

/** A coined word alone. */
export function coinedWord(random: SeededRandom): string {
  return random.pick(coined);
}

/** A name that is visibly invented: `김예시`, `박견본`. */
export function personName(random: SeededRandom): string {
  return `${random.pick(surnames)}${random.pick(givenNames)}`;
}
