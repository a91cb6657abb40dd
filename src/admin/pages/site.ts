import { readFileSync } from 'node:fs';
import { respondDocument } from '../../kernel/http/document.ts';
import { routerPath } from '../../kernel/http/direct.ts';
import { RequestContext } from '../../kernel/http/request-context.ts';
import { readBytes } from '../../kernel/http/json-body.ts';
import { pathParameters } from '../../kernel/http/path-parameters.ts';
import type { Language } from '../../contract/language.ts';
import { refuseOtherPaths, route, type App } from '../../kernel/http/route.ts';
import { Problem } from '../../kernel/problem.ts';
import type { AdminHost } from '../api/call.ts';
import { memberReads } from '../api/members.ts';
import { cookieValues } from '../../members/http/cookies.ts';
import { html } from '../../web/html.ts';
import {
  adminCookieOf,
  createAdminApp,
  endSession,
  openSession,
  requireOperator,
  requireOwnSite,
  type AdminAppOptions,
} from '../api/app.ts';
import { actionPage, doneText, submitAction } from './action-page.ts';
import { respondMove, respondPage, type AdminMove, type AdminPage } from './layout.ts';
import { searchForms } from './members.ts';
import { adminPages } from './pages.ts';
import { noSuchMember, refusalText, refusalWithFixes } from './refusal.ts';
import { signInPage } from './sign-in.ts';
import type { PageContent, View } from './view.ts';

/** The operator's listener with its pages: each shows what a handler of the JSON answers. */
export function createAdminSite(options: AdminAppOptions): App {
  const host = createAdminApp(options);
  const { app, front } = host;
  for (const { name, folder, type } of assets) {
    const body = readFileSync(new URL(`${folder}${name}`, import.meta.url));
    route(app, front, `/assets/${name}`, (request) =>
      respondDocument(front, request, { body, type }),
    );
  }
  for (const [path, page] of Object.entries(adminPages)) {
    signedInAt(host, 'GET', path, async (view) => ({
      ...(await page(view)),
      notice: doneText(view),
    }));
  }
  signedInAt(host, 'POST', '/search', search);
  signedInAt(host, 'GET', '/actions/{action}', actionPage);
  signedInAt(host, 'POST', '/actions/{action}', async (view, request) =>
    submitAction(view, () => readForm(request)),
  );
  at(host, 'POST', '/sign-in', (request, language) => signIn(host, request, language));
  at(host, 'POST', '/sign-out', async (request) => {
    endSession(host, request);
    return { to: '/', cookies: [adminCookieOf('')] };
  });
  refuseOtherPaths(app, front);
  return app;
}

const assets = [
  { name: 'maru.css', folder: '../../web/assets/', type: 'text/css; charset=utf-8' },
  { name: 'admin.css', folder: './', type: 'text/css; charset=utf-8' },
  { name: 'maru.svg', folder: '../../web/assets/', type: 'image/svg+xml' },
];

async function signIn(
  host: AdminHost,
  request: RequestContext,
  language: Language,
): Promise<AdminPage | AdminMove> {
  const fields = Object.fromEntries(await readForm(request));
  const to = /^\/(?![/\\])[\w/?=&.-]*$/.test(fields['to'] ?? '') ? fields['to']! : '/';
  try {
    const token = await openSession(host, fields);
    return { to, cookies: [adminCookieOf(token)] };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const refusal = refusalWithFixes(error, language);
    const { status } = error;
    return signInPage(host, language, { to, name: fields['name'] ?? '', refusal, status });
  }
}

/** Redirects to the member that was found. A form by POST keeps the address out of every URL. */
async function search(view: View, request: RequestContext): Promise<PageContent | AdminMove> {
  const { text, language } = view;
  const given = await readForm(request);
  const who = given.get('who')?.trim();
  const body =
    who === undefined
      ? { platform: given.get('platform'), local_user_id: given.get('local_user_id')?.trim() }
      : who.startsWith('svc_')
        ? { svc_uid: who }
        : { email: who };
  let failure = noSuchMember[language];
  try {
    const { items } = await memberReads.search({ ...view, body });
    if (items[0] !== undefined) return { to: `/members/${items[0].svc_uid}` };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    failure = refusalWithFixes(error, language);
  }
  return {
    title: text('회원 찾기', 'Find a member'),
    main: await searchForms(view, failure),
    status: 404,
  };
}

function signedInAt(
  host: AdminHost,
  method: 'GET' | 'POST',
  path: string,
  answer: (
    view: View,
    request: RequestContext,
  ) => Promise<(PageContent & { readonly notice?: string | null }) | AdminMove>,
): void {
  at(host, method, path, async (request, language) => {
    const operator = signedIn(host, request);
    if (operator === null) {
      const to = method === 'GET' ? `${request.path}?${request.query}`.replace(/\?$/, '') : '/';
      const refusal =
        method === 'GET'
          ? null
          : language === 'ko'
            ? '로그인이 끝나 처리하지 않았습니다. 다시 로그인하세요.'
            : 'Your session has ended and nothing was done. Sign in again.';
      return signInPage(host, language, { to, refusal });
    }
    const view: View = {
      ...host,
      operatorName: operator,
      body: {},
      language,
      text: (ko, en) => (language === 'ko' ? ko : en),
      query: new URLSearchParams(request.query),
      parameters: pathParameters(path, request.path),
    };
    try {
      const answered = await answer(view, request);
      return 'to' in answered ? answered : { ...answered, operator };
    } catch (error) {
      return { ...failurePage(host, request, language, error), operator };
    }
  });
}

function signedIn(host: AdminHost, request: RequestContext): string | null {
  try {
    return requireOperator(host, request);
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

async function readForm(request: RequestContext): Promise<URLSearchParams> {
  const type = request.header('content-type') ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded')) throw notAForm();
  return new URLSearchParams((await readBytes(request, formBytesMax)).toString('utf8'));
}

const formBytesMax = 16_384;

function at(
  host: AdminHost,
  method: 'GET' | 'POST',
  path: string,
  answer: (request: RequestContext, language: Language) => Promise<AdminPage | AdminMove>,
): void {
  const { app, front } = host;
  app.on(method, routerPath(path), async (context) => {
    const request = new RequestContext(context, path);
    const { language, cookies } = languageOf(request);
    const answered = await answerOrFailure(host, request, language, async () => {
      if (method === 'POST') requireOwnSite(request);
      return answer(request, language);
    });
    const all = [...cookies, ...(answered.cookies ?? [])];
    return 'to' in answered
      ? respondMove(front, request, { ...answered, cookies: all })
      : respondPage(front, request, language, { ...answered, cookies: all });
  });
}

async function answerOrFailure(
  host: AdminHost,
  request: RequestContext,
  language: Language,
  answer: () => Promise<AdminPage | AdminMove>,
): Promise<AdminPage | AdminMove> {
  try {
    return await answer();
  } catch (error) {
    return failurePage(host, request, language, error);
  }
}

/** Chosen on a page, which the browser then keeps for the operator’s pages; else as the browser prefers. */
function languageOf(request: RequestContext): {
  readonly language: Language;
  readonly cookies: readonly string[];
} {
  const chosen = new URLSearchParams(request.query).get('lang');
  if (isLanguage(chosen)) {
    const cookie = `${languageCookie}=${chosen}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict`;
    return { language: chosen, cookies: [cookie] };
  }
  const [kept] = cookieValues(request.header('cookie'), languageCookie);
  return { language: isLanguage(kept) ? kept : request.language, cookies: [] };
}

function isLanguage(text: string | null | undefined): text is Language {
  return text === 'ko' || text === 'en';
}

const languageCookie = 'maru_admin_language';

function failurePage(
  { front }: AdminHost,
  request: RequestContext,
  language: Language,
  error: unknown,
): AdminPage {
  const text = (ko: string, en: string) => (language === 'ko' ? ko : en);
  const isRefusal = error instanceof Problem;
  if (!isRefusal) {
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    front.log.error('request_failed', {
      id: request.requestId,
      path: request.route,
      error: cause,
    });
  }
  const isGone = error instanceof Problem && error.code === 'member_not_found';
  const detail = isRefusal
    ? refusalText(error, language)
    : text(
        `서버 내부 오류입니다. 로그에서 ${request.requestId}를 찾으세요.`,
        `Internal error. Look for ${request.requestId} in the log.`,
      );
  return {
    title: isGone
      ? text('찾지 못했습니다', 'Not found')
      : text('처리하지 못했습니다', 'This did not work'),
    operator: null,
    status: isRefusal ? error.status : 500,
    main: html`<div class="alert" role="alert"><p>${detail}</p></div>
      <p class="further">
        ${isGone ? html`<a href="/members">${text('회원 찾기', 'Find a member')}</a>` : html`<a href="/">${text('개요로', 'To the overview')}</a>`}
      </p>`,
  };
}

function notAForm(): Problem {
  return new Problem('unsupported_media_type', {
    ko: '화면의 양식으로 보내세요.',
    en: 'Send it with the page’s form.',
  });
}
