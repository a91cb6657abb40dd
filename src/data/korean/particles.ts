import { finalConsonant } from './jamo.ts';

/** A word without its trailing particle (`도서관은` → `도서관`); null when it ends in none. */
export function withoutParticle(word: string): string | null {
  const ending = particles.find(([particle]) => word.endsWith(particle));
  if (ending === undefined) return null;
  const [particle, demand] = ending;
  const stem = word.slice(0, word.length - particle.length);
  return longEnough.test(stem) && agrees(stem, demand) ? stem : null;
}

/** Condition of a particle on the syllable before it. */
type Demand = 'any' | 'consonant' | 'vowel' | 'vowelOrRieul';

function agrees(stem: string, demand: Demand): boolean {
  const final = finalConsonant(stem.charAt(stem.length - 1));
  if (demand === 'any') return final >= 0;
  if (demand === 'consonant') return final > 0;
  return final === 0 || (demand === 'vowelOrRieul' && final === rieul);
}

const rieul = 8;
/** Two syllables must remain: 인도 is a country, not 인 with a particle. */
const longEnough = /[\uac00-\ud7a3]{2}$/;

/** Longest first, so that 에서 is not taken for 서 and 으로 not for 로. */
const particles: readonly (readonly [particle: string, demand: Demand])[] = [
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
