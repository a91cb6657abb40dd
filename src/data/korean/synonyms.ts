import groups from './synonyms.json' with { type: 'json' };

/**
 * Other words for the same kind of place, subject or institution, without blanks; none for most words. English plurals
 * have those of their singular. Each group of the data names its sources.
 */
export function synonymsOf(word: string): readonly string[] {
  return synonyms.get(word) ?? synonyms.get(word.replace(plural, '')) ?? [];
}

const plural = /(?<=^[a-z]{3,})(?:e?s)$/;

/** A compound word with its beginning, its end or both replaced by Korean synonyms: 지하철역, 도시철도역. */
export function compoundSynonyms(word: string): readonly string[] {
  if (!isKorean(word) || word.length > compoundLengthMax) return [];
  const compounds: string[] = [];
  for (let cut = word.length - 1; cut >= partLengthMin; cut--) {
    for (const other of koreanSynonyms(word.slice(0, cut))) compounds.push(other + word.slice(cut));
  }
  for (let cut = 1; cut <= word.length - partLengthMin; cut++) {
    for (const other of koreanSynonyms(word.slice(cut))) compounds.push(word.slice(0, cut) + other);
  }
  for (let cut = partLengthMin; cut <= word.length - partLengthMin; cut++) {
    const ends = koreanSynonyms(word.slice(cut));
    if (ends.length === 0) continue;
    for (const beginning of koreanSynonyms(word.slice(0, cut)))
      compounds.push(...ends.map((end) => beginning + end));
  }
  return compounds;
}

const partLengthMin = 2;
const compoundLengthMax = 12;

const synonyms = new Map<string, string[]>();
for (const { words } of groups) {
  for (const word of words) {
    const others = words.filter((other) => other !== word);
    synonyms.set(word, [...new Set([...(synonyms.get(word) ?? []), ...others])]);
  }
}

/** All words that have synonyms. */
export const synonymWords: readonly string[] = [...synonyms.keys()];

function koreanSynonyms(word: string): readonly string[] {
  return synonymsOf(word).filter(isKorean);
}

function isKorean(word: string): boolean {
  return /^[가-힣]+$/.test(word);
}
