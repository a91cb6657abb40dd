import type { SearchTerm } from '../data/korean/terms.ts';
import type { LookupStore } from './store/store.ts';

/** Terms that the title or the labels of a dataset do not fulfil for all of its records. */
export function remainingTerms(
  terms: readonly SearchTerm[],
  code: string,
  { topics }: Pick<LookupStore, 'topics'>,
): readonly SearchTerm[] {
  const given = topics.subjectsOf(terms).get(code)?.given ?? 0;
  return terms.filter((_, position) => (given & (1 << position)) === 0);
}

/** These terms as the parameter `q` of the records of that dataset; undefined for none. */
export function remainingQuery(
  terms: readonly SearchTerm[],
  code: string,
  store: Pick<LookupStore, 'topics'>,
): string | undefined {
  return queryOf(remainingTerms(terms, code, store));
}

/** Terms as a search query; undefined for none. */
export function queryOf(terms: readonly SearchTerm[]): string | undefined {
  if (terms.length === 0) return undefined;
  return terms.map(({ text, phrase }) => (phrase ? `"${text}"` : text)).join(' ');
}
