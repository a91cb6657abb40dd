import { pageContract } from '../contract/pages.ts';
import { canonicalUrl } from '../kernel/http/canonical-url.ts';
import type { Values } from '../kernel/http/parameters.ts';
import type { ToolContext } from './call-endpoint.ts';

type Place = Pick<ToolContext, 'baseUrl'>;

/** Address of the page of a dataset, or of those of its records that a query selects. */
export function datasetPage(axis: string, { baseUrl }: Place, query: Values = {}): string {
  const page = baseUrl + canonicalUrl(pageContract.dataset, { axis, ...query });
  return page.length <= addressLengthMax ? page : datasetPage(axis, { baseUrl });
}

/** Longest address in an answer; conditions may have thousands of characters. */
const addressLengthMax = 600;

/** Address of the page of a record. */
export function recordPage(axis: string, id: string, { baseUrl }: Place): string {
  return baseUrl + canonicalUrl(pageContract.record, { axis, id });
}

/** Address of the page of a search, which reads regions in its query; without words, that of all datasets. */
export function searchPage(words: readonly (string | undefined)[], { baseUrl }: Place): string {
  const q = words.filter((word) => word !== undefined && word !== '').join(' ');
  return baseUrl + canonicalUrl(pageContract.search, q === '' ? {} : { q });
}

/** Address of the page of a region. */
export function regionPage(code: string, { baseUrl }: Place): string {
  return baseUrl + canonicalUrl(pageContract.region, { code });
}
