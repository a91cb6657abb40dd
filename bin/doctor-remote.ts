import { readFileSync } from 'node:fs';
import { cookieMaxAgeS, cookieNames } from '../src/members/http/cookies.ts';

export interface Check {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Logs a test user in at a platform. Its response must relay both cookies of the service, and they must start a session. */
export async function relayCheck(
  service: string,
  cookieDomain: string | null,
  loginUrl: string,
  body: string | undefined,
): Promise<Check> {
  const isForm = body !== undefined && !body.trimStart().startsWith('{');
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const headers = { 'content-type': type };
  const init = body === undefined ? {} : { method: 'POST', headers, body };
  const response = await fetch(loginUrl, { ...init, redirect: 'manual', signal: requestTimeout() });
  await response.arrayBuffer();
  const cookies = response.headers.getSetCookie();
  const fault = cookieFault(cookies, cookieDomain);
  if (fault !== null) {
    const detail = `${loginUrl} answers ${response.status}: ${fault}`;
    return { check: 'relay', ok: false, detail };
  }
  const cookie = cookies.map((one) => one.split(';', 1)[0]!).join('; ');
  const me = await fetch(`${service}/auth/me`, { headers: { cookie }, signal: requestTimeout() });
  const { authenticated } = (await me.json()) as { authenticated?: boolean };
  const ok = authenticated === true;
  const detail = ok
    ? `${loginUrl} relays both cookies, and they start a session`
    : `the cookies of ${loginUrl} start no session: relay both of them unchanged, value and attributes`;
  return { check: 'relay', ok, detail };
}

/** Fault of the relayed cookies; null if both are as issued. */
function cookieFault(cookies: readonly string[], cookieDomain: string | null): string | null {
  for (const [name, isHttpOnly] of [
    [cookieNames.token, true],
    [cookieNames.uid, false],
  ] as const) {
    const matching = cookies.filter((cookie) => cookie.startsWith(`${name}=`));
    if (matching.length !== 1) {
      const condition = matching.length === 0 ? 'if the login succeeded, ' : '';
      return `${matching.length} Set-Cookie headers of ${name}: ${condition}relay each Set-Cookie of POST /auth/sso/issue unchanged, as a header of its own`;
    }
    const parts = matching[0]!.split(/; */).slice(1);
    const expected = [
      'Path=/',
      `Max-Age=${cookieMaxAgeS}`,
      'SameSite=Lax',
      ...(cookieDomain === null ? [] : [`Domain=${cookieDomain}`, 'Secure']),
      ...(isHttpOnly ? ['HttpOnly'] : []),
    ];
    const missing = expected.filter((part) => !parts.includes(part));
    if (missing.length > 0)
      return `${name} lost ${missing.join(', ')} on the way: relay the header unchanged`;
  }
  return null;
}

/** Checks the scopes of the key in a file. No data changes: the service checks scopes first, and all bodies are incomplete. */
export async function keyChecks(service: string, platform: string, file: string): Promise<Check[]> {
  const headers = {
    'x-api-key': readFileSync(file, 'utf8').trim(),
    'content-type': 'application/json',
    'accept-language': 'en',
  };
  const checks: Check[] = [];
  for (const { scope, path, method = 'POST', use } of probes) {
    const body = JSON.stringify({ platform, ...(method === 'PUT' && { until: 'never' }) });
    const response = await fetch(service + path, {
      method,
      headers,
      body,
      signal: requestTimeout(),
    });
    const answer = (await response.json()) as { code?: string; detail?: string };
    const { code = response.status, detail = 'no answer of a members service' } = answer;
    const isAccepted = response.status === 422 && incompleteBodyCodes.includes(code);
    const isUnused = use !== undefined && code === 'insufficient_scope';
    const refusal = isUnused
      ? `the key lacks it; needed only to ${use}`
      : `${path} answers ${code}: ${detail}`;
    const outcome = isAccepted ? `${path} accepts the key` : refusal;
    checks.push({ check: `scope ${scope}`, ok: isAccepted || isUnused, detail: outcome });
  }
  return checks;
}

/** Problem codes of an incomplete body, sent by a service that has accepted the scope. */
const incompleteBodyCodes: readonly unknown[] = [
  'validation_failed',
  'invalid_email',
  'invalid_event',
];

interface Probe {
  readonly scope: string;
  /** A path that requires the scope. */
  readonly path: string;
  readonly method?: 'POST' | 'PUT';
  /** Purpose of a scope without which the hooks work, too. */
  readonly use?: string;
}

const probes: readonly Probe[] = [
  { scope: 'members:register', path: '/members/register' },
  { scope: 'events:write', path: '/members/events' },
  { scope: 'sso:issue', path: '/auth/sso/issue' },
  { scope: 'sso:verify', path: '/auth/sso/verify' },
  { scope: 'members:privacy', path: '/members/leave' },
  { scope: 'members:read', path: '/members/lookup', use: 'look members up' },
  {
    scope: 'members:entitle',
    path: `/members/svc_${'a'.repeat(26)}/entitlements/any`,
    method: 'PUT',
    use: 'grant entitlements',
  },
];

/** Checks that pages of an origin may call the members service and read its responses; the advice names `platform`. */
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
  const preflight = { method: 'OPTIONS', headers, signal: requestTimeout() };
  const response = await fetch(`${service}/members/events`, preflight);
  const allowedOrigin = response.headers.get('access-control-allow-origin');
  const ok =
    allowedOrigin === origin && response.headers.get('access-control-allow-credentials') === 'true';
  return {
    check: 'CORS',
    ok,
    detail: ok
      ? `pages of ${origin} may call the members service`
      : `pages of ${origin} may not call the members service: run ./maru platform add ${platform} --add-origin ${origin}`,
  };
}

export function requestTimeout(): AbortSignal {
  return AbortSignal.timeout(timeoutMs);
}

const timeoutMs = 5_000;
