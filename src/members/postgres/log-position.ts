import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresConnection } from './connection.ts';
import { statement } from './statement.ts';

/** A position in the log of a cluster, with the database that it was read in. */
export interface LogPosition {
  readonly position: string;
  /** Identifiers, which a physical standby shares with its primary. */
  readonly cluster: string;
  readonly database: string;
}

/** The end of the log of a primary, or of the part that a standby has replayed. */
const endOfLog =
  'CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END';
const identifiers = `(SELECT system_identifier::text FROM pg_control_system()) AS cluster,
     (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS database`;

/** Everything that was committed before is in the log up to this position. */
export const logPosition = statement<LogPosition>(
  `SELECT (${endOfLog})::text AS position, ${identifiers}`,
);
const distance = statement<{
  readonly cluster: string;
  readonly database: string;
  readonly missingBytes: number;
}>(
  `SELECT pg_wal_lsn_diff($1::text::pg_lsn, ${endOfLog})::bigint AS missing_bytes, ${identifiers}`,
);

/**
 * Waits until a server has replayed the log of its primary up to a position, so that later statements see everything that
 * was committed before. Rejects with an `Error` if it has not within the time, or is not a replica of that database.
 */
export async function untilReplayed(
  connection: PostgresConnection,
  { position, cluster, database }: LogPosition,
  waitMs: number,
): Promise<void> {
  const until = performance.now() + waitMs;
  for (;;) {
    const [state] = (await connection.run(distance, [position])).rows;
    if (state!.cluster !== cluster || state!.database !== database) {
      throw new Error('It is not a replica of the database in DATABASE_URL.');
    }
    if (state!.missingBytes <= 0) return;
    if (performance.now() >= until) {
      throw new Error(
        `It is ${state!.missingBytes} bytes of log behind after a wait of ${waitMs / 1_000} s.`,
      );
    }
    await pause(pollMs);
  }
}

const pollMs = 50;
