import { pageContract } from '../contract/pages.ts';
import { canonicalUrl } from '../kernel/http/canonical-url.ts';
import type { Values } from '../kernel/http/parameters.ts';
import type { ToolContext } from './call-endpoint.ts';

type Place = Pick<ToolContext, 'baseUrl'>;

/** Address of the page of a dataset; with `query`, of the selected records. */
export function datasetPage(axis: string, { baseUrl }: Place, query: Values = {}): string {
  const page = baseUrl + canonicalUrl(pageContract.dataset, { axis, ...query });
  return page.length <= addressLengthMax ? page : datasetPage(axis, { baseUrl });
}

/** Longest address in an answer; a longer one, with long conditions, is replaced by the page of the whole dataset. */
const addressLengthMax = 600;

/** Address of the page of a record. */
export function recordPage(axis: string, id: string, { baseUrl }: Place): string {
  return baseUrl + canonicalUrl(pageContract.record, { axis, id });
}

/** Address of the search page. `words` may include regions; without any word it shows all datasets. */
export function searchPage(words: readonly (string | undefined)[], { baseUrl }: Place): string {
  const q = words.filter((word) => word !== undefined && word !== '').join(' ');
  return baseUrl + canonicalUrl(pageContract.search, q === '' ? {} : { q });
}

/** Address of the page of a region. */
export function regionPage(code: string, { baseUrl }: Place): string {
  return baseUrl + canonicalUrl(pageContract.region, { code });
}
