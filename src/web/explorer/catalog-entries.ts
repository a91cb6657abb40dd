import { pageContract } from '../../contract/pages.ts';
import type { Language } from '../../contract/language.ts';
import type { CatalogEntry } from '../../data/catalog.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import { storedAxesOf } from '../../lookup/stored-axes-of.ts';
import type { LookupStore } from '../../lookup/store/store.ts';
import { sampleBadge } from '../components/badge.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml } from '../layout.ts';
import { catalogTexts } from './catalog-texts.ts';
import { sourceLink } from './dataset-facts.ts';
import { licenseSentence } from '../../data/license-texts.ts';
import { datasetPath } from './paths.ts';
import { plainDescription } from './plain-description.ts';

interface EntryOptions {
  readonly store: LookupStore;
  readonly language: Language;
  /** Language in the address; undefined for the browser's language. */
  readonly lang: Language | undefined;
  /** True for descriptions, dates and links of each entry. */
  readonly isFull?: boolean;
}

/** Entries of the portal's catalog: stored ones lead to their dataset, others to the portal. */
export function catalogEntries(entries: readonly CatalogEntry[], options: EntryOptions): Html {
  return html`<ul class="datasets">
    ${entries.map((entry) => entryLine(entry, options))}
  </ul>`;
}

function entryLine(entry: CatalogEntry, options: EntryOptions): Html {
  const { store, language, lang, isFull = false } = options;
  const words = catalogTexts[language];
  const { title, url, provider, type, formats, modified } = entry;
  const [stored] = storedAxesOf(entry, store);
  const link =
    stored !== undefined
      ? html`<a href="${datasetPath(stored.axis.code, lang)}">${title}</a>`
      : url === null
        ? html`${title}`
        : sourceLink(url, title, language);
  const facts = [
    provider,
    words.types[type],
    ...(isFull ? [formats.join(', ') || null, modified && words.modified(modified)] : []),
    stored === undefined ? words.notHeld : words.held,
  ];
  return html`<li>
    <p class="${isFull ? 'title' : ''}">
      ${link} ${sampleBadge(stored?.axis.origin ?? null, language)}
    </p>
    <p class="quiet">${facts.filter((fact) => fact !== null).join(' · ')}</p>
    ${isFull ? details(entry, stored !== undefined, options) : emptyHtml}
  </li>`;
}

function details(entry: CatalogEntry, isHeld: boolean, { language, lang }: EntryOptions): Html {
  const words = catalogTexts[language];
  const { description, license, provider, url } = entry;
  const shown = plainDescription(description, descriptionLengthMax);
  const byProvider = canonicalUrl(pageContract.catalog, { q: provider ?? '', lang });
  return html`${shown === null ? emptyHtml : html`<p>${shown}</p>`}
    ${license === null ? emptyHtml : html`<p class="quiet">${licenseSentence(license, language)}</p>`}
    <p class="links">
      ${isHeld && url !== null ? sourceLink(url, words.source, language) : emptyHtml}
      ${provider === null ? emptyHtml : html`<a href="${byProvider}">${words.byProvider(provider)}</a>`}
    </p>`;
}

const descriptionLengthMax = 180;
