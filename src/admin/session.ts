import type { RequestContext } from '../kernel/http/request-context.ts';
import type { JsonObject } from '../kernel/json-object.ts';
import { Problem } from '../kernel/problem.ts';
import { isThisMachine } from '../kernel/this-machine.ts';
import { cookieValues } from '../members/http/cookies.ts';
import type { AdminHost } from './api/call.ts';

/** Name of the signed-in operator who sent a request; 401 `session_required` without a session. */
export function requireOperator({ operators }: AdminHost, request: RequestContext): string {
  const [token] = cookieValues(request.header('cookie'), adminCookie);
  const name = operators.signedInName(token);
  if (name !== null) return name;
  throw new Problem('session_required', {
    ko: '운영자로 로그인하세요.',
    en: 'Sign in as an operator.',
  });
}

/** Refuses requests from other sites, and to host names that merely resolve to this machine (DNS rebinding). */
export function requireOwnSite(request: RequestContext): void {
  const host = request.header('host') ?? '';
  const origin = request.header('origin');
  const isHere = isThisMachine(host.replace(/:\d+$/, ''));
  const isOwn = origin === null || origin === `http://${host}` || origin === `https://${host}`;
  const site = request.header('sec-fetch-site');
  if (isHere && isOwn && (site === null || site === 'same-origin' || site === 'none')) return;
  throw new Problem('csrf_rejected', {
    ko: '운영자 화면은 이 컴퓨터의 주소로 열어야 하며, 그 화면에서만 요청을 보낼 수 있습니다.',
    en: 'Open the operator’s pages at this machine’s address, and send requests from there only.',
  });
}

export function adminCookieOf(token: string): string {
  const maxAgeS = token === '' ? 0 : 8 * 3_600;
  return `${adminCookie}=${token}; Path=/; Max-Age=${maxAgeS}; Secure; HttpOnly; SameSite=Strict`;
}

const adminCookie = '__Host-maru_admin';

/** Signs in with `name` and `passphrase`, or creates the first operator with `token` too. Returns a session token. */
export async function openSession({ operators }: AdminHost, body: JsonObject): Promise<string> {
  const { token, name, passphrase } = body;
  if (typeof name !== 'string' || typeof passphrase !== 'string') {
    return operators.signIn('', '');
  }
  return typeof token === 'string' && token !== ''
    ? operators.createFirst(token.trim(), name.trim(), passphrase)
    : operators.signIn(name.trim(), passphrase);
}

export function endSession({ operators }: AdminHost, request: RequestContext): void {
  for (const token of cookieValues(request.header('cookie'), adminCookie)) operators.signOut(token);
}
