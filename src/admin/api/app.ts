import { Hono } from 'hono';
import type { Action } from '../actions/action.ts';
import { actions } from '../actions/all.ts';
import { adminContract } from '../../contract/admin.ts';
import { openApi } from '../../contract/openapi.ts';
import { respondDocument } from '../../kernel/http/document.ts';
import { direct } from '../../kernel/http/direct.ts';
import type { Connection, RequestContext } from '../../kernel/http/request-context.ts';
import type { ServerContext } from '../../kernel/http/server-context.ts';
import { readJsonBody } from '../../kernel/http/json-body.ts';
import type { Route } from '../../contract/route.ts';
import { pathParameters } from '../../kernel/http/path-parameters.ts';
import { respondText } from '../../kernel/http/plain-text.ts';
import type { Reply } from '../../kernel/http/reply.ts';
import { route, type App } from '../../kernel/http/route.ts';
import { Problem } from '../../kernel/problem.ts';
import { isThisMachine } from '../../kernel/this-machine.ts';
import type { JsonObject } from '../../kernel/json-object.ts';
import type { MemberContext } from '../../members/context.ts';
import { cookieValues } from '../../members/http/cookies.ts';
import type { AdminHandler, AdminHost, Collections } from './call.ts';
import { memberReads } from './members.ts';
import { serviceReads } from './service.ts';
import { respondJson, respondProblem, type Answer } from '../../members/http/answer.ts';
import type { Operators } from './operators.ts';

const handlers: Readonly<Record<keyof typeof adminContract, AdminHandler>> = {
  ...serviceReads,
  ...memberReads,
  ...runsOf(actions),
};

function runsOf<Name extends string>(
  definitions: Readonly<Record<Name, Action>>,
): Readonly<Record<Name, AdminHandler>> {
  const entries = Object.entries<Action>(definitions).map(([name, { run }]) => [name, run]);
  // The same names as those of the definitions.
  return Object.fromEntries(entries) as Record<Name, AdminHandler>;
}

export interface AdminAppOptions {
  readonly front: ServerContext;
  readonly context: MemberContext;
  readonly operators: Operators;
  /** The folder of all data. */
  readonly data: string;
  readonly rateScale?: number;
  readonly collections?: Collections;
}

/** The operator's listener: its JSON. Pages are added over it. */
export function createAdminApp(options: AdminAppOptions): AdminHost {
  const app: App = new Hono<{ Bindings: Connection }>();
  const host: AdminHost = { rateScale: 1, collections: () => [], ...options, app };
  const { front } = host;
  const rows = Object.entries<Route>(adminContract);
  for (const path of new Set(rows.map(([, row]) => row.path))) {
    const own = rows.filter(([, row]) => row.path === path);
    respondAt(host, path, (request) => serveAdmin(host, own, request));
  }
  respondAt(host, '/api/sign-in', (request) => signIn(host, request));
  respondAt(host, '/api/sign-out', (request) => signOut(host, request));
  route(app, front, '/openapi.json', (request) => {
    const body = Buffer.from(
      JSON.stringify(openApi({ services: ['operators'], language: request.language })),
    );
    const content = { body, type: 'application/json; charset=utf-8' };
    const vary = 'Accept-Encoding, Accept-Language';
    return respondDocument(front, request, content, { vary, cacheControl: 'no-store' });
  });
  route(app, front, '/metrics', (request) => respondText(front, request, front.metrics.text()));
  return host;
}

/** The operator whose session a request carries; 401 `session_required` without one. */
export function requireOperator({ operators }: AdminHost, request: RequestContext): string {
  const [token] = cookieValues(request.header('cookie'), adminCookie);
  const name = operators.nameOf(token);
  if (name !== null) return name;
  throw new Problem('session_required', {
    ko: '운영자로 로그인하세요.',
    en: 'Sign in as an operator.',
  });
}

/** A page of another site, or a name that another site has pointed at this machine, can send nothing here. */
export function requireOwnSite(request: RequestContext): void {
  const host = request.header('host') ?? '';
  const origin = request.header('origin');
  const isHere = isThisMachine(host.replace(/:\d+$/, ''));
  const isOwn = origin === null || origin === `http://${host}` || origin === `https://${host}`;
  const site = request.header('sec-fetch-site');
  if (isHere && isOwn && (site === null || site === 'same-origin' || site === 'none')) return;
  throw new Problem('csrf_rejected', {
    ko: '운영자 화면은 이 컴퓨터의 주소로 열고, 그 화면에서만 보낼 수 있습니다.',
    en: 'Open the operator’s pages by this machine’s address, and send from them only.',
  });
}

export function adminCookieOf(token: string): string {
  const maxAgeS = token === '' ? 0 : 8 * 3_600;
  return `${adminCookie}=${token}; Path=/; Max-Age=${maxAgeS}; Secure; HttpOnly; SameSite=Strict`;
}

const adminCookie = '__Host-maru_admin';

async function serveAdmin(
  host: AdminHost,
  rows: readonly (readonly [name: string, row: Route])[],
  request: RequestContext,
): Promise<Answer> {
  const found = rows.find(([, { method }]) => method === request.method);
  if (found === undefined) throw notAllowed(rows.map(([, { method }]) => method).join(', '));
  const [name, row] = found;
  const operator = requireOperator(host, request);
  const body = row.body === undefined ? {} : await readJsonBody(request);
  const parameters = pathParameters(row.path, request.path);
  const query = new URLSearchParams(request.query);
  // The names of the contract are those of the handlers, by their type.
  const handler = handlers[name as keyof typeof handlers];
  const call = { ...host, operatorName: operator, body, parameters, query };
  return { status: 200, body: await handler(call) };
}

/** `{name, passphrase}`, and for the first operator the one-time `token`. */
export async function openSession({ operators }: AdminHost, body: JsonObject): Promise<string> {
  const { token, name, passphrase } = body;
  if (typeof name !== 'string' || typeof passphrase !== 'string') {
    return operators.signIn('', '');
  }
  return typeof token === 'string' && token !== ''
    ? operators.accept(token.trim(), name.trim(), passphrase)
    : operators.signIn(name.trim(), passphrase);
}

async function signIn(host: AdminHost, request: RequestContext): Promise<Answer> {
  if (request.method !== 'POST') throw notAllowed('POST');
  const token = await openSession(host, await readJsonBody(request));
  return { status: 200, body: { ok: true }, cookies: [adminCookieOf(token)] };
}

async function signOut(host: AdminHost, request: RequestContext): Promise<Answer> {
  if (request.method !== 'POST') throw notAllowed('POST');
  await readJsonBody(request);
  endSession(host, request);
  return { status: 200, body: { ok: true }, cookies: [adminCookieOf('')] };
}

export function endSession({ operators }: AdminHost, request: RequestContext): void {
  for (const token of cookieValues(request.header('cookie'), adminCookie)) operators.signOut(token);
}

function respondAt(
  { app, front }: AdminHost,
  path: string,
  answer: (request: RequestContext) => Promise<Answer>,
): void {
  const reply = async (request: RequestContext): Promise<Reply> => {
    try {
      requireOwnSite(request);
      return respondJson(front, request, await answer(request), {});
    } catch (error) {
      return respondProblem(front, request, error, {});
    }
  };
  // Parts of a path with parameters are somebody's: the path is shown as the contract has it.
  direct(app, path, reply, path);
}

function notAllowed(allowed: string): Problem {
  const detail = {
    ko: `이 주소는 ${allowed}만 받습니다.`,
    en: `This address takes ${allowed} only.`,
  };
  return new Problem('method_not_allowed', detail, { headers: { Allow: allowed } });
}
