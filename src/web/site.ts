import { cacheable } from '../kernel/http/conditional.ts';
import type { RequestContext } from '../kernel/http/request-context.ts';
import { readQuery } from '../kernel/http/query.ts';
import type { Router } from '../kernel/http/router.ts';
import { createLookupApp, type LookupAppOptions } from '../lookup/app.ts';
import { languageOf } from './asked-language.ts';
import { addAssets } from './assets.ts';
import { addDocs, type DocsOptions } from './docs/site.ts';
import { homePage } from './explorer/home.ts';
import { WrittenPages } from './written-pages.ts';

interface SiteOptions extends LookupAppOptions {
  readonly settings: DocsOptions['settings'];
}

/** The lookup service with its pages: `/`, `/docs` and what they need. */
export function createSite(options: SiteOptions): Router {
  const router = createLookupApp(options);
  const { holder, settings } = options;
  const written = new WrittenPages();
  router.get('/', async (request) => {
    // Before the lease: reading refuses a query of too many parameters.
    const question = { language: languageOf(request), ...asked(request) };
    const lease = holder.current();
    const write = () => homePage({ store: lease?.store ?? null, ...question });
    try {
      const content = await (question.q === ''
        ? written.page(holder.version, `/ ${question.language}`, write)
        : write());
      return cacheable(content, pageOptions);
    } finally {
      lease?.release();
    }
  });
  addAssets(router);
  addDocs(router, { holder, settings, written });
  return router;
}

const pageOptions = { vary: 'Accept-Encoding, Accept-Language' };
/** A page forgives what the interface refuses: what cannot be read is as if it were not there. */
function asked(request: RequestContext): { q: string; offset: number } {
  const query = readQuery(request.query);
  const q = query.get('q');
  const offset = query.get('offset')?.value ?? '';
  return {
    q: q === undefined || q.fault !== null ? '' : q.value,
    offset: /^\d{1,9}$/.test(offset) ? Number(offset) : 0,
  };
}
