import { readFileSync } from 'node:fs';
import { cookieMaxAgeS, cookieNames } from '../src/members/http/cookies.ts';

export interface Check {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Signs a test user in at the platform: the response must relay both cookies, and they must work. */
export async function relayCheck(
  service: string,
  domain: string | null,
  login: string,
  body: string | undefined,
): Promise<Check> {
  const isForm = body !== undefined && !body.trimStart().startsWith('{');
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const headers = { 'content-type': type };
  const sent = body === undefined ? {} : { method: 'POST', headers, body };
  const answer = await fetch(login, { ...sent, redirect: 'manual', signal: timeout() });
  await answer.arrayBuffer();
  const cookies = answer.headers.getSetCookie();
  const fault = cookieFault(cookies, domain);
  if (fault !== null) {
    return { check: 'relay', ok: false, detail: `${login} answers ${answer.status}: ${fault}` };
  }
  const cookie = cookies.map((one) => one.split(';', 1)[0]!).join('; ');
  const me = await fetch(`${service}/auth/me`, { headers: { cookie }, signal: timeout() });
  const { authenticated } = (await me.json()) as { authenticated?: boolean };
  return authenticated === true
    ? { check: 'relay', ok: true, detail: `${login} relays both cookies, and they sign in` }
    : {
        check: 'relay',
        ok: false,
        detail: `the cookies of ${login} start no session: relay both of them unchanged, value and attributes`,
      };
}

/** Fault of the relayed cookies; null if both are as issued. */
function cookieFault(cookies: readonly string[], domain: string | null): string | null {
  for (const [name, httpOnly] of [
    [cookieNames.token, true],
    [cookieNames.uid, false],
  ] as const) {
    const own = cookies.filter((cookie) => cookie.startsWith(`${name}=`));
    if (own.length !== 1) {
      const accepted = own.length === 0 ? '. Did it accept the login? If so,' : ';';
      return `${own.length} Set-Cookie headers of ${name}${accepted} relay each Set-Cookie of POST /auth/sso/issue unchanged, one header each`;
    }
    const parts = own[0]!.split(/; */).slice(1);
    const wanted = [
      'Path=/',
      `Max-Age=${cookieMaxAgeS}`,
      'SameSite=Lax',
      ...(domain === null ? [] : [`Domain=${domain}`, 'Secure']),
      ...(httpOnly ? ['HttpOnly'] : []),
    ];
    const missing = wanted.filter((part) => !parts.includes(part));
    if (missing.length > 0) return `${name} lost ${missing.join(', ')} on the way`;
  }
  return null;
}

/** Checks the scopes of the key in a file without changing anything: the service checks scopes before bodies. */
export async function keyChecks(service: string, platform: string, file: string): Promise<Check[]> {
  const headers = {
    'x-api-key': readFileSync(file, 'utf8').trim(),
    'content-type': 'application/json',
    'accept-language': 'en',
  };
  const checks: Check[] = [];
  for (const [scope, path] of probes) {
    const body = JSON.stringify({ platform });
    const answer = await fetch(service + path, {
      method: 'POST',
      headers,
      body,
      signal: timeout(),
    });
    const { code, detail = '' } = (await answer.json()) as { code?: string; detail?: string };
    const ok = answer.status === 200 || answer.status === 404 || answer.status === 422;
    const given = ok
      ? `${path} accepts the key`
      : `${path} answers ${code ?? answer.status}: ${detail}`;
    checks.push({ check: `scope ${scope}`, ok, detail: given });
  }
  return checks;
}

/** Requests with an incomplete body: the service refuses the body only after it has accepted the key. */
const probes = [
  ['members:register', '/members/register'],
  ['events:write', '/members/events'],
  ['sso:issue', '/auth/sso/issue'],
  ['sso:verify', '/auth/sso/verify'],
] as const;

/** Checks that pages of an origin may call the members service and read its responses. */
export async function originCheck(
  service: string,
  origin: string,
  platform = 'CODE',
): Promise<Check> {
  const headers = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,x-svc-client',
  };
  const preflight = { method: 'OPTIONS', headers, signal: timeout() };
  const answer = await fetch(`${service}/members/events`, preflight);
  const allowed = answer.headers.get('access-control-allow-origin');
  const ok =
    allowed === origin && answer.headers.get('access-control-allow-credentials') === 'true';
  return {
    check: 'CORS',
    ok,
    detail: ok
      ? `pages of ${origin} may call`
      : `pages of ${origin} may not call: ./maru platform add ${platform} --add-origin ${origin}`,
  };
}

export function timeout(): AbortSignal {
  return AbortSignal.timeout(timeoutMs);
}

const timeoutMs = 5_000;
