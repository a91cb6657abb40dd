import { readFileSync } from 'node:fs';
import { html } from 'hono/html';
import { adminContract } from '../../contract/admin.ts';
import { respondDocument } from '../../kernel/http/document.ts';
import { Exchange } from '../../kernel/http/exchange.ts';
import { readBytes } from '../../kernel/http/json-body.ts';
import { pathParameters } from '../../kernel/http/operation.ts';
import { refuseOtherPaths, route, type App } from '../../kernel/http/route.ts';
import { Problem } from '../../kernel/problem.ts';
import type { AdminHost } from '../../members/http/admin-calls.ts';
import {
  adminCookieOf,
  adminHandlers,
  createAdminApp,
  endSession,
  openSession,
  requireOperator,
  requireOwnSite,
  type AdminAppOptions,
} from '../../members/http/admin-app.ts';
import { MemberProblem } from '../../members/problem.ts';
import { form, respondPage, type AdminPage } from './layout.ts';
import { adminPages, type AdminAsk } from './pages.ts';

type HandlerName = keyof typeof adminHandlers;

/** The operator's listener with its pages: each shows what a handler of the JSON answers. */
export function createAdminSite(options: AdminAppOptions): App {
  const host = createAdminApp(options);
  const { app, front } = host;
  const body = readFileSync(new URL('../assets/maru.css', import.meta.url));
  route(app, front, '/assets/maru.css', (exchange) =>
    respondDocument(front, exchange, { body, type: 'text/css; charset=utf-8' }),
  );
  for (const [path, page] of Object.entries(adminPages)) {
    at(host, 'GET', path, async (exchange) => {
      const operator = signedIn(host, exchange);
      if (operator === null) return signInPage(host);
      const parameters = pathParameters(path, exchange.path);
      const ask = askerOf(host, operator, parameters, new URLSearchParams(exchange.query));
      return { ...(await page(ask, parameters)), operator };
    });
  }
  at(host, 'POST', '/sign-in', async (exchange) => {
    const token = await openSession(host, await readForm(exchange));
    return { ...moved, cookies: [adminCookieOf(token)] };
  });
  at(host, 'POST', '/sign-out', async (exchange) => {
    endSession(host, exchange);
    return { ...moved, cookies: [adminCookieOf('')] };
  });
  at(host, 'POST', '/do/{operation}', (exchange) => act(host, exchange));
  refuseOtherPaths(app, front);
  return app;
}

/** Does what a form asks for by the handler of the JSON route, and shows its answer. */
async function act(host: AdminHost, exchange: Exchange): Promise<AdminPage> {
  const operator = requireOperator(host, exchange);
  const { operation = '' } = pathParameters('/do/{operation}', exchange.path);
  if (!Object.hasOwn(adminContract, operation)) throw new Problem('not_found', noSuchPage);
  const fields = await readForm(exchange);
  const row = adminContract[operation as HandlerName];
  const names = Array.from(row.path.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
  const parameters = Object.fromEntries(names.map((name) => [name, fields[name] ?? '']));
  const ask = askerOf(host, operator, parameters, new URLSearchParams());
  const answer = await ask(operation as HandlerName, bodyOf(fields));
  const back = /^\/(?![/\\])[\w/-]*$/.test(fields['back'] ?? '') ? fields['back']! : '/';
  return {
    title: '처리했습니다',
    operator,
    main: html`<pre>${JSON.stringify(answer, null, 2)}</pre>
      <p><a href="${back}">돌아가기</a></p>`,
  };
}

/** Texts as they are; lists are written with blanks between, yes and no as such. */
function bodyOf(fields: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name, text]) => text !== '' || name === 'reason')
      .map(([name, text]) => [
        name,
        lists.has(name)
          ? text.split(/[\s,]+/).filter(Boolean)
          : flags.has(name)
            ? text === 'true'
            : text,
      ]),
  );
}

const lists: ReadonlySet<string> = new Set(['origins', 'capabilities', 'scopes', 'types']);
const flags: ReadonlySet<string> = new Set(['dry_run', 'cookie_domain']);

function askerOf(
  host: AdminHost,
  name: string,
  parameters: Readonly<Record<string, string>>,
  query: URLSearchParams,
): AdminAsk {
  return async (operation, body = {}) => {
    // `back` and the parameters of the path belong to the form, not to what is done.
    const { back: _back, ...rest } = body;
    for (const parameter of Object.keys(parameters)) delete rest[parameter];
    const answer = await adminHandlers[operation]({
      ...host,
      name,
      body: rest,
      parameters,
      query,
    });
    // Every handler answers an object of JSON.
    return answer as Readonly<Record<string, unknown>>;
  };
}

function signedIn(host: AdminHost, exchange: Exchange): string | null {
  try {
    return requireOperator(host, exchange);
  } catch (error) {
    if (error instanceof MemberProblem) return null;
    throw error;
  }
}

function signInPage({ operators }: AdminHost): AdminPage {
  const isFirst = operators.invitation !== null;
  const token = {
    name: 'token',
    label: '서버를 시작할 때 나온 일회용 토큰',
    type: 'password',
  } as const;
  const fields = [
    { name: 'name', label: '이름' },
    { name: 'passphrase', label: '암호 (12자 이상)', type: 'password' } as const,
  ];
  return {
    title: isFirst ? '첫 운영자 만들기' : '로그인',
    operator: null,
    status: 401,
    main: form('/sign-in', isFirst ? '만들기' : '로그인', isFirst ? [token, ...fields] : fields),
  };
}

/** On the way: the cookie is Strict, and a page of our own that leads on carries it, which a redirect may not. */
const moved: AdminPage = {
  title: '마루 운영',
  operator: null,
  main: html`<p><a href="/">계속</a></p>`,
};

async function readForm(exchange: Exchange): Promise<Record<string, string>> {
  const type = exchange.header('content-type') ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded')) throw notAForm();
  const text = (await readBytes(exchange, formBytesMax)).toString('utf8');
  return Object.fromEntries(new URLSearchParams(text));
}

const formBytesMax = 16_384;

function at(
  { app, front }: AdminHost,
  method: 'GET' | 'POST',
  path: string,
  answer: (exchange: Exchange) => Promise<AdminPage>,
): void {
  app.on(method, path.replace(/\{(\w+)\}/g, ':$1'), async (context) => {
    const exchange = new Exchange(context, path, path);
    try {
      if (method === 'POST') requireOwnSite(exchange);
      return await respondPage(front, exchange, await answer(exchange));
    } catch (error) {
      if (!(error instanceof MemberProblem) && !(error instanceof Problem)) {
        const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
        front.log.error('request_failed', { id: exchange.requestId, path, error: cause });
      }
      return respondPage(front, exchange, failurePage(error, exchange));
    }
  });
}

function failurePage(error: unknown, { language }: Exchange): AdminPage {
  const isTold = error instanceof MemberProblem || error instanceof Problem;
  const errors = error instanceof MemberProblem ? error.errors : [];
  return {
    title: '처리하지 못했습니다',
    operator: null,
    status: isTold ? error.status : 500,
    main: html`<p role="alert">${isTold ? error.detail[language] : '서버 내부 오류입니다.'}</p>
      <ul>
        ${errors.map(({ pointer, fix }) => html`<li>${pointer}: ${fix[language]}</li>`)}
      </ul>
      <p><a href="/">처음으로</a></p>`,
  };
}

function notAForm(): Problem {
  return new Problem('unsupported_media_type', {
    ko: '화면의 양식으로 보내세요.',
    en: 'Send it with the page’s form.',
  });
}

const noSuchPage = { ko: '없는 화면입니다.', en: 'There is no such page.' };
