import type { GuardedRoute } from '../../contract/route.ts';
import { membersContract } from '../../contract/members.ts';
import { direct } from '../../kernel/http/direct.ts';
import type { RequestContext } from '../../kernel/http/request-context.ts';
import { note } from '../../kernel/http/server-context.ts';
import { readJsonBody } from '../../kernel/http/json-body.ts';
import { checkBody } from '../../kernel/http/check-body.ts';
import { readParameters } from '../../kernel/http/parameters.ts';
import type { Reply, ReplyHeaders } from '../../kernel/http/reply.ts';
import { rateHeaders, type RateVerdict } from './rate-limiter.ts';
import {
  authenticateKey,
  flagKeyInBrowser,
  requireScope,
  type KeyCaller,
  type Scope,
} from '../keys.ts';
import { memberLimits } from '../limits.ts';
import { resolveSession } from '../session.ts';
import { Problem } from '../../kernel/problem.ts';
import { respondJson, respondProblem, type Answer } from './answer.ts';
import { isFromBrowser } from './browser.ts';
import { openHandlers, sessionHandlers } from './browser-routes.ts';
import type { OpenHandlers, ServerHandlers, SessionHandlers } from './calls.ts';
import { cookieNames, cookieValues } from './cookies.ts';
import { allowOrigin, allowPreflight, requireOwnPage } from './cross-origin.ts';
import type { MembersHost } from './host.ts';
import { serverHandlers } from './server-routes.ts';

/** Serves every row of the contract: one path each, with all of its methods. */
export function serveMembers(host: MembersHost): void {
  const rows = Object.entries<GuardedRoute>(membersContract);
  const paths = new Set(rows.map(([, { path }]) => path));
  for (const path of paths) {
    const own = rows.filter(([, row]) => row.path === path);
    const methods = new Map(own.map(([name, row]) => [row.method as string, { name, row }]));
    // Parts of a path with parameters are somebody's: the path is shown as the contract has it.
    direct(host.app, path, (request) => servePath(host, methods, request), path);
  }
}

type Methods = ReadonlyMap<string, { readonly name: string; readonly row: GuardedRoute }>;

async function servePath(
  host: MembersHost,
  methods: Methods,
  request: RequestContext,
): Promise<Reply> {
  const headers: ReplyHeaders = { Vary: 'Origin, Accept-Language' };
  try {
    const origin = request.header('origin');
    if (origin !== null) await allowOrigin(host, origin, headers);
    if (request.method === 'OPTIONS') {
      note(host.front, request, 204, 0);
      allowPreflight(methodsOf(methods), headers);
      return { status: 204, headers, body: null };
    }
    const found = methods.get(request.method === 'HEAD' ? 'GET' : request.method);
    if (found === undefined) throw otherMethod(methods, request);
    const answer = await serveRow(host, found.name, found.row, request, headers);
    return respondJson(host.front, request, answer, headers);
  } catch (error) {
    return respondProblem(host.front, request, error, headers);
  }
}

/** A page learns of a path for servers what it learns by any method: that it is not for pages. */
function otherMethod(methods: Methods, request: RequestContext): Problem {
  const takesPages = [...methods.values()].some(({ row }) => row.callers.includes('browser'));
  return isFromBrowser(request) && !takesPages ? browserRefused() : notAllowed(methodsOf(methods));
}

function methodsOf(methods: Methods): string {
  return [...methods.keys(), 'OPTIONS'].join(', ');
}

/** A browser is refused, or served as one, before any key is looked at. */
function serveRow(
  host: MembersHost,
  name: string,
  row: GuardedRoute,
  request: RequestContext,
  headers: ReplyHeaders,
): Promise<Answer> {
  const fromBrowser = isFromBrowser(request);
  const takesServers = row.callers.includes('server');
  const key = request.header('x-api-key');
  if (fromBrowser && key !== null) {
    // It lies in a page for all to read: the operator is told. Where that cannot be noted, the answer is the same.
    const flagged = flagKeyInBrowser(host.context, key).catch(() => {});
    return flagged.then(() => {
      if (takesServers) throw browserRefused();
      return serveBrowser(host, name, row, request, headers);
    });
  }
  const serve = fromBrowser || !takesServers ? serveBrowser : serveServer;
  return serve(host, name, row, request, headers);
}

async function serveServer(
  host: MembersHost,
  name: string,
  row: GuardedRoute,
  request: RequestContext,
  headers: ReplyHeaders,
): Promise<Answer> {
  const caller = await authenticate(host, request, headers);
  // A row for servers names its scope, which a test holds to the list of scopes.
  requireScope(caller, row.scope as Scope);
  spend(host.limiter.take(row.limit, caller.kid), headers);
  const body = await bodyOf(row, request);
  const { path, query } = request;
  const options = { path, strict: false, normalise: (text: string) => text };
  const parameters = readParameters(row, query, options).values;
  // By its type, every route of servers has its handler; parameters and body are checked by its row.
  const handler = serverHandlers[name as keyof ServerHandlers] as (call: object) => Promise<Answer>;
  return handler({ host, request, caller, body, parameters });
}

async function serveBrowser(
  host: MembersHost,
  name: string,
  row: GuardedRoute,
  request: RequestContext,
  headers: ReplyHeaders,
): Promise<Answer> {
  if (!row.callers.includes('browser')) throw browserRefused();
  spend(host.limiter.take(row.limit, host.address(request)), headers);
  const origin = row.method === 'GET' ? null : await requireOwnPage(host, request);
  const tokens = cookieValues(request.header('cookie'), cookieNames.token);
  if (tokens.length > memberLimits.sessionTokensMax) throw tooManyCookies();
  const finding = await resolveSession(host.context, tokens);
  const body = await bodyOf(row, request);
  const call = { host, request, origin, body, tokens, finding };
  if (row.session === 'optional') {
    const handler = openHandlers[name as keyof OpenHandlers] as (call: object) => Promise<Answer>;
    return handler(call);
  }
  if (finding.kind === 'ambiguous') throw ambiguous();
  if (finding.kind === 'none') throw sessionRequired();
  const handler = sessionHandlers[name as keyof SessionHandlers] as (
    call: object,
  ) => Promise<Answer>;
  return handler({ ...call, session: finding.session });
}

async function bodyOf(row: GuardedRoute, request: RequestContext): Promise<object> {
  if (row.body === undefined) return {};
  const { bodyBytesMax, unchecked } = row;
  const body = await readJsonBody(request, {
    ...(bodyBytesMax === undefined ? {} : { bytesMax: bodyBytesMax }),
    ...(unchecked === undefined ? {} : { unchecked }),
  });
  return checkBody(row, body);
}

/** Wrong keys are counted by address; a good key of the same address works on, so that nobody can lock others out. */
async function authenticate(
  host: MembersHost,
  request: RequestContext,
  headers: ReplyHeaders,
): Promise<KeyCaller> {
  try {
    return await authenticateKey(host.context, request.header('x-api-key') ?? undefined);
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_api_key') {
      spend(host.limiter.take(badKeyLimit, host.address(request)), headers);
    }
    throw error;
  }
}

/** By address. */
export const badKeyLimit = { name: 'bad_keys', calls: 60, windowS: 60 };

function spend(verdict: RateVerdict, headers: ReplyHeaders): void {
  Object.assign(headers, rateHeaders(verdict));
  if (verdict.allowed) return;
  const detail = {
    ko: `호출이 너무 잦습니다. ${verdict.retryAfterS}초 뒤에 다시 보내세요.`,
    en: `Too many calls. Send it again in ${verdict.retryAfterS} s.`,
  };
  throw new Problem('rate_limited', detail, { retryAfterS: verdict.retryAfterS });
}

function browserRefused(): Problem {
  return new Problem('browser_call_refused', {
    ko: '서버끼리만 부르는 주소입니다. 키를 가진 서버에서 부르세요.',
    en: 'This address is for servers only. Call it from your server, which holds the key.',
  });
}

function sessionRequired(): Problem {
  return new Problem('session_required', {
    ko: '로그인한 뒤에 부르세요.',
    en: 'Call it with a live session.',
  });
}

function ambiguous(): Problem {
  return new Problem('ambiguous_session', {
    ko: '서로 다른 회원의 쿠키가 함께 왔습니다. 로그아웃한 뒤 다시 로그인하세요.',
    en: 'Cookies of different members came together. Log out, then log in again.',
  });
}

function tooManyCookies(): Problem {
  return new Problem('bad_request', {
    ko: `svc_sso 쿠키가 너무 많습니다. ${memberLimits.sessionTokensMax}개까지 읽습니다.`,
    en: `There are too many svc_sso cookies; up to ${memberLimits.sessionTokensMax} are read.`,
  });
}

function notAllowed(allowed: string): Problem {
  const detail = {
    ko: `이 주소는 ${allowed}만 받습니다.`,
    en: `This address takes ${allowed} only.`,
  };
  return new Problem('method_not_allowed', detail, { headers: { Allow: allowed } });
}
