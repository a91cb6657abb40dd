import type { Fault } from '../../data/portal/fault.ts';

/** Counts the calls of each operation and day; a persistent one keeps the count over restarts. */
export interface QuotaStore {
  /** Counts one call, unless `limit` of that day are made: then false, and nothing is counted. */
  take(operation: string, day: string, limit: number): boolean | Promise<boolean>;
  /** The portal says that the day's calls are spent, whatever was counted here. */
  exhaust(operation: string, day: string): void | Promise<void>;
  /** Calls counted on a day; infinite when exhausted. */
  used(operation: string, day: string): number | Promise<number>;
}

/** What a call is answered with that was never made. */
export const quotaSpent: Fault = {
  class: 'quota',
  code: 'quota_spent',
  message: 'the calls of the day are made',
};

/** Remembers the newest day only, for as long as the process lives. */
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
