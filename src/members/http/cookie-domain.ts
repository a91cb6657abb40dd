import { isIP } from 'node:net';
import { getPublicSuffix } from 'tldts';
import { ConfigurationRefused, type Settings } from '../../kernel/settings.ts';
import { isThisMachine } from '../../kernel/this-machine.ts';
import type { CookiePolicy } from './cookies.ts';

/** The addresses and cookies of a members service, settled from its settings. */
export interface MembersPlace {
  readonly url: string;
  readonly origin: string;
  readonly cookies: CookiePolicy;
  /** On this machine without TLS: cookies lack `Secure` and `Domain`. */
  readonly isDevelopment: boolean;
}

/**
 * Where the service is and where its cookies hold. Refuses a cookie domain that others share, an address, or one that
 * the service itself does not lie under: browsers would drop such cookies without a word, or give them to strangers.
 */
export function membersPlace(
  settings: Pick<
    Settings,
    'MARU_MEMBERS_URL' | 'MARU_COOKIE_DOMAIN' | 'MARU_PREVIOUS_COOKIE_DOMAINS' | 'PORT'
  >,
): MembersPlace {
  const url = settings.MARU_MEMBERS_URL ?? `http://localhost:${settings.PORT}`;
  const { hostname, protocol, origin } = new URL(url);
  const domain = settings.MARU_COOKIE_DOMAIN;
  const previousDomains = settings.MARU_PREVIOUS_COOKIE_DOMAINS;
  if (domain === null) {
    if (!isThisMachine(hostname)) throw missingDomain(url);
    const cookies = { domain: null, secure: false, previousDomains };
    return { url, origin, cookies, isDevelopment: true };
  }
  refuseUnsafe(domain, hostname, url);
  if (protocol !== 'https:') {
    throw new ConfigurationRefused(
      `MARU_MEMBERS_URL is ${url}, but cookies of ${domain} are sent over https only. Give the https:// address, or leave MARU_COOKIE_DOMAIN empty to try things on http://localhost.`,
    );
  }
  const cookies = { domain, secure: true, previousDomains };
  return { url, origin, cookies, isDevelopment: false };
}

function refuseUnsafe(domain: string, hostname: string, url: string): void {
  const advice = 'Set it to a domain of your own, such as example.com.';
  if (isIP(domain) !== 0 || /^[\d.]+$/.test(domain)) {
    throw new ConfigurationRefused(
      `MARU_COOKIE_DOMAIN is the address ${domain}: cookies with a Domain cannot hold for an IP address. ${advice}`,
    );
  }
  if (isPublicSuffix(domain)) {
    throw new ConfigurationRefused(
      `MARU_COOKIE_DOMAIN is ${domain}, under which anyone can have a name: browsers refuse such cookies. ${advice}`,
    );
  }
  if (hostname !== domain && !hostname.endsWith(`.${domain}`)) {
    throw new ConfigurationRefused(
      `MARU_MEMBERS_URL is ${url}, which does not lie under MARU_COOKIE_DOMAIN ${domain}: its cookies would be refused. ${advice}`,
    );
  }
}

function missingDomain(url: string): ConfigurationRefused {
  return new ConfigurationRefused(
    `MARU_MEMBERS_URL is ${url}, but MARU_COOKIE_DOMAIN is empty. Name the domain that the platforms share, such as example.com.`,
  );
}

/**
 * Whether strangers can have names under a domain: what the public suffix list says (both its parts), and a few hosts
 * that give out names without being on it.
 */
function isPublicSuffix(domain: string): boolean {
  // A dot at the end is the same name written out in full.
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
