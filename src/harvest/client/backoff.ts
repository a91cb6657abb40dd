import type { PortalLimits } from './limits.ts';

/** Random delay up to a bound that doubles with each attempt (full jitter), so that clients do not retry at the same time. */
export function backoffMs(
  attempt: number,
  random: () => number,
  limits: Pick<PortalLimits, 'backoffMs' | 'backoffMsMax'>,
): number {
  const bound = limits.backoffMs * 2 ** Math.min(attempt - 1, 30);
  return Math.floor(random() * Math.min(bound, limits.backoffMsMax));
}

/** Reads `Retry-After`, seconds or a date, as milliseconds; null if it is absent or invalid. */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const moment = /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? null : Math.max(0, moment - now);
}
