import { readFileSync } from 'node:fs';
import { regionsOn } from '../data/regions/region-table.ts';
import { cacheable } from '../kernel/http/conditional.ts';
import type { RequestContext } from '../kernel/http/request-context.ts';
import type { Document } from '../kernel/http/result.ts';
import type { Router } from '../kernel/http/router.ts';
import type { StoreHolder } from '../lookup/current-store.ts';
import { dateOf, todayInSeoul } from '../data/freshness.ts';
import { docsAddresses, type AddressSettings } from './docs/addresses.ts';
import { docsPages } from './docs/pages.ts';
import { datasetPath, regionPath } from './explorer/paths.ts';
import { html } from './html.ts';

interface CrawlerOptions {
  readonly holder: StoreHolder;
  readonly settings: AddressSettings;
}

/** Adds the files that browsers and search engines request of every site. */
export function addCrawlerFiles(router: Router, { holder, settings }: CrawlerOptions): void {
  const baseUrl = (request: RequestContext): string =>
    docsAddresses(settings, request.header('host')).lookup;
  router.get('/robots.txt', (request) => file(robots(baseUrl(request)), 'text/plain'));
  router.get('/sitemap.xml', (request) =>
    file(sitemap(baseUrl(request), holder), 'application/xml'),
  );
  // Browsers request it where a page names no icon, and read its type.
  router.get('/favicon.ico', () => cacheable({ type: 'image/svg+xml', body: icon }));
}

const icon = readFileSync(new URL('./assets/maru.svg', import.meta.url));

function file(text: string, type: string): Document {
  const content = { type: `${type}; charset=utf-8`, body: Buffer.from(text) };
  return cacheable(content, { vary: 'Accept-Encoding, Host' });
}

/** Filtered pages and answers of the API are without number; the pages that the sitemap lists lead to all data. */
function robots(baseUrl: string): string {
  return [
    'User-agent: *',
    ...['/data/*', '/search', '/catalog', '/demand'].map((path) => `Allow: ${path}?lang=en$`),
    'Disallow: /api/',
    'Disallow: /data/*?',
    'Disallow: /search?',
    'Disallow: /catalog?',
    'Disallow: /demand?',
    `Sitemap: ${baseUrl}/sitemap.xml`,
    '',
  ].join('\n');
}

/** Pages that search engines may list (sitemaps.org, 0.9). Sample data is not among them. */
function sitemap(baseUrl: string, holder: StoreHolder): string {
  const lease = holder.lease();
  const axes = [...(lease?.store.axes.values() ?? [])].map(({ axis }) => axis);
  lease?.release();
  const pages = [
    '/',
    '/search',
    '/catalog',
    '/demand',
    '/status',
    '/docs',
    ...docsPages.map(({ slug }) => `/docs/${slug}`),
  ];
  const entries = [
    ...pages.map((path) => ({ path, date: null })),
    ...axes
      .filter(({ origin }) => origin !== 'sample')
      .map((axis) => ({ path: datasetPath(axis.code), date: dateOf(axis) })),
    ...regionsOn(todayInSeoul()).map(({ code }) => ({ path: regionPath(code), date: null })),
  ];
  const urls = entries
    .slice(0, entriesMax)
    .map(
      ({ path, date }) =>
        html`<url
          ><loc>${baseUrl}${path}</loc>${isDay(date) ? html`<lastmod>${date}</lastmod>` : null}</url
        > `,
    );
  return html`<?xml version="1.0" encoding="utf-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`.markup;
}

/** True for a whole date: the schema of sitemaps has no months or years. */
function isDay(date: string | null): date is string {
  return date?.length === 'YYYY-MM-DD'.length;
}

/** Limit of the protocol. */
const entriesMax = 50_000;
