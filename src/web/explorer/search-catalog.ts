import { pageContract } from '../../contract/pages.ts';
import type { CatalogEntry } from '../../data/catalog.ts';
import type { ParsedQuery } from '../../data/korean/terms.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber } from '../layout.ts';
import { catalogDate } from './catalog-date.ts';
import { catalogEntries } from './catalog-entries.ts';
import { catalogTexts } from './catalog-texts.ts';
import type { ResultSection, SearchView } from './search-view.ts';

/** Entries of the portal's catalog, stored here or not, and near ones where they are few. */
export async function catalogSection(query: ParsedQuery, view: SearchView): Promise<ResultSection> {
  const { store, words, lang, isAbandoned } = view;
  const { terms, text } = query;
  const found = await store.catalogSearch(
    { terms, text, offset: 0, limit: entriesMax },
    isAbandoned,
  );
  const near = await nearSection(query, entriesMax - found.hits.length, view);
  if (found.total === 0) return { html: near, count: 0 };
  // A store's record is the JSON of an entry.
  const entries = found.hits.map(({ record }) => JSON.parse(record.toString()) as CatalogEntry);
  const section = html`<section aria-labelledby="catalog">
    <h2 id="catalog">${words.catalog} <span class="quiet">${formatNumber(found.total)}</span></h2>
    ${listRemark(view)} ${catalogEntries(entries, view)}
    ${
      found.total > entries.length
        ? html`<p>
            <a href="${canonicalUrl(pageContract.catalog, { q: text, lang })}"
              >${words.catalogMore(formatNumber(found.total))}</a
            >
          </p>`
        : emptyHtml
    }
  </section>`;
  return { count: found.total, html: html`${section} ${near}` };
}

/** The date of the list, or that it is a sample. */
function listRemark({ store: { catalog }, words, language }: SearchView): Html {
  const text = catalog.origin === 'sample' ? words.sampleCatalog : catalogDate(catalog, language);
  return text === '' ? emptyHtml : html`<p class="quiet">${text}</p>`;
}

async function nearSection({ terms }: ParsedQuery, limit: number, view: SearchView): Promise<Html> {
  const records =
    limit === 0 ? [] : await view.store.catalogNear({ terms }, limit, view.isAbandoned);
  if (records.length === 0) return emptyHtml;
  const entries = records.map((record) => JSON.parse(record.toString()) as CatalogEntry);
  const words = catalogTexts[view.language];
  return html`<section aria-labelledby="near">
    <h2 id="near">${words.near}</h2>
    <p class="quiet">${words.nearLead}</p>
    ${listRemark(view)} ${catalogEntries(entries, view)}
  </section>`;
}

const entriesMax = 8;
