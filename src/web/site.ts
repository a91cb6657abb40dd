import { pageContract } from '../contract/pages.ts';
import { isSnapshotId } from '../data/snapshot/layout.ts';
import { cacheable } from '../kernel/http/conditional.ts';
import { readQuery } from '../kernel/http/query.ts';
import { redirect } from '../kernel/http/result.ts';
import type { Router } from '../kernel/http/router.ts';
import { createLookupApp, type LookupAppOptions } from '../lookup/app.ts';
import { notPulled } from '../lookup/no-snapshot.ts';
import type { LookupStore } from '../lookup/store/store.ts';
import { languageOf } from './page-language.ts';
import { addAssets } from './assets.ts';
import { addCrawlerFiles } from './crawlers.ts';
import { siteAddress } from './docs/addresses.ts';
import { addDcatCatalog } from './dcat-catalog.ts';
import { addDocs, type DocsOptions } from './docs/site.ts';
import { showcase } from './components/showcase.ts';
import { chartImage, chartTable } from './explorer/chart-files.ts';
import { catalogPage } from './explorer/catalog.ts';
import { datasetPage } from './explorer/dataset.ts';
import { datasetMarkdown } from './explorer/dataset-markdown.ts';
import { demandPage } from './explorer/demand.ts';
import { homePage } from './explorer/home.ts';
import { recordPage } from './explorer/record.ts';
import { regionPage } from './explorer/region.ts';
import { searchPage } from './explorer/search.ts';
import { statusPage } from './explorer/status.ts';
import { PageCache } from './page-cache.ts';
import { pagePolicy } from './problem-page.ts';
import { servePage } from './serve-page.ts';

interface SiteOptions extends LookupAppOptions {
  readonly settings: DocsOptions['settings'];
}

/** The lookup service with its pages: `/`, `/docs` and their assets. */
export function createSite(options: SiteOptions): Router {
  const { holder, settings } = options;
  const isFollower = options.followed !== undefined;
  const router: Router = createLookupApp({
    ...options,
    policy: pagePolicy(holder, (path) => router.find(path) !== null),
  });
  const pageCache = new PageCache();
  router.get('/', async (request) => {
    const language = languageOf(request);
    // The search was on the front page before it had one of its own.
    if (readQuery(request.query).has('q')) return redirect(`/search?${request.query}`);
    const address = siteAddress(settings, request.header('host'));
    const lease = holder.lease();
    try {
      const store = lease?.store ?? null;
      const content = await pageCache.page(holder.version, `/ ${language} ${address}`, async () =>
        homePage({ store, language, canonicalUrl: address === null ? undefined : `${address}/` }),
      );
      // A proxy tries the next machine, and no cache keeps the page.
      if (store === null) return { ...content, status: 503, headers: { 'Retry-After': '5' } };
      return cacheable(content, pageOptions);
    } finally {
      lease?.release();
    }
  });
  const service = { router, holder, settings };
  // Its path is a case of the next one, which would take `.md` for a part of the code.
  servePage(service, pageContract.datasetMarkdown, datasetMarkdown);
  servePage(service, pageContract.dataset, (params, request) =>
    request.isMarkdown
      ? datasetMarkdown({ axis: params.axis, cursor: undefined }, request)
      : datasetPage(params, request),
  );
  // Their names are not ids of records.
  servePage(service, pageContract.chartImage, chartImage);
  servePage(service, pageContract.chartTable, chartTable);
  servePage(service, pageContract.record, (params, request) => {
    const { snapshot } = params;
    if (isFollower && isLater(snapshot, request.store)) throw notPulled(snapshot);
    return recordPage(params, request);
  });
  servePage(service, pageContract.search, searchPage);
  servePage(service, pageContract.region, regionPage);
  router.get('/region', () => redirect('/#regions'));
  servePage(service, pageContract.demand, demandPage);
  servePage(service, pageContract.status, statusPage);
  servePage(service, pageContract.catalog, catalogPage);
  router.get('/docs/design', (request) => cacheable(showcase(languageOf(request)), pageOptions));
  addAssets(router);
  addCrawlerFiles(router, service);
  addDcatCatalog(router, { holder, settings, pageCache });
  addDocs(router, { holder, settings, pageCache });
  return router;
}

const pageOptions = { vary: 'Accept-Encoding, Accept-Language, Host' };

/** True for a snapshot after the current one, which another follower of the store may have named. */
function isLater(id: string | undefined, store: LookupStore): id is string {
  if (id === undefined || !isSnapshotId(id)) return false;
  return id > store.snapshot.id && !store.snapshotIds().includes(id);
}
