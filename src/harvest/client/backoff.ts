import type { PortalLimits } from './limits.ts';

/** Full jitter: from nothing up to a bound that doubles, so that callers do not retry at the same time. */
export function backoffMs(
  attempt: number,
  random: () => number,
  limits: Pick<PortalLimits, 'backoffMs' | 'backoffMsMax'>,
): number {
  const bound = limits.backoffMs * 2 ** Math.min(attempt - 1, 30);
  return Math.floor(random() * Math.min(bound, limits.backoffMsMax));
}

/** `Retry-After` in milliseconds, given as seconds or as a date; null for an absent or invalid one. */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const moment = /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? null : Math.max(0, moment - now);
}
