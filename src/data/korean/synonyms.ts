import groups from './synonyms.json' with { type: 'json' };

/**
 * Other words for the same kind of place or subject, without blanks; none for most words. Sources: the standard
 * dictionary of the National Institute of Korean Language, and its translations of public terms for the English.
 */
export function synonymsOf(word: string): readonly string[] {
  return synonyms.get(word) ?? [];
}

const synonyms = new Map<string, string[]>();
for (const { words } of groups) {
  for (const word of words) {
    synonyms.set(word, [...(synonyms.get(word) ?? []), ...words.filter((other) => other !== word)]);
  }
}

/** All words that have synonyms. */
export const synonymWords: readonly string[] = [...synonyms.keys()];
