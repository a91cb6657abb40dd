import type { DatabaseSync } from 'node:sqlite';
import type { QuotaStore } from '../client/quota.ts';

/** Counts the calls of each operation and day in the job store, so that the count outlives the process. */
export function createStoredQuota(database: DatabaseSync): QuotaStore {
  const take = database.prepare(
    `INSERT INTO quota (operation, day, used) VALUES (?, ?, 1)
     ON CONFLICT DO UPDATE SET used = used + 1 WHERE used < ?`,
  );
  const spend = database.prepare(
    `INSERT INTO quota (operation, day, used) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET used = excluded.used`,
  );
  const read = database.prepare('SELECT used FROM quota WHERE operation = ? AND day = ?');
  const forget = database.prepare('DELETE FROM quota WHERE day < ?');
  let newest = '';
  return {
    take(operation, day, limit) {
      if (day > newest) {
        newest = day;
        forget.run(day);
      }
      return limit > 0 && Number(take.run(operation, day, limit).changes) > 0;
    },
    exhaust: (operation, day) => void spend.run(operation, day, exhausted),
    used(operation, day) {
      const used = Number(read.get(operation, day)?.['used'] ?? 0);
      return used === exhausted ? Number.POSITIVE_INFINITY : used;
    },
  };
}

/** Count of an exhausted day; every limit is lower. */
const exhausted = Number.MAX_SAFE_INTEGER;
