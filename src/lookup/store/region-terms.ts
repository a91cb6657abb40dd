import type { SearchTerm } from '../../data/korean/terms.ts';
import { findRegion } from '../../data/regions/find-region.ts';
import { nameKey } from '../../data/regions/name-key.ts';
import { sidoOfKey } from '../../data/regions/sido-names.ts';
import { tagKey } from '../../data/search/gram.ts';
import type { QueryTerm } from '../../data/search/rank.ts';

/** Returns the terms of a query. A term that names a sido also gets the tag that marks the records of that sido. */
export function withRegionTags(terms: readonly SearchTerm[]): readonly QueryTerm[] {
  return terms.map((term) => {
    const code = sidoCodeOfTerm(term);
    return code === null ? term : { ...term, tag: tagKey(Number(code)) };
  });
}

/** Code of the sido that a term names, under which its records are counted; null for other terms and for phrases. */
export function sidoCodeOfTerm({ text, phrase }: SearchTerm): string | null {
  if (phrase || sidoOfKey(nameKey(text)) === undefined) return null;
  return findRegion(text)?.countedCode ?? null;
}
