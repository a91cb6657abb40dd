import type { Fault } from '../../data/portal/fault.ts';

/** Counts the requests of each operation and day; a persistent store keeps the count over restarts. */
export interface QuotaStore {
  /** Counts a request; returns false, and counts nothing, once `limit` of the day are counted. */
  take(operation: string, day: string, limit: number): boolean | Promise<boolean>;
  /** Notes that the upstream refuses more requests on this day, whatever the count. */
  exhaust(operation: string, day: string): void | Promise<void>;
  /** Requests counted on a day; infinite when exhausted. */
  used(operation: string, day: string): number | Promise<number>;
}

/** Fault of a request that is not sent. */
export const quotaSpent: Fault = {
  class: 'quota',
  code: 'quota_spent',
  message: 'the daily quota is spent',
};

/** Counts the newest day only, in the memory of the process. */
export function createMemoryQuota(): QuotaStore {
  let counted = new Map<string, number>();
  let current = '';

  function of(day: string): Map<string, number> {
    if (day > current) {
      current = day;
      counted = new Map();
    }
    return day === current ? counted : new Map();
  }

  return {
    take: (operation, day, limit) => {
      const counts = of(day);
      const used = counts.get(operation) ?? 0;
      if (used >= limit) return false;
      counts.set(operation, used + 1);
      return true;
    },
    exhaust: (operation, day) => void of(day).set(operation, Number.POSITIVE_INFINITY),
    used: (operation, day) => of(day).get(operation) ?? 0,
  };
}
