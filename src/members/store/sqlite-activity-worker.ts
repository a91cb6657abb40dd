import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { ActivityQuery } from './activity.ts';
import { PreparedSql } from './prepared-sql.ts';
import { SqliteActivity } from './sqlite-activity.ts';

// Counts on a thread of its own: a second of counting would be a second without answers. One read transaction,
// so that all counts are of one moment.
const { path, question } = workerData as { path: string; question: ActivityQuery };
const database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
try {
  database.exec('BEGIN');
  parentPort!.postMessage(new SqliteActivity(new PreparedSql(database)).facts(question));
} finally {
  database.close();
}
