import type { Language } from '../../contract/language.ts';
import type { Document } from '../../kernel/http/result.ts';
import { emptyHtml, page, searchForm } from '../layout.ts';
import type { Library, LibraryPage } from './library.ts';
import { docsTexts } from './texts.ts';
import { html, raw, type Html } from '../html.ts';

interface FrameOptions {
  readonly library: Library;
  /** The page of the library; null for the front page and the search. */
  readonly current: LibraryPage | null;
  readonly title: string;
  readonly main: Html;
  /** Path and query without the language. */
  readonly target: string;
  /** Text of the search field. */
  readonly query?: string;
}

/** A page of the docs with its navigation and search. */
export function docsFrame(options: FrameOptions): Document {
  const { library, current, title, main, target, query = '' } = options;
  const { language } = library;
  const words = docsTexts[language];
  const other = language === 'ko' ? 'en' : 'ko';
  return page({
    language,
    title: `${title} – ${words.site}`,
    hasData: library.hasData,
    translationUrl: `${target}${target.includes('?') ? '&' : '?'}lang=${other}`,
    head: html`<link rel="stylesheet" href="/assets/docs.css" />
      <script type="module" src="/assets/copy.js"></script>
      <script type="module" src="/assets/docs.js"></script>`,
    side: html`<div class="side">
      ${searchForm('/docs/search', 'find', language, query, words)}
      <details class="contents">
        <summary>${words.contents}</summary>
        <nav aria-label="${words.contents}">${groups(library, current)}</nav>
      </details>
    </div>`,
    main: html`${main} ${current === null ? emptyHtml : neighbours(library, current)}
      <p role="status" class="spoken"></p>`,
  });
}

/** Main part of a page. A long page lists its parts after the first paragraph. */
export function documentMain({ body, sections }: LibraryPage, language: Language): Html {
  const parts = sections.filter(({ level }) => level === 2);
  const [, lead = '', rest = body] = /^([^]*?<\/p>)([^]*)$/.exec(body) ?? [];
  const words = docsTexts[language];
  return html`${raw(lead)}
  ${
    parts.length < partsMin
      ? emptyHtml
      : html`<nav class="parts" aria-label="${words.onThisPage}">
          <ul>
            ${parts.map(({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}
          </ul>
        </nav>`
  }
  ${raw(rest)}`;
}

const partsMin = 3;

function groups({ language, pages }: Library, current: LibraryPage | null): Html {
  const words = docsTexts[language];
  return html`${(['start', 'guide', 'reference'] as const).map(
    (group) =>
      html`<p id="group-${group}">${words.groups[group]}</p>
        <ul aria-labelledby="group-${group}">
          ${pages
            .filter((candidate) => candidate.group === group)
            .map(
              (candidate) => html`<li>${pageLink(candidate, language, candidate === current)}</li>`,
            )}
        </ul>`,
  )}`;
}

function pageLink(page: LibraryPage, language: Language, isCurrent: boolean): Html {
  const here = isCurrent ? html` aria-current="page"` : emptyHtml;
  return html`<a href="/docs/${page.slug}?lang=${language}" ${here}
    >${page.title}${englishMark(page, language)}</a
  >`;
}

/** Marks a page that is in English within the Korean docs. */
export function englishMark({ isEnglish }: LibraryPage, language: Language): Html {
  return isEnglish ? html` <span class="quiet">(${docsTexts[language].english})</span>` : emptyHtml;
}

function neighbours({ language, pages }: Library, current: LibraryPage): Html {
  const words = docsTexts[language];
  const at = pages.indexOf(current);
  const [previous, next] = [pages[at - 1], pages[at + 1]];
  const link = (label: string, neighbour: LibraryPage | undefined): Html =>
    neighbour === undefined
      ? html`<span></span>`
      : html`<span>${label}<br />${pageLink(neighbour, language, false)}</span>`;
  return html`<nav class="pages" aria-label="${words.around}">
    ${link(words.previous, previous)} ${link(words.next, next)}
  </nav>`;
}
