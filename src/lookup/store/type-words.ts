import type { CatalogType } from '../../data/axis.ts';
import type { SearchTerm } from '../../data/korean/terms.ts';

/** The type of dataset that a query names (`공휴일 api`); null if it names none. */
export function typeInTerms(terms: readonly SearchTerm[]): CatalogType | null {
  for (const { text, phrase } of terms) {
    const type = phrase ? undefined : types.get(text);
    if (type !== undefined) return type;
  }
  return null;
}

const types: ReadonlyMap<string, CatalogType> = new Map([
  ...['api', 'openapi', '오픈api'].map((word) => [word, 'API'] as const),
  ...['파일', 'csv', '엑셀', 'excel', 'xlsx'].map((word) => [word, 'FILE'] as const),
  ...['표준', '표준데이터'].map((word) => [word, 'STD'] as const),
]);
