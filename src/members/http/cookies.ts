/** Where the session cookies hold. */
export interface CookiePolicy {
  /** Null in development: a cookie of one host. */
  readonly domain: string | null;
  /** Off in development only, where there is no TLS. */
  readonly secure: boolean;
  /** Domains of before: their cookies are cleared at logout. */
  readonly previousDomains: readonly string[];
}

export const cookieNames = { token: 'svc_sso', uid: 'svc_uid' } as const;

/** Seven days, as long as a session lives. */
export const cookieMaxAgeS = 604_800;

/** The pair, each one header: the token that no script can read, and the uid that one may. */
export function cookiePair(policy: CookiePolicy, token: string, svcUid: string): readonly string[] {
  const { domain } = policy;
  return [
    cookie(policy, cookieNames.token, token, { domain, maxAgeS: cookieMaxAgeS, httpOnly: true }),
    cookie(policy, cookieNames.uid, svcUid, { domain, maxAgeS: cookieMaxAgeS, httpOnly: false }),
  ];
}

/** Ends the pair wherever one may lie: on the domain, on the host alone, on domains of before. */
export function clearedCookies(policy: CookiePolicy): readonly string[] {
  const domains = new Set([policy.domain, null, ...policy.previousDomains]);
  return [...domains].flatMap((domain) => [
    cookie(policy, cookieNames.token, '', { domain, maxAgeS: 0, httpOnly: true }),
    cookie(policy, cookieNames.uid, '', { domain, maxAgeS: 0, httpOnly: false }),
  ]);
}

/** Every value a request carries under a name: a changed domain or a neighbour can leave several. */
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
