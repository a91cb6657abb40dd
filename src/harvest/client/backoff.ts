import type { PortalLimits } from './limits.ts';

/** Random delay up to a bound that doubles with each attempt (full jitter), so that clients do not retry at once. */
export function backoffMs(
  attempt: number,
  random: () => number,
  limits: Pick<PortalLimits, 'backoffMs' | 'backoffMsMax'>,
): number {
  const bound = limits.backoffMs * 2 ** Math.min(attempt - 1, 30);
  return Math.floor(random() * Math.min(bound, limits.backoffMsMax));
}

/**
 * Reads `Retry-After`, seconds or a date, as milliseconds; null if it is absent or invalid. A date is measured from
 * the response's own `date`, since the server's clock may differ from ours by hours; `now` replaces a missing one.
 */
export function retryAfterMs(
  header: string | null,
  date: string | null,
  now: number,
): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const moment = momentOf(text);
  return moment === null ? null : Math.max(0, moment - (momentOf(date?.trim() ?? '') ?? now));
}

/** Reads an HTTP date (RFC 9110) as milliseconds since 1970; null for any other text. */
function momentOf(text: string): number | null {
  const moment = /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? null : moment;
}
