import words from './words.json' with { type: 'json' };
import type { SeededRandom } from './seeded-random.ts';

/** Coined words, so that no name is that of a real place or shop. */
const { coined, spots, givenNames } = words;
const surnames = [...words.surnames];

/** An invented name such as `윤슬 큰길분식`: a coined word and the kind of shop. */
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
