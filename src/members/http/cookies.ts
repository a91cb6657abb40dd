/** Scope of the session cookies. */
export interface CookiePolicy {
  /** Null in development: the cookies belong to one host. */
  readonly domain: string | null;
  /** False in development only, which has no TLS. */
  readonly secure: boolean;
  /** Previous cookie domains. Their cookies are cleared on logout. */
  readonly previousDomains: readonly string[];
}

export const cookieNames = { token: 'svc_sso', uid: 'svc_uid' } as const;

/** Seven days, the life of a session. */
export const cookieMaxAgeS = 604_800;

/** Two `Set-Cookie` values: the token, which scripts cannot read, and the uid, which they can. */
export function cookiePair(policy: CookiePolicy, token: string, svcUid: string): readonly string[] {
  const { domain } = policy;
  return [
    cookie(policy, cookieNames.token, token, { domain, maxAgeS: cookieMaxAgeS, httpOnly: true }),
    cookie(policy, cookieNames.uid, svcUid, { domain, maxAgeS: cookieMaxAgeS, httpOnly: false }),
  ];
}

/** `Set-Cookie` values that clear the pair on the domain, on the host alone and on previous domains. */
export function clearedCookies(policy: CookiePolicy): readonly string[] {
  const domains = new Set([policy.domain, null, ...policy.previousDomains]);
  return [...domains].flatMap((domain) => [
    cookie(policy, cookieNames.token, '', { domain, maxAgeS: 0, httpOnly: true }),
    cookie(policy, cookieNames.uid, '', { domain, maxAgeS: 0, httpOnly: false }),
  ]);
}

/** All values of a cookie in a request: a changed domain or another subdomain can leave several. */
export function cookieValues(header: string | null, name: string): readonly string[] {
  if (header === null || !header.includes(name)) return [];
  const start = `${name}=`;
  const values: string[] = [];
  for (const part of header.split(';')) {
    const pair = part.trim();
    if (pair.startsWith(start)) values.push(unquoted(pair.slice(start.length)));
  }
  return values;
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.replace(/^"(.*)"$/, '$1') : value;
}

function cookie(
  { secure }: CookiePolicy,
  name: string,
  value: string,
  place: { readonly domain: string | null; readonly maxAgeS: number; readonly httpOnly: boolean },
): string {
  const { domain, maxAgeS, httpOnly } = place;
  return [
    `${name}=${value}`,
    ...(domain === null ? [] : [`Domain=${domain}`]),
    'Path=/',
    `Max-Age=${maxAgeS}`,
    ...(httpOnly ? ['HttpOnly'] : []),
    ...(secure ? ['Secure'] : []),
    'SameSite=Lax',
  ].join('; ');
}
