import { everydayReadings } from '../../data/korean/everyday-words.ts';
import type { SearchTerm } from '../../data/korean/terms.ts';
import { widerNames } from '../../data/regions/wider-names.ts';
import { dividedWord } from '../../data/search/divided-word.ts';
import type { SearchIndex } from '../../data/search/index-file.ts';
import { isRareInTitles } from './near-terms.ts';
import { titleSynonyms } from './title-synonyms.ts';

/** The terms of a query, those that few titles have divided into words of titles (`부대식단표` → `부대 식단표`). */
export function* dividedTerms(
  index: SearchIndex,
  terms: readonly SearchTerm[],
): Generator<void, SearchTerm[]> {
  const synonyms = titleSynonyms(terms);
  const everyday = new Set(everydayReadings(terms).flatMap(({ positions }) => positions));
  const divided = new Map<string, SearchTerm>();
  for (const [at, term] of terms.entries()) {
    const { text } = term;
    const isKnown =
      term.phrase ||
      everyday.has(at) ||
      !compound.test(text) ||
      widerNames(text) !== null ||
      !isRareInTitles(index, { ...term, nameSynonyms: synonyms[at]! });
    yield;
    const parts = isKnown ? null : yield* dividedWord(index.chunks, text);
    for (const part of parts ?? [text]) divided.set(part, { ...term, text: part });
  }
  return [...divided.values()];
}

const compound = /^[가-힣a-z0-9]*[가-힣]{3}[가-힣a-z0-9]*$/;
