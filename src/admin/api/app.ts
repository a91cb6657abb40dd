import type { Action } from '../actions/action.ts';
import { actions } from '../actions/all.ts';
import { adminContract } from '../../contract/admin.ts';
import { openApi } from '../../contract/openapi.ts';
import type { RequestContext } from '../../kernel/http/request-context.ts';
import type { ServerContext } from '../../kernel/http/server-context.ts';
import { readJsonBody } from '../../kernel/http/json-body.ts';
import type { Route } from '../../contract/route.ts';
import { pathParameters } from '../../kernel/http/path-parameters.ts';
import { closedPolicy } from '../../kernel/http/response-policy.ts';
import { json, plainText } from '../../kernel/http/result.ts';
import { Router, type Operation } from '../../kernel/http/router.ts';
import { Problem } from '../../kernel/problem.ts';
import { isThisMachine } from '../../kernel/this-machine.ts';
import type { JsonObject } from '../../kernel/json-object.ts';
import type { MemberContext } from '../../members/context.ts';
import { cookieValues } from '../../members/http/cookies.ts';
import type { AdminCall, AdminHandler, AdminHost, Collections } from './call.ts';
import { memberReads } from './members.ts';
import { serviceReads } from './service.ts';
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
  readonly server: ServerContext;
  readonly context: MemberContext;
  readonly operators: Operators;
  /** The folder of all data. */
  readonly data: string;
  readonly rateScale?: number;
  readonly collections?: Collections;
}

/** The operator's listener: its JSON. Pages are added to it. */
export function createAdminApp(options: AdminAppOptions): AdminHost {
  const router = new Router(options.server, closedPolicy);
  const host: AdminHost = { rateScale: 1, collections: () => [], ...options, router };
  for (const [name, route] of Object.entries<Route>(adminContract)) {
    // The names of the contract are those of the handlers, by their type.
    const handler = handlers[name as keyof typeof handlers];
    const operation: Operation<string, Pick<AdminCall, 'body' | 'parameters' | 'query'>> = {
      admit: (request) => {
        requireOwnSite(request);
        return requireOperator(host, request);
      },
      read: async (request) => ({
        body: route.body === undefined ? {} : await readJsonBody(request),
        parameters: pathParameters(route.path, request.path),
        query: new URLSearchParams(request.query),
      }),
      handle: async (_request, operatorName, input) =>
        json(await handler({ ...host, operatorName, ...input })),
    };
    router.add(route.path, operation, { method: route.method, isPersonal: true });
  }
  addSession(host);
  router.get('/openapi.json', ({ language }) =>
    json(openApi({ services: ['operators'], language })),
  );
  router.get('/metrics', () => plainText(router.server.metrics.text()));
  return host;
}

/** Adds signing in and out. */
function addSession(host: AdminHost): void {
  const add = (
    path: string,
    handle: (request: RequestContext, body: JsonObject) => Promise<string>,
  ) =>
    host.router.add(
      path,
      {
        admit: requireOwnSite,
        read: readJsonBody,
        async handle(request, _caller, body) {
          const token = await handle(request, body as JsonObject);
          return json({ ok: true }, { cookies: [adminCookieOf(token)] });
        },
      },
      { method: 'POST' },
    );
  add('/api/sign-in', (_request, body) => openSession(host, body));
  add('/api/sign-out', async (request) => {
    endSession(host, request);
    return '';
  });
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

export function endSession({ operators }: AdminHost, request: RequestContext): void {
  for (const token of cookieValues(request.header('cookie'), adminCookie)) operators.signOut(token);
}
