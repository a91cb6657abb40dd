import type { Document } from '../kernel/http/result.ts';
import type { Language } from '../contract/language.ts';
import { textLengthMax } from '../contract/route.ts';
import { suggesting } from './components/suggesting.ts';
import { html, raw, type Html } from './html.ts';

interface PageOptions {
  readonly language: Language;
  readonly title: string;
  /** One sentence for search engines and previews; by default the description of the site. */
  readonly description?: string;
  /** Address of the page in the other language. */
  readonly translationUrl: string;
  /** Absolute address of the page without parameters that do not change its content, and without its language. */
  readonly canonicalUrl?: string | undefined;
  /** True if search engines may not list the page. */
  readonly isUnlisted?: boolean;
  /** `wide` for tables, `reading` for texts. */
  readonly width?: 'reading' | 'wide';
  /** Text of the search in the header; null if the page has a search of its own. */
  readonly search?: string | null;
  /** False if no data is served beside the page, so that nothing links to it. */
  readonly hasData?: boolean;
  /** Status of the response; 200 when absent. */
  readonly status?: number;
  readonly main: Html;
  /** Navigation beside the content, and before it in the document. */
  readonly side?: Html;
  /** Styles and scripts of this page alone. */
  readonly head?: Html;
}

/** Makes a whole page with landmarks and a skip link, which works without scripts. */
export function page(options: PageOptions): Document {
  const { language, translationUrl, main, side = emptyHtml, width = 'reading' } = options;
  const { search = null, hasData = true, status } = options;
  const words = texts[language];
  const document = html`<!doctype html>
    <html lang="${language}">
      ${headOf(options)}
      <body class="${width}">
        <a class="skip" href="#main">${words.skip}</a>
        <header>
          <a class="name" href="/?lang=${language}">${words.name}</a>
          ${search === null ? emptyHtml : suggesting(searchForm('/search', 'find', language, search, words), language)}
          <nav aria-label="${words.navigation}">
            <a href="/docs?lang=${language}">${words.reference}</a>
            <a href="/openapi.json">OpenAPI</a>
            <a href="${translationUrl}" hreflang="${words.otherCode}" lang="${words.otherCode}"
              >${words.other}</a
            >
            <button type="button" class="theme" aria-pressed="false" hidden>${words.dark}</button>
          </nav>
        </header>
        ${side}
        <main id="main">${main}</main>
        ${hasData ? footer(language) : emptyHtml}
      </body>
    </html>`;
  return {
    ...(status === undefined ? {} : { status }),
    body: Buffer.from(document.markup),
    type: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': pagePolicy, 'Content-Language': language },
  };
}

function footer(language: Language): Html {
  const words = texts[language];
  return html`<footer>
    <nav class="links" aria-label="${words.more}">
      <a href="/search?lang=${language}">${words.datasets}</a>
      <a href="/catalog?lang=${language}">${words.catalog}</a>
      <a href="/demand?lang=${language}">${words.demand}</a>
      <a href="/status?lang=${language}">${words.status}</a>
    </nav>
    <p>${words.footer}</p>
  </footer>`;
}

function headOf(options: PageOptions): Html {
  const { language, title, canonicalUrl, isUnlisted = false, head = emptyHtml } = options;
  const description = options.description ?? texts[language].description;
  return html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <meta name="description" content="${description}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    ${isUnlisted ? html`<meta name="robots" content="noindex" />` : emptyHtml}
    ${canonicalUrl === undefined ? emptyHtml : canonicalLinks(canonicalUrl, language)}
    <link rel="icon" href="/assets/maru.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/assets/pretendard.css" />
    <link rel="stylesheet" href="/assets/maru.css" />
    <link rel="stylesheet" href="/assets/components.css" />
    <script src="/assets/theme.js"></script>
    ${head}
  </head>`;
}

/** Search engines get Korean at the address without a language, and list each language by its own address. */
function canonicalLinks(korean: string, language: Language): Html {
  const english = `${korean}?lang=en`;
  return html`<link rel="canonical" href="${language === 'en' ? english : korean}" />
    <link rel="alternate" hreflang="ko" href="${korean}" />
    <link rel="alternate" hreflang="en" href="${english}" />
    <link rel="alternate" hreflang="x-default" href="${korean}" />`;
}

/** A search form that keeps the language of the page. */
export function searchForm(
  action: string,
  style: string,
  language: Language,
  query: string,
  words: Readonly<Record<'searchLabel' | 'searchPlaceholder' | 'search', string>>,
): Html {
  return html`<form class="${style}" action="${action}" method="get" role="search">
    <input type="hidden" name="lang" value="${language}" />
    <input
      type="search"
      name="q"
      value="${query}"
      maxlength="${textLengthMax}"
      aria-label="${words.searchLabel}"
      placeholder="${words.searchPlaceholder}"
      autocomplete="off"
    />
    <button>${words.search}</button>
  </form>`;
}

/** Puts `<mark>` around each range of a text. */
export function markRanges(text: string, ranges: readonly (readonly [number, number])[]): Html {
  const parts: Html[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    parts.push(html`${text.slice(at, start)}<mark>${text.slice(start, end)}</mark>`);
    at = end;
  }
  parts.push(html`${text.slice(at)}`);
  return html`${parts}`;
}

/** Empty markup. */
export const emptyHtml: Html = raw('');

/** Formats a number with thousands separators, the same in both languages: `755,496`. */
export function formatNumber(number: number): string {
  return numbers.format(number);
}

const numbers = new Intl.NumberFormat('en-US');

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const texts = {
  ko: {
    name: '마루',
    description: '대한민국 공공데이터를 인증키 없이 검색하고 읽는 곳.',
    skip: '본문으로 건너뛰기',
    navigation: '주요 메뉴',
    reference: '문서',
    dark: '어두운 화면',
    other: 'English',
    otherCode: 'en',
    more: '데이터와 현황',
    datasets: '모든 데이터셋',
    catalog: '포털 목록',
    demand: '검색 수요',
    status: '현황',
    footer: '출처와 이용 조건은 데이터셋마다 알려진 만큼 표시합니다.',
    searchLabel: '모든 데이터에서 검색',
    searchPlaceholder: '데이터 검색',
    search: '검색',
  },
  en: {
    name: 'Maru',
    description: 'Search and read Korea’s open data without a key.',
    skip: 'Skip to the content',
    navigation: 'Main',
    reference: 'Docs',
    dark: 'Dark theme',
    other: '한국어',
    otherCode: 'ko',
    more: 'Data and status',
    datasets: 'All datasets',
    catalog: 'Portal catalog',
    demand: 'Search demand',
    status: 'Status',
    footer: 'Each dataset states its source and terms of use as far as they are known.',
    searchLabel: 'Search all data',
    searchPlaceholder: 'Search the data',
    search: 'Search',
  },
} as const;
