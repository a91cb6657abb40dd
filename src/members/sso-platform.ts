import type { MemberContext } from './context.ts';
import type { Platform } from './store/entities.ts';

/** True for a platform that may sign users in: one that did not opt out, with a page under the cookie domain. */
export function hasSso(
  context: Pick<MemberContext, 'cookieDomain'>,
  { cookieDomain, origins }: Pick<Platform, 'cookieDomain' | 'origins'>,
): boolean {
  return cookieDomain && isUnderCookieDomain(context, origins);
}

/** True if a page of these origins gets the cookies; also for a platform without origins, whose pages are unknown. */
export function isUnderCookieDomain(
  { cookieDomain: domain = null }: Pick<MemberContext, 'cookieDomain'>,
  origins: readonly string[],
): boolean {
  if (domain === null || origins.length === 0) return true;
  const hosts = origins.map((origin) => new URL(origin).hostname);
  return hosts.some((host) => host === domain || host.endsWith(`.${domain}`));
}
