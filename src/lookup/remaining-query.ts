import type { SearchTerm } from '../data/korean/terms.ts';
import type { LookupStore } from './store/store.ts';

/** Terms that the records of a dataset must have, because neither its title nor its labels fulfil them. */
export function remainingTerms(
  terms: readonly SearchTerm[],
  code: string,
  { topics }: Pick<LookupStore, 'topics'>,
): readonly SearchTerm[] {
  const fulfilled = topics.subjectsOf(terms).get(code)?.fulfilled ?? 0;
  return terms.filter((_, position) => (fulfilled & (1 << position)) === 0);
}

/** The remaining terms of a dataset as a search query, the parameter `q` of a request for its records; undefined for none. */
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
