import { PostgresConnection } from './connection.ts';
import { logPosition, untilReplayed } from './log-position.ts';
import { replicaWaitMs } from './replica-counts.ts';
import { statement } from './statement.ts';

/** Facts of a server and its standbys, read over a connection as the service makes it. */
export interface ClusterFacts {
  readonly version: number;
  readonly isReadOnly: boolean;
  readonly canCreate: boolean;
  /** Empty if no standby is synchronous. */
  readonly synchronousNames: string;
  readonly synchronousStandbys: number;
  /** Standbys whose state this user may not see. */
  readonly hiddenStandbys: number;
  readonly synchronousCommit: string;
  /** True if the connection is encrypted. */
  readonly isEncrypted: boolean;
  /** Settings as the service needs them on its own connections. */
  readonly jit: string;
  readonly planCacheMode: string;
  readonly idleTimeoutMs: number;
  /** 0 for none. */
  readonly statementTimeoutMs: number;
  readonly senderTimeoutMs: number;
  readonly archiveMode: string;
  /** Time since the log was last archived; null if it never was. */
  readonly archivedSinceMs: number | null;
  /** True if the last attempt to archive failed. */
  readonly isArchiverFailing: boolean;
  /** Processes of the service that are connected to the database, without this one. */
  readonly services: number;
  /** Clock of this machine minus the clock of the server. */
  readonly clockMs: number;
}

export async function readClusterFacts(url: string): Promise<ClusterFacts> {
  const connection = await PostgresConnection.open(url);
  try {
    // The first answer has the time of the start of a session in it.
    await connection.execute('SELECT 1');
    const before = Date.now();
    const [row] = (await connection.run(facts, [])).rows;
    const between = (before + Date.now()) / 2;
    return { ...row!, clockMs: Math.round(between - row!.nowMs) };
  } finally {
    connection.destroy();
  }
}

/** Facts of a replica that statistics are counted on. */
export interface ReplicaFacts {
  readonly version: number;
  readonly isStandby: boolean;
  /** Time until it had what the primary had at the beginning; null if it had not in the time that a count waits. */
  readonly replayMs: number | null;
  /** Reason for which counts would be put off. */
  readonly fault: string | null;
}

export async function readReplicaFacts(url: string, primaryUrl: string): Promise<ReplicaFacts> {
  const primary = await PostgresConnection.open(primaryUrl);
  let replica;
  try {
    replica = await PostgresConnection.open(url, { isForCounts: true });
    const [server] = (await replica.run(replicaServer, [])).rows;
    const [position] = (await primary.run(logPosition, [])).rows;
    const startedAt = performance.now();
    try {
      await untilReplayed(replica, position!, replicaWaitMs);
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      return { ...server!, replayMs: null, fault };
    }
    return { ...server!, replayMs: Math.round(performance.now() - startedAt), fault: null };
  } finally {
    primary.destroy();
    replica?.destroy();
  }
}

const replicaServer = statement<Pick<ReplicaFacts, 'version' | 'isStandby'>>(
  `SELECT current_setting('server_version_num')::integer AS version, pg_is_in_recovery() AS is_standby`,
);

const facts = statement<Omit<ClusterFacts, 'clockMs'> & { readonly nowMs: number }>(
  `SELECT current_setting('server_version_num')::integer AS version,
     pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS is_read_only,
     has_schema_privilege(current_schema(), 'CREATE') AS can_create,
     current_setting('synchronous_standby_names') AS synchronous_names,
     (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) AS synchronous_standbys,
     (SELECT count(*) FROM pg_stat_replication WHERE sync_state IS NULL) AS hidden_standbys,
     current_setting('synchronous_commit') AS synchronous_commit,
     coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS is_encrypted,
     current_setting('jit') AS jit, current_setting('plan_cache_mode') AS plan_cache_mode,
     (SELECT setting::bigint FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout') AS idle_timeout_ms,
     (SELECT setting::bigint FROM pg_settings WHERE name = 'statement_timeout') AS statement_timeout_ms,
     (SELECT setting::bigint FROM pg_settings WHERE name = 'wal_sender_timeout') AS sender_timeout_ms,
     current_setting('archive_mode') AS archive_mode,
     (extract(epoch FROM clock_timestamp() - last_archived_time) * 1000)::bigint AS archived_since_ms,
     coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) AS is_archiver_failing,
     (SELECT count(DISTINCT application_name) FROM pg_stat_activity WHERE datname = current_database()
        AND application_name ~ '^maru [0-9]' AND application_name <> current_setting('application_name')) AS services,
     (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms
   FROM pg_stat_archiver`,
);
