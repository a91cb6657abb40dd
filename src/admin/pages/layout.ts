import type { RequestContext } from '../../kernel/http/request-context.ts';
import { closedPolicy, type ResponsePolicy } from '../../kernel/http/response-policy.ts';
import type { Content } from '../../kernel/http/result.ts';
import type { Language } from '../../contract/language.ts';
import { emptyHtml } from '../../web/layout.ts';
import { html, type Html } from '../../web/html.ts';
import type { SignedInOperator } from '../operators/operators.ts';
import { hasRole } from '../session.ts';
import { roleOfPage } from './pages.ts';
import type { PageContent } from './view.ts';

export interface AdminPage extends PageContent {
  /** Null on the sign-in page. */
  readonly operator: SignedInOperator | null;
}

/** Renders an operator's page. Values are escaped, and only the page's own script can run. */
export function pageContent(
  request: RequestContext,
  language: Language,
  { title, main, operator, status = 200, notice = null, script = null }: AdminPage,
): Content {
  const words = texts[language];
  const document = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · ${words.name}</title>
        <link rel="icon" href="/assets/maru.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/maru.css" />
        <link rel="stylesheet" href="/assets/charts.css" />
        <link rel="stylesheet" href="/assets/admin.css" />
        ${script === null ? emptyHtml : html`<script type="module" src="${script.path}"></script>`}
      </head>
      <body>
        <a class="skip" href="#main">${words.skip}</a>
        <header>
          <a class="name" href="/">${words.name}</a>
          ${operator === null ? emptyHtml : navigation(request.path, operator, words)}
          ${account(request, language, operator)}
        </header>
        <main id="main">
          <h1>${title}</h1>
          ${notice === null ? emptyHtml : html`<p class="notice" role="status">${notice}</p>`}
          ${main}
        </main>
        <footer><p>${words.footer}</p></footer>
      </body>
    </html>`;
  const policy =
    script === null ? contentPolicy : `${contentPolicy}; script-src 'self'; connect-src 'self'`;
  const headers = { 'Content-Language': language, 'Content-Security-Policy': policy };
  return { status, type: 'text/html; charset=utf-8', body: document.markup, headers };
}

/** Links to the pages that the operator may open. */
function navigation(
  path: string,
  { role }: SignedInOperator,
  { navigation: label, pages }: (typeof texts)[Language],
): Html {
  const open = Object.entries(pages).filter(([at]) => hasRole(role, roleOfPage(at)));
  return html`<nav aria-label="${label}">
    ${open.map(
      ([at, name]) =>
        html`<a href="${at}" ${isWithin(path, at) ? html`aria-current="page"` : emptyHtml}
          >${name}</a
        >`,
    )}
  </nav>`;
}

function isWithin(path: string, at: string): boolean {
  return path === at || (at !== '/' && path.startsWith(`${at}/`));
}

function account(
  { method, path, query }: RequestContext,
  language: Language,
  operator: SignedInOperator | null,
): Html {
  const words = texts[language];
  const parameters = new URLSearchParams(query);
  parameters.delete('done');
  parameters.set('lang', words.otherCode);
  // The response to a form has no address of its own, so the link to the other language leads to the overview.
  const other = method === 'GET' ? `${path}?${parameters.toString()}` : `/?lang=${words.otherCode}`;
  return html`<div class="account">
    <a href="${other}" hreflang="${words.otherCode}" lang="${words.otherCode}">${words.other}</a>
    ${
      operator === null
        ? emptyHtml
        : html`<form method="post" action="/sign-out">
            <a class="quiet" href="/account">${operator.name}</a>
            <button type="submit" class="quiet">${words.signOut}</button>
          </form>`
    }
  </div>`;
}

const contentPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Headers of all pages. They allow only styles, images and forms of this site. */
export const pagePolicy: ResponsePolicy = {
  ...closedPolicy,
  headers: { 'Referrer-Policy': 'same-origin' },
  bodyHeaders: {
    ...closedPolicy.bodyHeaders,
    'Referrer-Policy': 'same-origin',
    'Content-Security-Policy': contentPolicy,
  },
};

const texts = {
  ko: {
    name: '마루 운영',
    skip: '본문으로 건너뛰기',
    navigation: '주요 메뉴',
    pages: {
      '/': '개요',
      '/feed': '실시간',
      '/health': '플랫폼 상태',
      '/flows': '겹침과 이동',
      '/members': '회원',
      '/platforms': '플랫폼',
      '/consents': '동의',
      '/keys': 'API 키',
      '/webhooks': '웹훅',
      '/data': '데이터',
      '/system': '시스템',
      '/audit': '감사 기록',
      '/access-log': '접속기록',
      '/operators': '운영자',
    },
    signOut: '로그아웃',
    other: 'English',
    otherCode: 'en',
    footer: '모든 시각은 한국 표준시(UTC+9)입니다.',
  },
  en: {
    name: 'Maru operations',
    skip: 'Skip to the content',
    navigation: 'Main',
    pages: {
      '/': 'Overview',
      '/feed': 'Live',
      '/health': 'Health',
      '/flows': 'Flows',
      '/members': 'Members',
      '/platforms': 'Platforms',
      '/consents': 'Consents',
      '/keys': 'API keys',
      '/webhooks': 'Webhooks',
      '/data': 'Data',
      '/system': 'System',
      '/audit': 'Audit log',
      '/access-log': 'Access log',
      '/operators': 'Operators',
    },
    signOut: 'Sign out',
    other: '한국어',
    otherCode: 'ko',
    footer: 'All times are in Korea Standard Time (UTC+9).',
  },
} as const;
