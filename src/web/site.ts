import { readFileSync } from 'node:fs';
import { respondDocument } from '../kernel/http/document.ts';
import { languageFor, type Language } from '../kernel/http/preferences.ts';
import type { Exchange } from '../kernel/http/exchange.ts';
import { readQuery } from '../kernel/http/query.ts';
import { route, type App } from '../kernel/http/route.ts';
import { createLookupApp, type LookupAppOptions } from '../lookup/app.ts';
import { reference } from './docs/reference.ts';
import { homePage } from './explorer/home.ts';

/** The lookup service with its pages: `/`, `/docs` and what they need. */
export function createSite(options: LookupAppOptions): App {
  const app = createLookupApp(options);
  const { front, holder, settings } = options;
  for (const { path, body, type } of assets) {
    route(app, front, path, (exchange) =>
      respondDocument(front, exchange, { body, type }, { cacheControl: assetCacheControl }),
    );
  }
  route(app, front, '/', async (exchange) => {
    const lease = holder.current();
    try {
      const store = lease?.store ?? null;
      const content = await homePage({ store, language: languageOf(exchange), ...asked(exchange) });
      return await respondDocument(front, exchange, content, pageOptions);
    } finally {
      lease?.release();
    }
  });
  route(app, front, '/docs', async (exchange) => {
    const lease = holder.current();
    const example = lease?.store.axes.keys().next().value ?? null;
    lease?.release();
    const address = settings.MARU_BASE_URL ?? addressOf(exchange);
    const content = await reference({ language: languageOf(exchange), example, address });
    return respondDocument(front, exchange, content, {
      vary: 'Accept-Encoding, Accept-Language, Host',
    });
  });
  return app;
}

/** The one by which we were asked, for examples that work where they are read. */
function addressOf(exchange: Exchange): string {
  const host = exchange.header('host') ?? '';
  const isPlain =
    /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\]):\d{1,5}$/i.test(host) && host.length <= 100;
  return isPlain ? `http://${host}` : 'http://127.0.0.1:3000';
}

const pageOptions = { vary: 'Accept-Encoding, Accept-Language' };
const assetCacheControl = 'public, max-age=3600, stale-while-revalidate=86400';

const assets = [
  { path: '/assets/maru.css', type: 'text/css; charset=utf-8' },
  { path: '/assets/maru.svg', type: 'image/svg+xml' },
].map((asset) => ({ ...asset, body: readFileSync(new URL(`.${asset.path}`, import.meta.url)) }));

/** Chosen on the page, or as the browser prefers. */
function languageOf(exchange: Exchange): Language {
  const chosen = readQuery(exchange.query).get('lang')?.value;
  return chosen === 'ko' || chosen === 'en'
    ? chosen
    : languageFor(exchange.header('accept-language'));
}

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
