import { membersContract } from '../../contract/members.ts';
import type { GuardedRoute } from '../../contract/route.ts';
import { checkBody } from '../../kernel/http/check-body.ts';
import { readJsonBody } from '../../kernel/http/json-body.ts';
import { readParameters, type Values } from '../../kernel/http/parameters.ts';
import type { RequestContext } from '../../kernel/http/request-context.ts';
import { json } from '../../kernel/http/result.ts';
import type { Operation, Router } from '../../kernel/http/router.ts';
import { Problem } from '../../kernel/problem.ts';
import type { MemberContext } from '../context.ts';
import {
  authenticateKey,
  flagKeyInBrowser,
  requireScope,
  type KeyCaller,
  type Scope,
} from '../keys.ts';
import { resolveSession } from '../session.ts';
import type { LiveSession, Platform } from '../store/entities.ts';
import { isFromBrowser } from './browser.ts';
import { openHandlers, sessionHandlers } from './browser-routes.ts';
import type {
  BrowserCaller,
  Input,
  OpenHandlers,
  ServerCaller,
  ServerHandlers,
  SessionHandlers,
  Success,
} from './calls.ts';
import { cookieNames, cookieValues } from './cookies.ts';
import { membersPolicy, originOf, requireOwnPage } from './cross-origin.ts';
import type { MembersHost } from './host.ts';
import { rateHeaders, type RateVerdict } from './rate-limiter.ts';
import { serverHandlers } from './server-routes.ts';

/** Serves the rows of the members contract. */
export function serveMembers(router: Router, host: MembersHost): void {
  const routes = Object.entries<GuardedRoute>(membersContract);
  const policy = membersPolicy(host);
  // A page gets the same refusal for any other method: the path is not for pages.
  const serverPolicy = { ...policy, refuseMethod: refuseBrowser };
  const pagePaths = new Set(
    routes.filter(([, { callers }]) => callers.includes('browser')).map(([, { path }]) => path),
  );
  for (const [name, route] of routes) {
    const operation: Operation<Caller, Input> = {
      admit: (request) => admit(host, name, route, request),
      read: (request) => readInput(route, request),
      handle: async (request, caller, input) => {
        const answer = await handle(host, name, route, request, caller, input);
        const counted = noteAnswer(host, name, caller, answer.body);
        if (counted !== null) await counted;
        return json(answer.body, answer);
      },
      noteRefusal: (caller, error) => noteRefusal(host, name, caller, error),
    };
    router.add(route.path, operation, {
      method: route.method,
      policy: pagePaths.has(route.path) ? policy : serverPolicy,
      isPersonal: true,
    });
  }
}

/** Admits or refuses a caller. Only servers are authenticated by a key. */
function admit(
  host: MembersHost,
  name: string,
  route: GuardedRoute,
  request: RequestContext,
): Promise<Caller> {
  const isBrowser = isFromBrowser(request);
  const key = request.header('x-api-key');
  if (isBrowser && key !== null) return admitBrowserWithKey(host, route, request, key);
  return isBrowser || !route.callers.includes('server')
    ? admitBrowser(host, route, request)
    : admitServer(host, name, route, request);
}

/** Every visitor of the page can read the key, so the operator is warned. A failed warning changes no response. */
async function admitBrowserWithKey(
  host: MembersHost,
  route: GuardedRoute,
  request: RequestContext,
  key: string,
): Promise<Caller> {
  await flagKeyInBrowser(host.context, key).catch(() => {});
  if (route.callers.includes('server')) throw browserRefused();
  return admitBrowser(host, route, request);
}

async function admitServer(
  host: MembersHost,
  name: string,
  route: GuardedRoute,
  request: RequestContext,
): Promise<ServerCaller> {
  const key = await authenticate(host, request);
  const caller = { kind: 'server', key } as const;
  try {
    // A row for servers names its scope, which a test compares with the list of scopes.
    requireScope(key, route.scope as Scope);
    spend(host.limiter.take(route.limit, key.kid), request);
  } catch (error) {
    await noteRefusal(host, name, caller, error);
    throw error;
  }
  return caller;
}

async function admitBrowser(
  host: MembersHost,
  route: GuardedRoute,
  request: RequestContext,
): Promise<BrowserCaller> {
  if (!route.callers.includes('browser')) throw browserRefused();
  const address = host.address(request);
  spend(host.limiter.take(route.limit, address), request);
  const origin =
    route.method === 'GET' ? originOf(host, request) : await requireOwnPage(host, request);
  const tokens = cookieValues(request.header('cookie'), cookieNames.token);
  const resolving = resolveSession(host.context, tokens);
  const match = resolving instanceof Promise ? await resolving : resolving;
  if (match.kind === 'live') noteSighting(host, route, request, match.session, address);
  if (route.session !== 'optional') {
    if (match.kind === 'ambiguous') throw ambiguous();
    if (match.kind === 'none') throw sessionRequired();
  }
  return { kind: 'browser', origin, tokens, match };
}

/**
 * Notes the place from which a browser uses a session. Log-outs and requests without browser headers do not count: the
 * platform's server may have sent them with the visitor's cookie, from its own address.
 */
function noteSighting(
  { sightings, server, context }: MembersHost,
  route: GuardedRoute,
  request: RequestContext,
  session: LiveSession,
  address: string,
): void {
  if (route.path === membersContract.logout.path || !isFromBrowser(request)) return;
  const place = { address, userAgent: request.header('user-agent') ?? '' };
  const suspected = sightings.note(session, place, context.now());
  if (suspected === null) return;
  server.log.warning('session_suspected', { session: suspected.sessionId, by: suspected.by });
}

function readInput(route: GuardedRoute, request: RequestContext): Input | Promise<Input> {
  const { path, query } = request;
  const options = { path, isStrict: false, normalise: (text: string) => text };
  const parameters = readParameters(route, query, options).values;
  if (route.body === undefined || hasNoBody(route, request)) return { parameters, body: {} };
  return readBody(route, request, parameters);
}

async function readBody(
  route: GuardedRoute,
  request: RequestContext,
  parameters: Values,
): Promise<Input> {
  const { bodyBytesMax, uncheckedNames } = route;
  const value = await readJsonBody(request, { bytesMax: bodyBytesMax, uncheckedNames });
  return { parameters, body: checkBody(route, value) };
}

/** The body of a DELETE is optional, because many clients send none. */
function hasNoBody({ method }: GuardedRoute, request: RequestContext): boolean {
  if (method !== 'DELETE') return false;
  const length = Number(request.header('content-length') ?? 0);
  return length === 0 && request.header('transfer-encoding') === null;
}

/** Counts a refusal among the traffic of the caller's platforms. */
async function noteRefusal(
  { traffic, context }: MembersHost,
  name: string,
  caller: Caller,
  error: unknown,
): Promise<void> {
  const now = context.now();
  if (caller.kind === 'server') {
    const { platform } = caller.key;
    if (platform !== null) traffic.noteRefusal(platform.id, name, error, now);
    return;
  }
  for (const { id } of await platformsOfPage(context, caller)) {
    traffic.noteRefusal(id, name, error, now);
  }
}

/**
 * Counts an answer among the traffic of the caller's platforms; of the requests of pages, only events count. Null if
 * there is nothing to wait for.
 */
function noteAnswer(
  { traffic, context }: MembersHost,
  name: string,
  caller: Caller,
  body: object,
): Promise<void> | null {
  if (caller.kind === 'server') {
    const { platform } = caller.key;
    if (platform !== null) traffic.noteAnswer(platform.id, name, body, context.now());
    return null;
  }
  if (name !== 'event') return null;
  return platformsOfPage(context, caller).then((platforms) => {
    for (const { id } of platforms) traffic.noteAnswer(id, name, body, context.now());
  });
}

/** Platforms of a page's origin. A store that cannot be read counts nothing and changes no response. */
async function platformsOfPage(
  { platforms }: MemberContext,
  { origin }: BrowserCaller,
): Promise<readonly Platform[]> {
  return origin === null ? [] : platforms.byOrigin(origin).catch(() => []);
}

type Caller = ServerCaller | BrowserCaller;

/** Runs the handler of a route. The types of the handler tables guarantee that every route has one. */
function handle(
  host: MembersHost,
  name: string,
  route: GuardedRoute,
  request: RequestContext,
  caller: Caller,
  input: Input,
): Promise<JsonSuccess> {
  const { language } = request;
  // Written out, because spreading the parts costs more than the rest of the call.
  const { parameters, body } = input;
  if (caller.kind === 'server') {
    const handler = serverHandlers[name as keyof ServerHandlers] as Handler;
    return handler({ host, language, parameters, body, caller: caller.key });
  }
  const { origin, tokens, match } = caller;
  if (route.session === 'optional') {
    const handler = openHandlers[name as keyof OpenHandlers] as Handler;
    return handler({ host, language, body, origin, tokens, match });
  }
  // `admitBrowser` has refused requests without a live session.
  if (match.kind !== 'live') throw sessionRequired();
  const { session } = match;
  const handler = sessionHandlers[name as keyof SessionHandlers] as Handler;
  return handler({ host, language, body, origin, tokens, match, session });
}

type Handler = (call: object) => Promise<JsonSuccess>;
type JsonSuccess = Success & { readonly body: object };

/**
 * Counts wrong keys by address. A valid key from the same address is still accepted, so that no caller can lock out
 * another.
 */
async function authenticate(host: MembersHost, request: RequestContext): Promise<KeyCaller> {
  try {
    return await authenticateKey(host.context, request.header('x-api-key') ?? undefined);
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_api_key') {
      spend(host.limiter.take(badKeyLimit, host.address(request)), request);
    }
    throw error;
  }
}

/** Limit of requests with an unknown key, by client address. */
export const badKeyLimit = { name: 'bad_keys', calls: 60, windowS: 60 };

function spend(verdict: RateVerdict, { responseHeaders }: RequestContext): void {
  Object.assign(responseHeaders, rateHeaders(verdict));
  if (verdict.allowed) return;
  const detail = {
    ko: `호출이 너무 잦습니다. ${verdict.retryAfterS}초 뒤에 다시 보내세요.`,
    en: `Too many calls. Send it again in ${verdict.retryAfterS} s.`,
  };
  throw new Problem('rate_limited', detail, { retryAfterS: verdict.retryAfterS });
}

function refuseBrowser(request: RequestContext): void {
  if (isFromBrowser(request)) throw browserRefused();
}

function browserRefused(): Problem {
  return new Problem('browser_call_refused', {
    ko: '서버에서만 호출하는 주소입니다. API 키가 있는 서버에서 호출하세요.',
    en: 'This address is for servers only. Call it from your server, which holds the key.',
  });
}

function sessionRequired(): Problem {
  return new Problem('session_required', {
    ko: '로그인한 뒤 호출하세요.',
    en: 'Sign in, then send the request again.',
  });
}

function ambiguous(): Problem {
  return new Problem('ambiguous_session', {
    ko: '서로 다른 회원의 쿠키가 함께 왔습니다. 로그아웃한 뒤 다시 로그인하세요.',
    en: 'The request has session cookies of different members. Log out, then log in again.',
  });
}
