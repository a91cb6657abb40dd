import type { CatalogType } from '../axis.ts';

/** Address of a dataset's page on the portal. */
export function portalPage(portalId: string, type: CatalogType): string {
  return `https://www.data.go.kr/data/${portalId}/${pages[type]}.do`;
}

const pages: Readonly<Record<CatalogType, string>> = {
  API: 'openapi',
  FILE: 'fileData',
  STD: 'standard',
  LINKED: 'linkedData',
};
