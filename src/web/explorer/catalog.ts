import { lookupContract } from '../../contract/lookup.ts';
import type { pageContract } from '../../contract/pages.ts';
import type { RouteParameters } from '../../contract/route.ts';
import { catalogTypes } from '../../data/axis.ts';
import type { CatalogEntry } from '../../data/catalog.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import type { Document } from '../../kernel/http/result.ts';
import { findInCatalog } from '../../lookup/endpoints/catalog.ts';
import { sampleBadge } from '../components/badge.ts';
import { linkChips } from '../components/chips.ts';
import { notice } from '../components/notice.ts';
import { trail } from '../components/trail.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber, page, searchForm } from '../layout.ts';
import type { PageRequest } from '../serve-page.ts';
import { catalogDate } from './catalog-date.ts';
import { catalogEntries } from './catalog-entries.ts';
import { catalogTexts } from './catalog-texts.ts';
import { listPager } from './list-pager.ts';

type CatalogParams = RouteParameters<typeof pageContract.catalog>;

interface CatalogView extends PageRequest {
  readonly params: CatalogParams;
  readonly words: (typeof catalogTexts)[PageRequest['language']];
}

/** The page of the portal's catalog: its entries by type, held here or not. */
export async function catalogPage(params: CatalogParams, request: PageRequest): Promise<Document> {
  const { store, language, absoluteUrl, target } = request;
  const { q = '' } = params;
  const words = catalogTexts[language];
  const { origin } = store.catalog;
  const view: CatalogView = { ...request, params, words };
  return page({
    language,
    title: `${q === '' ? words.title : words.heading(q)} – ${words.name}`,
    translationUrl: target({ lang: language === 'ko' ? 'en' : 'ko' }),
    canonicalUrl: absoluteUrl('/catalog'),
    isUnlisted: q !== '',
    width: 'wide',
    main: html`
      ${trail(words.trail, [{ text: words.name, href: '/' }], words.title)}
      <h1 class="smaller">
        ${q === '' ? words.title : words.heading(q)} ${sampleBadge(origin, language)}
      </h1>
      ${searchForm('/catalog', 'search', language, q, words)}
      ${origin === null ? notice('note', html`<p>${words.none}</p>`) : await entryList(view)}
    `,
  });
}

async function entryList(view: CatalogView): Promise<Html> {
  const { store, words, params, language, isAbandoned } = view;
  const { q = '', type, rewrite, offset } = params;
  const query = {
    q,
    type,
    rewrite,
    limit: pageSize,
    offset,
  } as const;
  const { found, near, rewritten, rewrites } = await findInCatalog(query, store, isAbandoned);
  const { origin } = store.catalog;
  // A store's record is the JSON of an entry.
  const entries = found.hits.map(({ record }) => JSON.parse(record.toString()) as CatalogEntry);
  return html`<p class="quiet">${words.lead} ${catalogDate(store.catalog, language)}</p>
    ${origin === 'sample' ? notice('warning', html`<p>${words.sample}</p>`) : emptyHtml}
    ${
      rewritten === null
        ? emptyHtml
        : notice(
            'note',
            html`<p role="status">
              ${words.readAs(q, rewritten.to)}
              <a href="${view.target({ rewrite: '0' })}" rel="nofollow">${words.asTyped(q)}</a>
            </p>`,
          )
    }
    ${typeLinks(found.types, view)}
    <p class="quiet">
      ${words.counts(formatNumber(found.held.true), formatNumber(found.held.false))}
    </p>
    ${
      found.total === 0
        ? html`<p role="status">${q === '' ? words.emptyType : words.empty(q)}</p>
            ${linkChips(
              rewrites.map(({ text }) => ({ text, href: view.target({ q: text, offset: 0 }) })),
            )}`
        : catalogEntries(entries, { store, language, lang: params.lang, isFull: true })
    }
    ${near.length === 0 ? emptyHtml : nearEntries(near, view)}
    ${listPager({ offset, pageSize, total: found.total }, view)}
    <p class="links">
      <a href="${canonicalUrl(lookupContract.catalog, { q, type })}">${words.json}</a>
    </p>`;
}

const pageSize = 30;

/** Entries that have a part of the query. */
function nearEntries(entries: readonly CatalogEntry[], view: CatalogView): Html {
  const { words, store, language, params } = view;
  return html`<section aria-labelledby="near">
    <h2 id="near">${words.near}</h2>
    <p class="quiet">${words.nearLead}</p>
    ${catalogEntries(entries, { store, language, lang: params.lang, isFull: true })}
  </section>`;
}

/** Links to the entries of one type, with their numbers. */
function typeLinks(
  counts: Readonly<Record<(typeof catalogTypes)[number], number>>,
  { words, params, target }: CatalogView,
): Html {
  const total = catalogTypes.reduce((sum, type) => sum + counts[type], 0);
  const parts = [
    { type: undefined, name: words.all, count: total },
    ...catalogTypes.map((type) => ({ type, name: words.types[type], count: counts[type] })),
  ];
  return html`<nav class="contents-line" aria-label="${words.byType}">
    ${parts.map(({ type, name, count }) =>
      type === params.type
        ? html`<strong aria-current="true">${name} ${formatNumber(count)}</strong>`
        : html`<a href="${target({ type, offset: 0 })}"
            >${name} <span class="quiet">${formatNumber(count)}</span></a
          >`,
    )}
  </nav>`;
}
