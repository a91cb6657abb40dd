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
  // A page that uses another method learns the same: the path is not for pages.
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
        const noted = noteAnswer(host, name, caller, answer.body);
        if (noted !== null) await noted;
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

/** A browser is refused, or admitted as one, before any key is looked up. */
function admit(
  host: MembersHost,
  name: string,
  route: GuardedRoute,
  request: RequestContext,
): Promise<Caller> {
  const fromBrowser = isFromBrowser(request);
  const key = request.header('x-api-key');
  if (fromBrowser && key !== null) return admitBrowserWithKey(host, route, request, key);
  return fromBrowser || !route.callers.includes('server')
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
  const match = resolveSession(host.context, tokens);
  const finding = match instanceof Promise ? await match : match;
  if (finding.kind === 'live') noteSighting(host, route, request, finding.session, address);
  if (route.session !== 'optional') {
    if (finding.kind === 'ambiguous') throw ambiguous();
    if (finding.kind === 'none') throw sessionRequired();
  }
  return { kind: 'browser', origin, tokens, finding };
}

/** A server that forwards the visitor's cookie is another place: for `me` without browser headers, or to log out. */
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

/** Counts an answer. Pages call often, and only their events show if a platform works. Null if it is counted already. */
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

/** By its type, every route has its handler; parameters and body are checked by its row. */
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
  const { origin, tokens, finding } = caller;
  if (route.session === 'optional') {
    const handler = openHandlers[name as keyof OpenHandlers] as Handler;
    return handler({ host, language, body, origin, tokens, finding });
  }
  // `admitBrowser` has refused all others.
  if (finding.kind !== 'live') throw sessionRequired();
  const { session } = finding;
  const handler = sessionHandlers[name as keyof SessionHandlers] as Handler;
  return handler({ host, language, body, origin, tokens, finding, session });
}

type Handler = (call: object) => Promise<JsonSuccess>;
type JsonSuccess = Success & { readonly body: object };

/** Wrong keys are counted by address; a good key of the same address works on, so that no caller can lock another out. */
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
