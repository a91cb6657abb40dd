import { parentPort, workerData } from 'node:worker_threads';
import type { CountQuery } from '../store/counting-thread.ts';
import { countActivity, countFunnel } from './activity.ts';
import { PostgresConnection } from './connection.ts';
import { untilReplayed, type LogPosition } from './log-position.ts';

// Counts on a thread of its own, because a count takes up to seconds. One snapshot makes all counts consistent.
const { url, count, replay } = workerData as {
  url: string;
  count: CountQuery;
  /** Position to wait for on a replica; null on the primary. */
  replay: { position: LogPosition; waitMs: number } | null;
};
const connection = await PostgresConnection.open(url, { isForCounts: true });
try {
  if (replay !== null) await untilReplayed(connection, replay.position, replay.waitMs);
  await connection.execute('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  parentPort!.postMessage(
    count.kind === 'activity'
      ? await countActivity(connection, count.query)
      : await countFunnel(connection, count.query),
  );
} finally {
  connection.destroy();
}
