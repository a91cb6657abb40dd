import { withoutParticle } from './particles.ts';

/** Removes the grammatical ending of a word (`광명시의`, `폐교된`); null if it has none. */
export function withoutEnding(word: string): string | null {
  return withoutParticle(word) ?? verbal.exec(word)?.[1] ?? null;
}

/** Forms of 하다 and 되다, which make verbs of nouns. */
const verbal =
  /^([가-힣]{2,}?)(?:된|되는|되어|되고|되나요?|돼|한|하는|하고|할|하려면|하기|했던|했나요?)$/;
