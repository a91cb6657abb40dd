import { pageContract } from '../contract/pages.ts';
import { cacheable } from '../kernel/http/conditional.ts';
import type { RequestContext } from '../kernel/http/request-context.ts';
import { readQuery } from '../kernel/http/query.ts';
import type { Router } from '../kernel/http/router.ts';
import { createLookupApp, type LookupAppOptions } from '../lookup/app.ts';
import { languageOf } from './page-language.ts';
import { addAssets } from './assets.ts';
import { addDocs, type DocsOptions } from './docs/site.ts';
import { showcase } from './components/showcase.ts';
import { datasetPage } from './explorer/dataset.ts';
import { homePage } from './explorer/home.ts';
import { recordPage } from './explorer/record.ts';
import { PageCache } from './page-cache.ts';
import { pagePolicy } from './problem-page.ts';
import { servePage } from './serve-page.ts';

interface SiteOptions extends LookupAppOptions {
  readonly settings: DocsOptions['settings'];
}

/** The lookup service with its pages: `/`, `/docs` and their assets. */
export function createSite(options: SiteOptions): Router {
  const { holder, settings } = options;
  const router = createLookupApp({ ...options, policy: pagePolicy(holder) });
  const pageCache = new PageCache();
  router.get('/', async (request) => {
    // Read before the lease is taken, because a query of too many parameters throws.
    const search = { language: languageOf(request), ...searchOf(request) };
    const lease = holder.lease();
    const isAbandoned = () => request.outgoing.destroyed;
    const write = () => homePage({ store: lease?.store ?? null, ...search, isAbandoned });
    try {
      const content = await (search.q === ''
        ? pageCache.page(holder.version, `/ ${search.language}`, write)
        : write());
      return cacheable(content, pageOptions);
    } finally {
      lease?.release();
    }
  });
  const service = { router, holder, settings };
  servePage(service, pageContract.dataset, datasetPage);
  servePage(service, pageContract.record, recordPage);
  router.get('/docs/design', (request) => cacheable(showcase(languageOf(request)), pageOptions));
  addAssets(router);
  addDocs(router, { holder, settings, pageCache });
  return router;
}

const pageOptions = { vary: 'Accept-Encoding, Accept-Language' };

/** The search in the page's address. Pages ignore values that the API would refuse, such as bad encoding. */
function searchOf(request: RequestContext): { q: string; offset: number } {
  const query = readQuery(request.query);
  const q = query.get('q');
  const offset = query.get('offset')?.value ?? '';
  return {
    q: q === undefined || q.fault !== null ? '' : q.value,
    offset: /^\d{1,9}$/.test(offset) ? Number(offset) : 0,
  };
}
