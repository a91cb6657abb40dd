import { operatorRoles, type OperatorRole } from '../contract/enumerations.ts';
import type { RequestContext } from '../kernel/http/request-context.ts';
import type { JsonObject } from '../kernel/json-object.ts';
import { Problem } from '../kernel/problem.ts';
import { passkeySignIn } from '../contract/passkeys.ts';
import { checkBody } from '../kernel/http/check-body.ts';
import { isThisMachine } from '../kernel/this-machine.ts';
import { clientAddress } from '../members/http/client-address.ts';
import { cookieValues } from '../members/http/cookies.ts';
import { storedText } from '../members/stored-text.ts';
import type { AdminHost } from './api/call.ts';
import { randomLetters } from '../members/base32.ts';
import type { RelyingParty } from './operators/webauthn.ts';
import type { OpenedSession, SignedInOperator, SignInPlace } from './operators/operators.ts';

/**
 * The signed-in operator of a request; 401 `session_required` without a session. A request that a page sends by itself
 * (`live`) does not extend the session.
 */
export async function requireOperator(
  { operators }: Pick<AdminHost, 'operators'>,
  request: RequestContext,
): Promise<SignedInOperator> {
  const [token] = cookieValues(request.header('cookie'), sessionCookie);
  const isWatching = new URLSearchParams(request.query).has('live');
  const operator = await operators.signedIn(token, { isWatching });
  if (operator !== null) return operator;
  throw new Problem('session_required', {
    ko: '운영자로 로그인하세요.',
    en: 'Sign in as an operator.',
  });
}

/** True if the role includes the rights of `needed`. */
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
export function requireOwnSite(
  { origin: configured }: Pick<AdminHost, 'origin'>,
  request: RequestContext,
): void {
  const host = request.header('host') ?? '';
  const origin = request.header('origin');
  const isConfigured = configured !== null && host === new URL(configured).host;
  const isHere = isConfigured || isThisMachine(host.replace(/:\d+$/, ''));
  const isOwn = origin === null || origin === `http://${host}` || origin === `https://${host}`;
  const site = request.header('sec-fetch-site');
  if (isHere && isOwn && (site === null || site === 'same-origin' || site === 'none')) return;
  throw new Problem('csrf_rejected', {
    ko: '운영자 화면은 이 컴퓨터의 주소로 열어야 하며, 그 화면에서만 요청을 보낼 수 있습니다.',
    en: 'Open the operator’s pages at this machine’s address, and send requests from there only.',
  });
}

/** The site that passkeys belong to: `localhost` by default, because browsers accept no passkeys at an IP address. */
export function partyOf(
  { origin: configured }: Pick<AdminHost, 'origin'>,
  { incoming }: RequestContext,
): RelyingParty {
  // A closed connection has no port.
  const { localPort = '' } = incoming.socket;
  const { hostname, origin } = new URL(configured ?? `http://localhost:${localPort}`);
  return { id: hostname, origin };
}

/** True for a page that was opened at the site of the passkeys. */
export function isAtParty({ origin }: RelyingParty, request: RequestContext): boolean {
  return request.header('host') === new URL(origin).host;
}

/** Options to sign in with a passkey, and the cookie that identifies the browser until it has a session. */
export function signInOptions(host: AdminHost, request: RequestContext) {
  const browser = challengeBrowser(request) ?? randomLetters(browserLetters);
  const options = host.operators.passkeys.requestOptions('sign-in', {
    party: partyOf(host, request),
    browser,
  });
  const cookie = cookieOf(challengeCookie, browser, options.timeout / 1_000);
  return { options, cookies: [cookie] };
}

/** The id of the browser from the cookie of `signInOptions`; null without the cookie. */
function challengeBrowser(request: RequestContext): string | null {
  const [browser = ''] = cookieValues(request.header('cookie'), challengeCookie);
  return /^[a-z2-7]+$/.test(browser) && browser.length === browserLetters ? browser : null;
}

/** `Set-Cookie` values of a new session and of its browser. */
export function sessionCookies({ token, deviceToken }: OpenedSession): readonly string[] {
  return [
    cookieOf(sessionCookie, token, 8 * 3_600),
    cookieOf(deviceCookie, deviceToken, 400 * 86_400),
  ];
}

/** `Set-Cookie` values after a sign-out. The browser keeps its device cookie. */
export const clearedSession: readonly string[] = [cookieOf('__Host-maru_admin', '', 0)];

function cookieOf(name: string, value: string, maxAgeS: number): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeS}; Secure; HttpOnly; SameSite=Strict`;
}

const sessionCookie = '__Host-maru_admin';
const deviceCookie = '__Host-maru_device';
const challengeCookie = '__Host-maru_challenge';
const browserLetters = 26;

/**
 * Signs in with `passkey`, or with `name`, `passphrase` and `code`; with `token`, sets the passphrase of an invited
 * operator.
 */
export async function openSession(
  host: Pick<AdminHost, 'operators' | 'origin'>,
  request: RequestContext,
  body: JsonObject,
): Promise<OpenedSession> {
  const { operators } = host;
  if (body['passkey'] !== undefined) {
    const { passkey } = checkBody(passkeySignIn, body);
    const site = { party: partyOf(host, request), browser: challengeBrowser(request) ?? '' };
    return operators.signInWithPasskey(passkey, site, placeOf(request));
  }
  const text = (name: string) => (typeof body[name] === 'string' ? body[name].slice(0, 1_000) : '');
  const place = placeOf(request);
  const token = text('token').trim();
  const credentials = {
    name: storedText(text('name')).trim(),
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
  const [deviceToken] = cookieValues(request.header('cookie'), deviceCookie);
  return { address: addressOf(request), deviceToken };
}

/** The peer's address: the listener has no proxy, and any local program could write `X-Forwarded-For`. */
export const addressOf = clientAddress([]);
