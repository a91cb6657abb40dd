import type { Fault } from '../../data/portal/fault.ts';

/** Counts of the requests of each operation and day; a persistent store keeps them over restarts. */
export interface QuotaStore {
  /** Counts a request; returns false without counting once the day has `limit` requests. */
  take(operation: string, day: string, limit: number): boolean | Promise<boolean>;
  /** Records that the upstream refuses more requests on this day, whatever the count. */
  exhaust(operation: string, day: string): void | Promise<void>;
  /** Deletes the count of a day, also of an exhausted one. */
  reset(operation: string, day: string): void | Promise<void>;
  /** Requests counted on a day; infinite when exhausted. */
  used(operation: string, day: string): number | Promise<number>;
}

/** Fault of a request that is not sent, since its quota is spent. */
export const quotaSpent: Fault = {
  class: 'quota',
  code: 'quota_spent',
  message: 'the daily quota is spent',
};

/** Creates a store that counts the newest day only, in the memory of the process. */
export function createMemoryQuota(): QuotaStore {
  let newestCounts = new Map<string, number>();
  let newestDay = '';

  function countsOf(day: string): Map<string, number> {
    if (day > newestDay) {
      newestDay = day;
      newestCounts = new Map();
    }
    return day === newestDay ? newestCounts : new Map();
  }

  return {
    take: (operation, day, limit) => {
      const counts = countsOf(day);
      const used = counts.get(operation) ?? 0;
      if (used >= limit) return false;
      counts.set(operation, used + 1);
      return true;
    },
    exhaust: (operation, day) => void countsOf(day).set(operation, Number.POSITIVE_INFINITY),
    reset: (operation, day) => void countsOf(day).delete(operation),
    used: (operation, day) => countsOf(day).get(operation) ?? 0,
  };
}

/**
 * Wraps `quota` so that `take` never refuses: it resets a count that is at its limit, or exhausted. Only the upstream
 * refuses requests.
 */
export function createUnlimitedQuota(quota: QuotaStore): QuotaStore {
  return {
    async take(operation, day, limit) {
      if (await quota.take(operation, day, limit)) return true;
      await quota.reset(operation, day);
      return await quota.take(operation, day, limit);
    },
    exhaust: (operation, day) => quota.exhaust(operation, day),
    reset: (operation, day) => quota.reset(operation, day),
    used: (operation, day) => quota.used(operation, day),
  };
}
