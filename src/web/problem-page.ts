import { problems } from '../contract/problems.ts';
import type { Language } from '../contract/language.ts';
import { fullName, regionByCode } from '../data/regions/region-table.ts';
import { mediaTypeFor } from '../kernel/http/preferences.ts';
import { readQuery } from '../kernel/http/query.ts';
import type { RequestContext } from '../kernel/http/request-context.ts';
import { openPolicy } from '../kernel/http/response-policy.ts';
import type { Content } from '../kernel/http/result.ts';
import type { ResourcePolicy } from '../kernel/http/router.ts';
import type { ParameterError, Problem } from '../kernel/problem.ts';
import type { StoreHolder } from '../lookup/current-store.ts';
import { linkChips } from './components/chips.ts';
import { html, type Html } from './html.ts';
import { emptyHtml, page } from './layout.ts';
import { languageOf } from './page-language.ts';

/** The policy of a service with pages: a browser gets a problem as a page, a program gets it as JSON. */
export function pagePolicy(
  holder: StoreHolder,
  isKnown: (path: string) => boolean,
): ResourcePolicy {
  return {
    ...openPolicy,
    renderProblem: (request, problem) =>
      withoutSlash(request, problem, isKnown) ??
      (isForReader(request) ? problemPage(request, problem, holder) : null),
  };
}

/** A redirect to the address without slashes at its end, if there is one and no other page. */
function withoutSlash(
  { path, query }: RequestContext,
  { code }: Problem,
  isKnown: (path: string) => boolean,
): Content | null {
  const end = path.replace(/\/+$/, '');
  if (code !== 'not_found' || end === path || end !== localPath(end) || !isKnown(end)) return null;
  const location = query === '' ? end : `${end}?${query}`;
  return { status: 308, body: null, headers: { Location: location } };
}

/** The path with one slash in front: for browsers, two slashes or backslashes begin the name of another host. */
function localPath(path: string): string {
  return `/${path.replace(/^[/\\]+/, '')}`;
}

/** True for a browser at an address of pages. What the API answers is JSON for browsers, too. */
function isForReader(request: RequestContext): boolean {
  if (/^\/(?:api|members)\//.test(request.path)) return false;
  return mediaTypeFor(request.header('accept'), ['text/html', 'application/json']) === 'text/html';
}

function problemPage(request: RequestContext, problem: Problem, holder: StoreHolder): Content {
  const language = chosenLanguage(request);
  const words = texts[language];
  const { title } = problems[problem.code];
  const { status, headers, retryAfterS } = problem;
  const content = page({
    language,
    title: `${title[language]} – ${words.name}`,
    translationUrl: translationOf(request, language),
    isUnlisted: true,
    search: '',
    status,
    main: html`
      <h1>${title[language]}</h1>
      <p>${problem.detail[language]}</p>
      ${problem.errors.map((error) => ('parameter' in error ? faultOf(error, request, language) : null))}
      ${suggestionLinks(problem, language, holder)}
      <p><a href="/?lang=${language}">${words.toHome}</a></p>
      <p class="quiet">${status} · ${words.request(request.id)}</p>
    `,
  });
  return {
    ...content,
    headers: {
      ...content.headers,
      'Cache-Control': 'no-store',
      Vary: 'Accept, Accept-Language',
      ...headers,
      ...(retryAfterS === null ? {} : { 'Retry-After': String(retryAfterS) }),
    },
  };
}

/** The query cannot be read if the problem is the query itself. */
function chosenLanguage(request: RequestContext): Language {
  try {
    return languageOf(request);
  } catch {
    return request.language;
  }
}

function translationOf({ path, query }: RequestContext, language: Language): string {
  const parts = query.split('&').filter((part) => part !== '' && !part.startsWith('lang='));
  return `${localPath(path)}?${[...parts, `lang=${language === 'ko' ? 'en' : 'ko'}`].join('&')}`;
}

/** The place of a fault in the text of a parameter, and the texts that may stand there. */
function faultOf(error: ParameterError, request: RequestContext, language: Language): Html {
  const { parameter, position, suggestions = [], value } = error;
  const text = valueOf(request, parameter);
  if (position === undefined || text === null) return emptyHtml;
  const words = texts[language];
  const length = value === undefined || !text.startsWith(value, position) ? 1 : value.length;
  const [before, fault, after] = [
    text.slice(0, position),
    text.slice(position, position + length),
    text.slice(position + length),
  ];
  const links = suggestions.map((suggestion) => ({
    text: suggestion,
    href: withValue(request, parameter, before + suggestion + after),
  }));
  return html`<figure class="fault">
      <figcaption>${words.place(parameter)}</figcaption>
      <pre
        tabindex="0"
      ><code translate="no">${before}<mark>${fault === '' ? ' ' : fault}</mark>${after}</code></pre>
    </figure>
    ${
      links.length === 0
        ? emptyHtml
        : html`<p>${words.instead}</p>
            ${linkChips(links)}`
    }
    <p>
      <a rel="nofollow" href="${withValue(request, parameter, null)}"
        >${words.without(parameter)}</a
      >
    </p>`;
}

function valueOf(request: RequestContext, parameter: string): string | null {
  const raw = readQuery(request.query).get(parameter);
  return raw === undefined || raw.fault !== null ? null : raw.value;
}

/** The address of the request with another value of a parameter; null removes it. */
function withValue(
  { path, query }: RequestContext,
  parameter: string,
  value: string | null,
): string {
  const changed = new URLSearchParams();
  for (const [name, raw] of readQuery(query)) {
    if (name !== parameter && raw.fault === null) changed.set(name, raw.value);
  }
  if (value !== null) changed.set(parameter, value);
  return changed.size === 0 ? localPath(path) : `${localPath(path)}?${changed.toString()}`;
}

/** Links that the problem suggests; links to datasets and regions show their names. */
function suggestionLinks({ extra }: Problem, language: Language, holder: StoreHolder): Html {
  const { suggestions } = extra;
  if (!Array.isArray(suggestions) || suggestions.length === 0) return emptyHtml;
  const lease = holder.lease();
  const links = suggestions.map(String).map((target) => {
    const [, kind, code = '', record] = /^\/(data|region)\/([^/]+)(\/[^/]+)?$/.exec(target) ?? [];
    if (record !== undefined) return { text: texts[language].record, href: target };
    const region = kind === 'region' ? regionByCode(code) : undefined;
    const axis = kind === 'data' ? lease?.store.axes.get(decodeURIComponent(code)) : undefined;
    const text = region === undefined ? axis?.axis.title : fullName(region);
    return { text: text ?? target, href: target };
  });
  lease?.release();
  return html`<p>${texts[language].instead}</p>
    ${linkChips(links.filter(({ href }) => href === localPath(href)))}`;
}

const texts = {
  ko: {
    name: '마루',
    place: (parameter: string) => `${parameter}에서 읽지 못한 곳`,
    instead: '이것을 찾으셨나요?',
    record: '이 레코드의 지금 값',
    without: (parameter: string) => `${parameter} 없이 보기`,
    toHome: '첫 화면으로',
    request: (id: string) => `요청 번호 ${id}`,
  },
  en: {
    name: 'Maru',
    place: (parameter: string) => `The place in ${parameter} that cannot be read`,
    instead: 'Did you mean one of these?',
    record: 'The current values of this record',
    without: (parameter: string) => `Continue without ${parameter}`,
    toHome: 'To the front page',
    request: (id: string) => `Request ${id}`,
  },
} as const;
