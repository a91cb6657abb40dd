import type { DatabaseSync } from 'node:sqlite';
import type { QuotaStore } from '../client/quota.ts';

/** Creates a store of request counts by operation and day in the job store, where they survive restarts. */
export function createStoredQuota(database: DatabaseSync): QuotaStore {
  const increment = database.prepare(
    `INSERT INTO quota (operation, day, used, daily_limit) VALUES (?, ?, 1, ?3)
     ON CONFLICT DO UPDATE SET used = used + 1, daily_limit = ?3 WHERE used < ?3`,
  );
  const markExhausted = database.prepare(
    `INSERT INTO quota (operation, day, used) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET used = excluded.used`,
  );
  const selectUsed = database.prepare('SELECT used FROM quota WHERE operation = ? AND day = ?');
  const deleteCount = database.prepare('DELETE FROM quota WHERE operation = ? AND day = ?');
  const deleteOlder = database.prepare('DELETE FROM quota WHERE day < ?');
  let newestDay = '';
  return {
    take(operation, day, limit) {
      if (day > newestDay) {
        newestDay = day;
        deleteOlder.run(day);
      }
      return limit > 0 && Number(increment.run(operation, day, limit).changes) > 0;
    },
    exhaust: (operation, day) => void markExhausted.run(operation, day, exhaustedCount),
    reset: (operation, day) => void deleteCount.run(operation, day),
    used(operation, day) {
      const used = Number(selectUsed.get(operation, day)?.['used'] ?? 0);
      return used === exhaustedCount ? Number.POSITIVE_INFINITY : used;
    },
  };
}

/** Request counts of a day, sorted by the path of the operation. */
export function quotasOf(database: DatabaseSync, day: string): StoredQuota[] {
  const rows = database
    .prepare('SELECT operation, used, daily_limit FROM quota WHERE day = ? ORDER BY operation')
    .all(day);
  return rows.map((row) => {
    const [used, limit] = [Number(row['used']), row['daily_limit']];
    return {
      operation: String(row['operation']),
      used: used === exhaustedCount ? null : used,
      limit: limit === null ? null : Number(limit),
    };
  });
}

interface StoredQuota {
  readonly operation: string;
  /** Null if the upstream refused further requests. */
  readonly used: number | null;
  /** Null for a count stored by an earlier release, which did not record limits. */
  readonly limit: number | null;
}

/** Count of an exhausted day; every limit is lower. */
const exhaustedCount = Number.MAX_SAFE_INTEGER;
