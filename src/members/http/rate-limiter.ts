import type { RateLimit } from '../../contract/route.ts';

export interface RateVerdict {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until a call is allowed; 0 when one is. */
  readonly retryAfterS: number;
  /** Null if limits are lifted. */
  readonly limit: RateLimit | null;
}

/** Limits calls by caller (GCRA): stores for each the time at which its allowance is complete again. */
export class RateLimiter {
  readonly #completeAt = new Map<string, number>();
  readonly #scale: number;
  readonly #now: () => number;

  /** `scale` multiplies every limit; 0 lifts them. */
  constructor(scale: number, now: () => number = () => performance.now()) {
    this.#scale = scale;
    this.#now = now;
  }

  /** Counts a call, unless it is refused. */
  take(limit: RateLimit, caller: string): RateVerdict {
    return this.#check(limit, caller, true);
  }

  /** The verdict for a call, without counting it. */
  peek(limit: RateLimit, caller: string): RateVerdict {
    return this.#check(limit, caller, false);
  }

  #check(given: RateLimit, caller: string, count: boolean): RateVerdict {
    if (this.#scale === 0) {
      return { allowed: true, remaining: given.calls, retryAfterS: 0, limit: null };
    }
    const limit = scaledLimit(given, this.#scale);
    const windowMs = limit.windowS * 1000;
    const callMs = windowMs / limit.calls;
    const now = this.#now();
    const id = `${limit.name}\n${caller}`;
    const next = Math.max(this.#completeAt.get(id) ?? 0, now) + callMs;
    // A fraction lost to rounding must not refuse the last allowed call.
    const overMs = next - now - windowMs - callMs / 1000;
    if (overMs > 0) {
      return { allowed: false, remaining: 0, retryAfterS: Math.ceil(overMs / 1000), limit };
    }
    if (count) this.#store(id, next);
    const remaining = Math.max(0, Math.floor((windowMs - (next - now)) / callMs + 0.001));
    return { allowed: true, remaining, retryAfterS: 0, limit };
  }

  #store(id: string, completeAt: number): void {
    // Inserted again at the end, so that the first entry is the least recently counted.
    this.#completeAt.delete(id);
    if (this.#completeAt.size >= callersMax) {
      this.#completeAt.delete(this.#completeAt.keys().next().value!);
    }
    this.#completeAt.set(id, completeAt);
  }
}

/** Most callers counted at one time. Beyond it, the least recently counted caller is dropped. */
const callersMax = 100_000;

/** A limit times a scale, in whole calls and at least one. */
export function scaledLimit(limit: RateLimit, scale: number): RateLimit {
  return scale === 1 ? limit : { ...limit, calls: Math.max(1, Math.floor(limit.calls * scale)) };
}

/** The headers of draft-ietf-httpapi-ratelimit-headers; none if limits are lifted. */
export function rateHeaders({
  limit,
  remaining,
  retryAfterS,
}: RateVerdict): Record<string, string> {
  if (limit === null) return {};
  const headers: Record<string, string> = {
    'RateLimit-Policy': `"${limit.name}";q=${limit.calls};w=${limit.windowS}`,
    RateLimit: `"${limit.name}";r=${remaining};t=${Math.max(retryAfterS, remaining > 0 ? 0 : 1)}`,
  };
  if (retryAfterS > 0) headers['Retry-After'] = String(retryAfterS);
  return headers;
}
