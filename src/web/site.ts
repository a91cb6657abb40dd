import { readFileSync } from 'node:fs';
import { respondDocument } from '../kernel/http/document.ts';
import type { Exchange } from '../kernel/http/exchange.ts';
import { note, type Front } from '../kernel/http/front.ts';
import { readQuery } from '../kernel/http/query.ts';
import { route, type App } from '../kernel/http/route.ts';
import { createLookupApp, type LookupAppOptions } from '../lookup/app.ts';
import { StoreHolder } from '../lookup/current-store.ts';
import { languageOf } from './asked-language.ts';
import { addDocs, type DocsOptions } from './docs/site.ts';
import { homePage } from './explorer/home.ts';
import { WrittenPages } from './written-pages.ts';

export interface SiteOptions extends LookupAppOptions {
  readonly settings: DocsOptions['settings'];
}

/** The lookup service with its pages: `/`, `/docs` and what they need. */
export function createSite(options: SiteOptions): App {
  const app = createLookupApp(options);
  const { front, holder, settings } = options;
  const written = new WrittenPages();
  route(app, front, '/', async (exchange) => {
    const lease = holder.current();
    const question = { language: languageOf(exchange), ...asked(exchange) };
    const write = () => homePage({ store: lease?.store ?? null, ...question });
    try {
      const content = await (question.q === ''
        ? written.page(holder.version, `/ ${question.language}`, write)
        : write());
      return await respondDocument(front, exchange, content, pageOptions);
    } finally {
      lease?.release();
    }
  });
  addAssets(app, front);
  addDocs(app, { holder, front, settings, written });
  return app;
}

/** The docs of a process that serves no data: `/docs`, and `/` leads there. */
export function addDocsAlone(
  app: App,
  { front, settings }: Pick<SiteOptions, 'front' | 'settings'>,
): void {
  route(app, front, '/', (exchange) => {
    note(front, exchange, 302, 0);
    const language = languageOf(exchange);
    const headers = { Location: `/docs?lang=${language}`, 'X-Request-Id': exchange.requestId };
    return new Response(null, { status: 302, headers });
  });
  addAssets(app, front);
  addDocs(app, { holder: new StoreHolder(), front, settings, written: new WrittenPages() });
}

function addAssets(app: App, front: Front): void {
  for (const { path, body, type } of assets) {
    route(app, front, path, (exchange) =>
      respondDocument(front, exchange, { body, type }, { cacheControl: assetCacheControl }),
    );
  }
}

const pageOptions = { vary: 'Accept-Encoding, Accept-Language' };
const assetCacheControl = 'public, max-age=3600, stale-while-revalidate=86400';

const assets = [
  { path: '/assets/maru.css', type: 'text/css; charset=utf-8' },
  { path: '/assets/docs.css', type: 'text/css; charset=utf-8' },
  { path: '/assets/maru.svg', type: 'image/svg+xml' },
  { path: '/assets/theme.js', type: 'text/javascript; charset=utf-8' },
  { path: '/assets/docs.js', type: 'text/javascript; charset=utf-8' },
].map((asset) => ({ ...asset, body: readFileSync(new URL(`.${asset.path}`, import.meta.url)) }));

/** A page forgives what the interface refuses: what cannot be read is as if it were not there. */
function asked(exchange: Exchange): { q: string; offset: number } {
  const query = readQuery(exchange.query);
  const q = query.get('q');
  const offset = query.get('offset')?.value ?? '';
  return {
    q: q === undefined || q.fault !== null ? '' : q.value,
    offset: /^\d{1,9}$/.test(offset) ? Number(offset) : 0,
  };
}
