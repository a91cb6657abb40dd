import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { CountQuery } from './counting-thread.ts';
import { PreparedSql } from './prepared-sql.ts';
import { SqliteActivity } from './sqlite-activity.ts';
import { SqliteFunnel } from './sqlite-funnel.ts';

// Counts on a thread of its own, because a count takes up to a second. One read transaction makes all counts
// consistent.
const { path, count } = workerData as { path: string; count: CountQuery };
const database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
try {
  database.exec('BEGIN');
  const sql = new PreparedSql(database);
  parentPort!.postMessage(
    count.kind === 'activity'
      ? await new SqliteActivity(sql).facts(count.query)
      : new SqliteFunnel(sql).counts(count.query),
  );
} finally {
  database.close();
}
