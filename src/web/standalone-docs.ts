import { redirect } from '../kernel/http/result.ts';
import type { Router } from '../kernel/http/router.ts';
import { StoreHolder } from '../lookup/current-store.ts';
import { languageOf } from './page-language.ts';
import { addAssets } from './assets.ts';
import { addDocs, type DocsOptions } from './docs/site.ts';
import { PageCache } from './page-cache.ts';

/** Adds the docs to a process that serves no data; `/` redirects there. */
export function addStandaloneDocs(router: Router, settings: DocsOptions['settings']): void {
  router.get('/', (request) => redirect(`/docs?lang=${languageOf(request)}`));
  addAssets(router);
  addDocs(router, { holder: new StoreHolder(), settings, pageCache: new PageCache() });
}
