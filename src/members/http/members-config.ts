import { UnsafeSettingsError, type Settings } from '../../kernel/settings.ts';
import { isThisMachine } from '../../kernel/this-machine.ts';
import { requireOwnDomain } from './cookie-domain.ts';
import type { CookiePolicy } from './cookies.ts';

/** Configuration of a members service, checked once before it starts. */
export interface MembersConfig {
  readonly url: string;
  /** Origin of `url`, as a browser writes it: the service's own pages count as same-origin. */
  readonly origin: string;
  readonly cookies: CookiePolicy;
  /** True on this machine without TLS: cookies lack `Secure` and `Domain`. */
  readonly isDevelopment: boolean;
  /** Addresses or networks of proxies whose `X-Forwarded-For` counts. */
  readonly trustedProxies: readonly string[];
  /** Multiplies every rate limit, for this one of the processes that share the calls; 0 lifts them. */
  readonly rateScale: number;
}

/** Reads the configuration from the settings; throws `UnsafeSettingsError` for one that is not safe to serve. */
export function membersConfig(
  settings: Pick<
    Settings,
    | 'MARU_MEMBERS_URL'
    | 'MARU_COOKIE_DOMAIN'
    | 'MARU_PREVIOUS_COOKIE_DOMAINS'
    | 'MARU_TRUSTED_PROXIES'
    | 'MARU_RATE_SCALE'
    | 'MARU_PROCESSES'
    | 'PORT'
  >,
): MembersConfig {
  const url = settings.MARU_MEMBERS_URL ?? `http://localhost:${settings.PORT}`;
  const { hostname, protocol, origin } = new URL(url);
  const domain = settings.MARU_COOKIE_DOMAIN;
  if (domain !== null) {
    requireOwnDomain(domain, url);
    if (protocol !== 'https:') {
      throw new UnsafeSettingsError(
        `MARU_MEMBERS_URL is ${url}, but cookies of ${domain} are sent over https only. Give the https:// address, or leave MARU_COOKIE_DOMAIN empty to try things on http://localhost.`,
      );
    }
  } else if (!isThisMachine(hostname)) {
    throw new UnsafeSettingsError(
      `MARU_MEMBERS_URL is ${url}, but MARU_COOKIE_DOMAIN is empty. Set it to the domain that the platforms share, such as example.com.`,
    );
  }
  return {
    url,
    origin,
    cookies: {
      domain,
      secure: domain !== null,
      previousDomains: settings.MARU_PREVIOUS_COOKIE_DOMAINS,
    },
    isDevelopment: domain === null,
    trustedProxies: settings.MARU_TRUSTED_PROXIES,
    rateScale: settings.MARU_RATE_SCALE / settings.MARU_PROCESSES,
  };
}
