import { compoundSynonyms, synonymsOf } from '../../data/korean/synonyms.ts';
import type { SearchTerm } from '../../data/korean/terms.ts';
import { laterSigunguName, otherSidoNames } from '../../data/regions/other-names.ts';
import { RecentTerms } from './recent-terms.ts';

/**
 * For each term of a query, the words that mean the same in the title of a dataset, without blanks: synonyms, those of
 * a part of the term or of two terms together (`fire station`), and other names of a region. None for phrases.
 */
export function titleSynonyms(terms: readonly SearchTerm[]): Synonyms {
  return recent.valueOf(terms);
}

type Synonyms = readonly (readonly string[])[];

const recent = new RecentTerms<Synonyms>(1 << 20, findSynonyms, () => synonymsBytes);
/** Estimated bytes of the synonyms of a query. */
const synonymsBytes = 1_000;

function findSynonyms(terms: readonly SearchTerm[]): Synonyms {
  const words = terms.map(({ text, phrase }) => (phrase ? '' : text));
  return words.map((word, at) => {
    if (word === '') return [];
    const before = words[at - 1] ?? '';
    const after = words[at + 1] ?? '';
    const later = before === '' ? null : laterSigunguName(before, word);
    const all = [
      ...synonymsOf(word),
      ...(before === '' ? [] : synonymsOf(before + word)),
      ...(after === '' ? [] : synonymsOf(word + after)),
      ...compoundSynonyms(word),
      ...otherSidoNames(word),
      ...(later === null ? [] : [later]),
    ];
    // A word that contains the term is found by it.
    return [...new Set(all)].filter((other) => !other.includes(word));
  });
}
