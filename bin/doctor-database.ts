import type { ClusterFacts, ReplicaFacts } from '../src/members/postgres/cluster-facts.ts';
import { isThisMachine } from '../src/kernel/this-machine.ts';
import type { Check } from './doctor-remote.ts';
import { withNoun } from './terminal.ts';

/**
 * Checks the database of the members, its cluster, and that at most `processes` services are connected to it. Changes
 * nothing.
 */
export async function databaseChecks(url: string, processes: number): Promise<readonly Check[]> {
  const { readClusterFacts } = await import('../src/members/postgres/cluster-facts.ts');
  let facts;
  try {
    facts = await readClusterFacts(url);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const detail = `${reason || 'no connection'}. Check DATABASE_URL and that the server runs`;
    return [{ check: 'database', ok: false, detail }];
  }
  const results = Object.entries(checks).map(([check, examine]) => ({ check, ...examine(facts) }));
  return [
    ...results,
    { check: 'encryption', ...encryptionOf(url, facts) },
    { check: 'processes', ...processesOf(facts, processes) },
  ];
}

function processesOf({ services }: ClusterFacts, processes: number): Omit<Check, 'check'> {
  return services <= processes
    ? fine(`${services} of ${processes} connected`)
    : fault(
        `${services} are connected, and each admits the rate limits of one of ${processes}: set MARU_PROCESSES to ${services}`,
      );
}

function encryptionOf(url: string, { isEncrypted }: ClusterFacts): Omit<Check, 'check'> {
  const { hostname = '', searchParams } = URL.parse(url) ?? {};
  if (!isEncrypted) {
    return isThisMachine(hostname)
      ? fine('none, on this machine')
      : fault('none: add sslmode=verify-full to DATABASE_URL');
  }
  return searchParams?.get('sslmode') === 'require' && !searchParams.has('sslrootcert')
    ? fault('the certificate of the server is not checked: use sslmode=verify-full')
    : fine('TLS, with a certificate that was checked');
}

/** Checks the replica that statistics are counted on. Changes nothing. */
export async function replicaChecks(url: string, primaryUrl: string): Promise<readonly Check[]> {
  const { readReplicaFacts } = await import('../src/members/postgres/cluster-facts.ts');
  let facts;
  try {
    facts = await readReplicaFacts(url, primaryUrl);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const detail = `${reason || 'no connection'}: statistics are put off. Check DATABASE_REPLICA_URL and that both servers run`;
    return [{ check: 'replica', ok: false, detail }];
  }
  return [
    { check: 'replica', ...replicaOf(facts) },
    { check: 'replica lag', ...lagOf(facts) },
  ];
}

function replicaOf({ version, isStandby }: ReplicaFacts): Omit<Check, 'check'> {
  const name = `PostgreSQL ${Math.floor(version / 10_000)}`;
  return isStandby
    ? fine(`${name}, a standby`)
    : fault(`${name} is not a standby: give the address of one`);
}

function lagOf({ replayMs, fault: reason }: ReplicaFacts): Omit<Check, 'check'> {
  return replayMs === null
    ? fault(`${reason} Statistics are put off until that is mended`)
    : fine(`${replayMs} ms behind the primary`);
}

type Examine = (facts: ClusterFacts) => Omit<Check, 'check'>;

const checks: Readonly<Record<string, Examine>> = {
  database: ({ version, isReadOnly }) => {
    const name = `PostgreSQL ${Math.floor(version / 10_000)}`;
    if (version < 140_000) return fault(`${name}: use 14 or newer`);
    if (isReadOnly) return fault(`${name} is read-only: give the address of the primary`);
    return fine(name);
  },
  privileges: ({ canCreate }) =>
    canCreate
      ? fine('the user may create the tables of a new release')
      : fault('a new release cannot create its tables: GRANT CREATE ON SCHEMA public'),
  'synchronous standby': ({ synchronousNames, synchronousStandbys, hiddenStandbys }) => {
    if (synchronousNames === '') {
      return fault(
        'none: sign-ups that were acknowledged are lost with the machine. Set synchronous_standby_names, as Patroni and CloudNativePG do',
      );
    }
    if (synchronousStandbys > 0) return fine(withNoun(synchronousStandbys, 'standby', 'standbys'));
    return hiddenStandbys > 0
      ? fault('this user cannot see its state: GRANT pg_monitor to it')
      : fault('configured, and none is connected: writes wait until one is');
  },
  'synchronous commit': ({ synchronousCommit }) =>
    synchronousCommit === 'on' || synchronousCommit === 'remote_apply'
      ? fine(synchronousCommit)
      : fault(`${synchronousCommit}: set it to on, or an acknowledged write may be lost`),
  'frozen standby': ({ synchronousNames, senderTimeoutMs }) =>
    synchronousNames === '' || (senderTimeoutMs > 0 && senderTimeoutMs <= 10_000)
      ? fine(`wal_sender_timeout is ${senderTimeoutMs / 1_000} s`)
      : fault(
          `writes wait ${senderTimeoutMs === 0 ? 'for ever' : `${senderTimeoutMs / 1_000} s`} for it: set wal_sender_timeout to 10s`,
        ),
  connection: ({ jit, planCacheMode, idleTimeoutMs }) =>
    jit === 'off' && planCacheMode === 'force_generic_plan' && idleTimeoutMs === 5_000
      ? fine('the settings of the service reach the server')
      : fault(
          'the settings of the service do not reach the server: connect without a pooler, or with one that passes options in session mode',
        ),
  'statement timeout': ({ statementTimeoutMs }) =>
    statementTimeoutMs === 0 || statementTimeoutMs >= 10_000
      ? fine(statementTimeoutMs === 0 ? 'none' : `${statementTimeoutMs / 1_000} s`)
      : fault(`${statementTimeoutMs} ms: set it to 0 or at least 10s for the user of the service`),
  'database clock': ({ clockMs }) =>
    Math.abs(clockMs) <= 1_000
      ? fine(`differs by ${Math.abs(clockMs)} ms`)
      : fault(`differs by ${(Math.abs(clockMs) / 1_000).toFixed(1)} s: run NTP on all machines`),
  'archive of the log': ({ archiveMode, archivedSinceMs, isArchiverFailing }) => {
    if (archiveMode === 'off') {
      return fault(
        'off: a restore goes back to the last whole backup. Set archive_mode and archive_command, or let the provider back up continuously',
      );
    }
    if (isArchiverFailing) return fault('the last attempt failed: see the log of the server');
    if (archivedSinceMs === null) return fault('nothing was archived yet');
    const minutes = Math.round(archivedSinceMs / 60_000);
    return minutes <= 60
      ? fine(`${withNoun(minutes, 'minute')} old`)
      : fault(
          `${withNoun(minutes, 'minute')} old: set archive_timeout to 60s, and check the archive`,
        );
  },
};

function fine(detail: string): Omit<Check, 'check'> {
  return { ok: true, detail };
}

function fault(detail: string): Omit<Check, 'check'> {
  return { ok: false, detail };
}
