import { operatorRoles, type OperatorRole } from '../contract/enumerations.ts';
import type { RequestContext } from '../kernel/http/request-context.ts';
import type { JsonObject } from '../kernel/json-object.ts';
import { Problem } from '../kernel/problem.ts';
import { isThisMachine } from '../kernel/this-machine.ts';
import { clientAddress } from '../members/http/client-address.ts';
import { cookieValues } from '../members/http/cookies.ts';
import type { AdminHost } from './api/call.ts';
import type { OpenedSession, SignedInOperator, SignInPlace } from './operators/operators.ts';

/** The signed-in operator who sent a request; 401 `session_required` without a session. */
export async function requireOperator(
  { operators }: Pick<AdminHost, 'operators'>,
  request: RequestContext,
): Promise<SignedInOperator> {
  const [token] = cookieValues(request.header('cookie'), sessionCookie);
  const operator = await operators.signedIn(token);
  if (operator !== null) return operator;
  throw new Problem('session_required', {
    ko: '운영자로 로그인하세요.',
    en: 'Sign in as an operator.',
  });
}

/** True if the role may do what `needed` may. */
export function hasRole(role: OperatorRole, needed: OperatorRole): boolean {
  return operatorRoles.indexOf(role) >= operatorRoles.indexOf(needed);
}

/** 403 `insufficient_role` for an operator without the role. */
export function requireRole({ role }: SignedInOperator, needed: OperatorRole): void {
  if (hasRole(role, needed)) return;
  throw new Problem('insufficient_role', {
    ko: `${needed} 역할이 필요한 작업입니다. 현재 역할은 ${role}입니다.`,
    en: `This needs the role ${needed}. Yours is ${role}.`,
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

/** `Set-Cookie` values of a new session and of the mark of its browser. */
export function sessionCookies({ token, mark }: OpenedSession): readonly string[] {
  return [cookieOf(sessionCookie, token, 8 * 3_600), cookieOf(deviceCookie, mark, 400 * 86_400)];
}

/** `Set-Cookie` values after a sign-out. The browser stays known. */
export const clearedSession: readonly string[] = [cookieOf('__Host-maru_admin', '', 0)];

function cookieOf(name: string, value: string, maxAgeS: number): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeS}; Secure; HttpOnly; SameSite=Strict`;
}

const sessionCookie = '__Host-maru_admin';
const deviceCookie = '__Host-maru_device';

/** Signs in with `name`, `passphrase` and `code`; with `token`, sets the passphrase of an invited operator. */
export async function openSession(
  { operators }: Pick<AdminHost, 'operators'>,
  request: RequestContext,
  body: JsonObject,
): Promise<OpenedSession> {
  const text = (name: string) => (typeof body[name] === 'string' ? body[name].slice(0, 1_000) : '');
  const place = placeOf(request);
  const token = text('token').trim();
  const credentials = {
    name: text('name').trim(),
    passphrase: text('passphrase'),
    code: text('code'),
  };
  return token === ''
    ? operators.signIn(credentials, place)
    : operators.join(token, credentials, place);
}

export async function endSession(
  { operators }: Pick<AdminHost, 'operators'>,
  request: RequestContext,
): Promise<void> {
  for (const token of cookieValues(request.header('cookie'), sessionCookie).slice(0, 4)) {
    await operators.signOut(token, placeOf(request));
  }
}

function placeOf(request: RequestContext): SignInPlace {
  const [mark] = cookieValues(request.header('cookie'), deviceCookie);
  return { address: addressOf(request), mark };
}

/** The peer's address: the listener has no proxy, and any local program could write `X-Forwarded-For`. */
export const addressOf = clientAddress([]);
