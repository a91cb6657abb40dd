import { readFileSync } from 'node:fs';
import { cacheable } from '../../kernel/http/conditional.ts';
import type { RequestContext } from '../../kernel/http/request-context.ts';
import { readBytes } from '../../kernel/http/json-body.ts';
import { pathParameters } from '../../kernel/http/path-parameters.ts';
import type { Language } from '../../contract/language.ts';
import type { Content, Result } from '../../kernel/http/result.ts';
import type { Operation, ResourcePolicy, Router } from '../../kernel/http/router.ts';
import { Problem } from '../../kernel/problem.ts';
import type { AdminHost } from '../api/call.ts';
import { memberReads } from '../api/members.ts';
import { cookieValues } from '../../members/http/cookies.ts';
import { html } from '../../web/html.ts';
import { createAdminApi, type AdminAppOptions } from '../api/app.ts';
import {
  addressOf,
  clearedSession,
  endSession,
  isAtParty,
  openSession,
  partyOf,
  requireOperator,
  requireOwnSite,
  requireRole,
  sessionCookies,
} from '../session.ts';
import type { SignedInOperator } from '../operators/operators.ts';
import { accessLogCsv } from './access-log-csv.ts';
import { actionPage, actionNotice, submitAction } from './action-page.ts';
import { pageContent, pagePolicy, type AdminPage } from './layout.ts';
import { membersTable, searchForms } from './members.ts';
import { membersCsv } from './members-csv.ts';
import { parsedPasskey } from './form.ts';
import { liveScript } from './live-part.ts';
import { passkeyScript } from './passkey-button.ts';
import { adminPages, roleOfPage } from './pages.ts';
import { noSuchMember, refusalText, refusalWithFixes } from './refusal.ts';
import { seeOther } from './see-other.ts';
import { sheetCsv } from './sheet-csv.ts';
import { signInPage, type SignIn } from './sign-in.ts';
import { textIn, type PageContent, type View } from './view.ts';

/** The operator's listener: JSON routes, and pages that use the same handlers. */
export function createAdminSite(options: AdminAppOptions): Router {
  const host = createAdminApi(options);
  for (const { name, folder, type } of assets) {
    const body = readFileSync(new URL(`${folder}${name}`, import.meta.url));
    host.router.get(`/assets/${name}`, () => cacheable({ body, type }));
  }
  for (const { path, body } of [passkeyScript, liveScript]) {
    host.router.get(path, () =>
      cacheable(
        { body, type: 'text/javascript; charset=utf-8' },
        { cacheControl: 'public, max-age=31536000, immutable' },
      ),
    );
  }
  for (const [path, page] of Object.entries(adminPages)) {
    addOperatorPage(host, 'GET', path, async (view) => {
      requireRole(view.operator, roleOfPage(path));
      const content = await page(view);
      const file = view.query.get('csv');
      return file === null ? { ...content, notice: actionNotice(view) } : sheetCsv(view, file);
    });
  }
  addOperatorPage(host, 'GET', '/access-log.csv', async (view) => {
    requireRole(view.operator, roleOfPage('/access-log'));
    return accessLogCsv(view);
  });
  addOperatorPage(host, 'GET', '/members.csv', async (view) => {
    requireRole(view.operator, roleOfPage('/members'));
    return membersCsv(view);
  });
  addOperatorPage(host, 'POST', '/search', search);
  addOperatorPage(host, 'GET', '/actions/{action}', actionPage);
  addOperatorPage(host, 'POST', '/actions/{action}', async (view, request) =>
    submitAction(view, () => readForm(request)),
  );
  addPage(host, 'POST', '/sign-in', (request, language) => signIn(host, request, language));
  addPage(host, 'POST', '/sign-out', async (request) => {
    await endSession(host, request);
    return seeOther('/', clearedSession);
  });
  addPage(host, 'GET', '/join', async (request, language) => {
    const kind = await joinKind(host);
    return signInPage(language, { ...siteOf(host, request), kind, to: '/', status: 200 });
  });
  return host.router;
}

const assets = [
  { name: 'maru.css', folder: '../../web/assets/', type: 'text/css; charset=utf-8' },
  { name: 'charts.css', folder: '../../web/assets/', type: 'text/css; charset=utf-8' },
  { name: 'admin.css', folder: './', type: 'text/css; charset=utf-8' },
  { name: 'maru.svg', folder: '../../web/assets/', type: 'image/svg+xml' },
];

async function signIn(
  host: AdminHost,
  request: RequestContext,
  language: Language,
): Promise<AdminPage | Content> {
  const { passkey, ...fields } = Object.fromEntries(await readForm(request));
  const body = passkey === undefined ? fields : { passkey: parsedPasskey(passkey) };
  const to = /^\/(?![/\\])[\w/?=&.-]*$/.test(fields['to'] ?? '') ? fields['to']! : '/';
  try {
    return seeOther(to, sessionCookies(await openSession(host, request, body)));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const refusal = refusalWithFixes(error, language);
    const { status } = error;
    const kind = fields['kind'] === 'sign-in' ? await signInKind(host) : await joinKind(host);
    const name = fields['name'] ?? '';
    return signInPage(language, {
      ...siteOf(host, request),
      kind,
      to,
      name,
      refusal,
      status,
    });
  }
}

/** The site of the passkeys, and true if the request was sent to it. */
function siteOf(host: AdminHost, request: RequestContext): Pick<SignIn, 'party' | 'isAtParty'> {
  const party = partyOf(host, request);
  return { party, isAtParty: isAtParty(party, request) };
}

async function signInKind({ operators }: AdminHost): Promise<SignIn['kind']> {
  return (await operators.firstTokenPath()) === null ? 'sign-in' : 'first';
}

async function joinKind(host: AdminHost): Promise<SignIn['kind']> {
  return (await signInKind(host)) === 'first' ? 'first' : 'join';
}

/**
 * Redirects to the member that a search finds, or lists several: those that have or had an address. The form uses POST
 * to keep email addresses out of URLs.
 */
async function search(view: View, request: RequestContext): Promise<PageContent | Content> {
  const { text, language } = view;
  const form = await readForm(request);
  const who = form.get('who')?.trim();
  const body =
    who === undefined
      ? {
          platform: form.get('platform') ?? '',
          local_user_id: form.get('local_user_id')?.trim() ?? '',
        }
      : who.startsWith('svc_')
        ? { svc_uid: who }
        : { email: who };
  let failure = noSuchMember[language];
  try {
    const { items } = await memberReads.search({ ...view, body });
    const [first, ...others] = items;
    if (first !== undefined && others.length === 0) return seeOther(`/members/${first.svc_uid}`);
    if (first !== undefined) {
      const caption = text('현재와 이전의 회원', 'The current member and former ones');
      const main = html`${await searchForms(view)} ${membersTable(view, items, caption, '')}`;
      return { title: text('회원 찾기', 'Find a member'), main };
    }
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

function addOperatorPage(
  host: AdminHost,
  method: 'GET' | 'POST',
  path: string,
  answer: (view: View, request: RequestContext) => Promise<PageContent | Result>,
): void {
  addPage(host, method, path, async (request, language) => {
    const operator = await operatorOrNull(host, request);
    if (operator === null) {
      const to = method === 'GET' ? `${request.path}?${request.query}`.replace(/\?$/, '') : '/';
      const sessionEnded = textIn(language)(
        '로그인이 만료되어 처리하지 않았습니다. 다시 로그인하세요.',
        'Your session has ended and nothing was changed. Sign in again.',
      );
      const refusal = method === 'GET' ? null : sessionEnded;
      const kind = await signInKind(host);
      const notice = actionNotice({ query: new URLSearchParams(request.query), language });
      return signInPage(language, { ...siteOf(host, request), kind, to, refusal, notice });
    }
    const view: View = {
      ...host,
      operator,
      address: addressOf(request),
      ...siteOf(host, request),
      body: {},
      language,
      text: textIn(language),
      query: new URLSearchParams(request.query),
      path: request.path,
      sheets: new Map(),
      parameters: pathParameters(path, request.path),
    };
    const content = await answer(view, request);
    return isResult(content) ? content : { ...content, operator };
  });
}

async function operatorOrNull(
  host: AdminHost,
  request: RequestContext,
): Promise<SignedInOperator | null> {
  try {
    return await requireOperator(host, request);
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

/** Adds a page whose problems are also shown as pages. */
function addPage(
  host: AdminHost,
  method: 'GET' | 'POST',
  path: string,
  answer: (request: RequestContext, language: Language) => Promise<AdminPage | Result>,
): void {
  const operation: Operation = {
    admit(request) {
      storeLanguage(request);
      if (method === 'POST') requireOwnSite(host, request);
    },
    async handle(request) {
      const language = languageOf(request);
      const content = await answer(request, language);
      return isResult(content) ? content : pageContent(request, language, content);
    },
  };
  const policy: ResourcePolicy = {
    ...pagePolicy,
    renderProblem: (request, problem) => problemPage(host, request, problem),
  };
  host.router.add(path, operation, { method, policy, isPersonal: true });
}

/** Stores the language of the query in a cookie. */
function storeLanguage(request: RequestContext): void {
  const chosen = new URLSearchParams(request.query).get('lang');
  if (!isLanguage(chosen)) return;
  request.responseHeaders['Set-Cookie'] = [
    `${languageCookie}=${chosen}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict`,
  ];
}

/** The language of the query, else of the cookie, else of the browser. */
function languageOf(request: RequestContext): Language {
  const chosen = new URLSearchParams(request.query).get('lang');
  const [stored] = cookieValues(request.header('cookie'), languageCookie);
  return [chosen, stored].find(isLanguage) ?? request.language;
}

function isLanguage(text: string | null | undefined): text is Language {
  return text === 'ko' || text === 'en';
}

const languageCookie = 'maru_admin_language';

async function problemPage(
  host: AdminHost,
  request: RequestContext,
  problem: Problem,
): Promise<Content> {
  const language = languageOf(request);
  const text = textIn(language);
  const isMissingMember = problem.code === 'member_not_found';
  const detail =
    problem.code === 'internal'
      ? text(
          `서버 내부 오류입니다. 로그에서 ${request.id}을(를) 확인하세요.`,
          `Internal error. The log has the details under ${request.id}.`,
        )
      : refusalText(problem, language);
  return pageContent(request, language, {
    title: isMissingMember
      ? text('회원을 찾을 수 없습니다', 'Member not found')
      : text('요청을 처리하지 못했습니다', 'The request failed'),
    operator: await operatorOrNull(host, request),
    status: problem.status,
    main: html`<div class="alert" role="alert"><p>${detail}</p></div>
      <p class="further">
        ${isMissingMember ? html`<a href="/members">${text('회원 찾기', 'Find a member')}</a>` : html`<a href="/">${text('개요로 이동', 'Go to the overview')}</a>`}
      </p>`,
  });
}

function isResult(content: PageContent | Result): content is Result {
  return !('main' in content);
}

function notAForm(): Problem {
  return new Problem('unsupported_media_type', {
    ko: '화면의 양식으로 보내세요.',
    en: 'Send the request with the page’s form.',
  });
}
