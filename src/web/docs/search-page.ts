import { markRanges, emptyHtml } from '../layout.ts';
import type { Library } from './library.ts';
import { searchDocs, suggestQueries, type DocsHit } from './search.ts';
import { docsTexts } from './texts.ts';
import { html, type Html } from '../html.ts';

/** Results of a search over the docs. */
export function docsSearchPage(library: Library, query: string): Html {
  const words = docsTexts[library.language];
  if (query === '')
    return html`<h1>${words.searchTitle}</h1>
      <p>${words.prompt}</p>`;
  const hits = searchDocs(library, query);
  if (hits.length === 0) return noHits(library, query);
  return html`<h1>${words.found(query, hits.length)}</h1>
    <ol class="cards hits">
      ${hits.map((hit) => hitCard(hit, library))}
    </ol>`;
}

function hitCard({ page, section, snippet, ranges }: DocsHit, { language }: Library): Html {
  const anchor = section.id === '' ? '' : `#${section.id}`;
  return html`<li>
    <h2><a href="/docs/${page.slug}?lang=${language}${anchor}">${section.heading}</a></h2>
    ${section.level === 1 ? emptyHtml : html`<p class="quiet">${page.title}</p>`}
    <p>${markRanges(snippet, ranges)}</p>
  </li>`;
}

function noHits(library: Library, query: string): Html {
  const { language } = library;
  const words = docsTexts[language];
  const others = suggestQueries(library, query);
  const link = (other: string): string =>
    `/docs/search?${new URLSearchParams({ lang: language, q: other }).toString()}`;
  return html`<h1>${words.none(query)}</h1>
    ${
      others.length === 0
        ? html`<p>${words.prompt}</p>`
        : html`<p>${words.tryInstead}</p>
            <ul class="chips">
              ${others.map((other) => html`<li><a href="${link(other)}">${other}</a></li>`)}
            </ul>`
    }`;
}
