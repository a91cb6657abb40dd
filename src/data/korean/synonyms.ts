import groups from './synonyms.json' with { type: 'json' };

/**
 * Other words for the same kind of place, subject or institution; none for most words. Words are written without spaces.
 * An English plural without synonyms has those of its singular. Each group of `synonyms.json` has its sources.
 */
export function synonymsOf(word: string): readonly string[] {
  const own = synonyms.get(word);
  if (own !== undefined) return own;
  const singular = singularsOf(word).find((one) => synonyms.has(one));
  return singular === undefined ? none : synonyms.get(singular)!;
}

const none: readonly string[] = [];

/** Words of which an English word may be the plural: colleges of college, buses of bus, libraries of library. */
function singularsOf(word: string): readonly string[] {
  if (!word.endsWith('s') || !/^[a-z]{3,}s$/.test(word)) return none;
  const ends: readonly (readonly [ending: string, singular: string])[] = [
    ['s', ''],
    ['es', ''],
    ['ies', 'y'],
  ];
  return ends.flatMap(([ending, singular]) =>
    word.endsWith(ending) ? [word.slice(0, -ending.length) + singular] : [],
  );
}

/** Variants of a compound word, its beginning, its end or both replaced by Korean synonyms: 도시철도역 for 지하철역. */
export function compoundSynonyms(word: string): readonly string[] {
  if (!isKorean(word) || word.length > compoundLengthMax) return [];
  const compounds: string[] = [];
  for (let cut = word.length - 1; cut >= replacedLengthMin; cut--) {
    for (const other of koreanSynonyms(word.slice(0, cut))) compounds.push(other + word.slice(cut));
  }
  for (let cut = 1; cut <= word.length - replacedLengthMin; cut++) {
    for (const other of koreanSynonyms(word.slice(cut))) compounds.push(word.slice(0, cut) + other);
  }
  for (let cut = replacedLengthMin; cut <= word.length - replacedLengthMin; cut++) {
    const ends = koreanSynonyms(word.slice(cut));
    if (ends.length === 0) continue;
    for (const beginning of koreanSynonyms(word.slice(0, cut)))
      compounds.push(...ends.map((end) => beginning + end));
  }
  return compounds;
}

/** Syllables of a replaced part: a single one has too many meanings. */
const replacedLengthMin = 2;
const compoundLengthMax = 12;

const synonyms = new Map<string, string[]>();
for (const { words, aliases = [] } of groups as readonly SynonymGroup[]) {
  for (const word of [...words, ...aliases]) {
    const others = words.filter((other) => other !== word);
    synonyms.set(word, [...new Set([...(synonyms.get(word) ?? []), ...others])]);
  }
}

interface SynonymGroup {
  readonly words: readonly string[];
  /** Words that have the others as synonyms and are none themselves: an abbreviation is part of many words (도공, 도공예). */
  readonly aliases?: readonly string[];
}

/** All words that have synonyms. */
export const synonymWords: readonly string[] = [...synonyms.keys()];

/** Korean synonyms of the Korean words that have any. */
const ofKorean = new Map(
  [...synonyms]
    .filter(([word]) => isKorean(word))
    .map(([word, others]) => [word, others.filter(isKorean)] as const),
);

function koreanSynonyms(word: string): readonly string[] {
  return ofKorean.get(word) ?? none;
}

function isKorean(word: string): boolean {
  return /^[가-힣]+$/.test(word);
}
