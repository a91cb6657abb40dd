import { isIP } from 'node:net';
import { getPublicSuffix } from 'tldts';
import { UnsafeSettingsError } from '../../kernel/settings.ts';

/**
 * Refuses a cookie domain that is an IP address, is shared with strangers, or does not cover the service at `url`.
 * Browsers would drop its cookies silently, or send them to strangers.
 */
export function requireOwnDomain(domain: string, url: string): void {
  const { hostname } = new URL(url);
  const advice = 'Set it to a domain of your own, such as example.com.';
  if (isIP(domain) !== 0 || /^[\d.]+$/.test(domain)) {
    throw new UnsafeSettingsError(
      `MARU_COOKIE_DOMAIN is the IP address ${domain}, and cookies cannot have one as their Domain. ${advice}`,
    );
  }
  if (isPublicSuffix(domain)) {
    throw new UnsafeSettingsError(
      `MARU_COOKIE_DOMAIN is ${domain}, under which anyone can register a name: browsers refuse such cookies. ${advice}`,
    );
  }
  if (hostname !== domain && !hostname.endsWith(`.${domain}`)) {
    throw new UnsafeSettingsError(
      `MARU_MEMBERS_URL is ${url}, which is outside MARU_COOKIE_DOMAIN ${domain}: browsers would refuse its cookies. ${advice}`,
    );
  }
}

/** True for a domain under which strangers can register names: both parts of the public suffix list, and more hosts. */
function isPublicSuffix(domain: string): boolean {
  // A trailing dot does not change the name.
  const name = domain.replace(/\.$/, '');
  return getPublicSuffix(name, { allowPrivateDomains: true }) === name || unlistedHosts.has(name);
}

/** Hosting services, Korea's 내도메인.한국 and names made of IP addresses, all missing in the list of 2026-11. */
const unlistedHosts: ReadonlySet<string> = new Set(
  (
    'cloudtype.app codesandbox.io github.dev glitch.me koyeb.app mycafe24.com railway.app render.com stackblitz.io ' +
    'kro.kr n-e.kr o-r.kr p-e.kr r-e.kr nip.io sslip.io'
  ).split(' '),
);
