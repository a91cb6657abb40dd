import { finalConsonant } from './jamo.ts';

/** A word without its trailing particle (`도서관은` → `도서관`); null if it has none. */
export function withoutParticle(word: string): string | null {
  const ending = particles.find(([particle]) => word.endsWith(particle));
  if (ending === undefined) return null;
  const [particle, rule] = ending;
  const stem = word.slice(0, word.length - particle.length);
  return twoSyllables.test(stem) && fitsParticle(stem, rule) ? stem : null;
}

/** Final sound that a particle requires of the syllable before it. */
type FinalRule = 'any' | 'consonant' | 'vowel' | 'vowelOrRieul';

function fitsParticle(stem: string, rule: FinalRule): boolean {
  const final = finalConsonant(stem.charAt(stem.length - 1));
  if (rule === 'any') return final >= 0;
  if (rule === 'consonant') return final > 0;
  return final === 0 || (rule === 'vowelOrRieul' && final === rieul);
}

const rieul = 8;
/** Two syllables must remain: 인도 is a country, not 인 with a particle. */
const twoSyllables = /[\uac00-\ud7a3]{2}$/;

/** Longest first, so that 에서 is not taken for 서 and 으로 not for 로. */
const particles: readonly (readonly [particle: string, rule: FinalRule])[] = [
  ['이라는', 'consonant'],
  ['으로서', 'consonant'],
  ['으로써', 'consonant'],
  ['에게서', 'any'],
  ['에서', 'any'],
  ['에게', 'any'],
  ['께서', 'any'],
  ['한테', 'any'],
  ['부터', 'any'],
  ['까지', 'any'],
  ['보다', 'any'],
  ['처럼', 'any'],
  ['마다', 'any'],
  ['밖에', 'any'],
  ['조차', 'any'],
  ['이랑', 'consonant'],
  ['이나', 'consonant'],
  ['으로', 'consonant'],
  ['라는', 'vowel'],
  ['은', 'consonant'],
  ['는', 'vowel'],
  ['이', 'consonant'],
  ['가', 'vowel'],
  ['을', 'consonant'],
  ['를', 'vowel'],
  ['과', 'consonant'],
  ['와', 'vowel'],
  ['나', 'vowel'],
  ['랑', 'vowel'],
  ['로', 'vowelOrRieul'],
  ['에', 'any'],
  ['의', 'any'],
  ['도', 'any'],
  ['만', 'any'],
];
