import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { ActivityQuery } from './activity.ts';
import { PreparedSql } from './prepared-sql.ts';
import { SqliteActivity } from './sqlite-activity.ts';

// Counts on a thread of its own, because a count takes up to a second. One read transaction makes all counts
// consistent.
const { path, query } = workerData as { path: string; query: ActivityQuery };
const database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
try {
  database.exec('BEGIN');
  parentPort!.postMessage(new SqliteActivity(new PreparedSql(database)).facts(query));
} finally {
  database.close();
}
