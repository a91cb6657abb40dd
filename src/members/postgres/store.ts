import { storageUnavailable } from '../../kernel/storage-failure.ts';
import type { ActivityFacts, ActivityQuery, FunnelCount, FunnelQuery } from '../store/activity.ts';
import { CountingThread } from '../store/counting-thread.ts';
import type { ErasureLedger } from '../store/erasure-ledger.ts';
import type { OperatorSessions } from '../store/operator-sessions.ts';
import type { MemberReads, MemberStore, MemberTransaction, ScrubResult } from '../store/store.ts';
import { GroupTransactions, type GroupBounds } from './group-transactions.ts';
import { openDatabase } from './open-database.ts';
import { PostgresOperatorSessions } from './operator-sessions.ts';
import { ReconnectingConnection } from './reconnecting.ts';
import { ReplicaCounts, type ReplicaOptions } from './replica-counts.ts';
import { SeparateReads } from './separate-reads.ts';
import { statement } from './statement.ts';
import { tablesOver } from './tables.ts';

/**
 * Members store in a PostgreSQL database. One connection writes in groups, a few read. Any number of processes on any
 * number of machines can use the database.
 */
export class PostgresMemberStore implements MemberStore {
  readonly read: MemberReads;
  readonly operatorSessions: OperatorSessions;
  readonly #reads: SeparateReads;
  readonly #writes: GroupTransactions;
  readonly #counts: CountingThread;
  readonly #ledger: ErasureLedger | null;

  private constructor(url: string, { bounds, ledger, replica }: PostgresOptions) {
    this.#reads = new SeparateReads(url, readConnections);
    this.read = tablesOver(this.#reads);
    const connection = new ReconnectingConnection(url);
    this.#writes = new GroupTransactions(connection, { ...defaultBounds, ...bounds });
    this.operatorSessions = new PostgresOperatorSessions(this.#reads, this.#writes);
    const onReplica = replica === undefined ? null : new ReplicaCounts(this.#reads, replica);
    this.#counts = new CountingThread(new URL('./activity-worker.ts', import.meta.url), (run) =>
      onReplica === null ? run({ url, replay: null }) : onReplica.count(run),
    );
    this.#ledger = ledger ?? null;
  }

  /** Connects and migrates the schema. Rejects with one sentence about a database that cannot be used. */
  static async open(url: string, options: PostgresOptions = {}): Promise<PostgresMemberStore> {
    await openDatabase(url, { isMove: options.isMove ?? false });
    return new PostgresMemberStore(url, options);
  }

  async write<Result>(work: (tx: MemberTransaction) => Promise<Result>): Promise<Result> {
    const { value, erased } = await this.#writes.run((runner) => work(tablesOver(runner)));
    if (this.#ledger === null || erased.length === 0) return value;
    try {
      await this.#ledger.append(erased);
    } catch (error) {
      throw storageUnavailable(error);
    }
    return value;
  }

  /** Fingerprint of the secret with which the database is used; null before its first use. */
  async secretFingerprint(): Promise<string | null> {
    return (await this.#reads.one(knownSecret))?.fingerprint ?? null;
  }

  /** Notes the fingerprint unless another process was first; returns the one that counts. */
  async noteSecretFingerprint(fingerprint: string): Promise<string> {
    const { value } = await this.#writes.run(async (runner) => {
      await runner.run(noteSecret, fingerprint);
      return runner.one(knownSecret);
    });
    return value!.fingerprint;
  }

  /** Ends a move into the database: from the commit of `work` on, services with this secret may use it. */
  async endMove(
    fingerprint: string,
    work: (tx: MemberTransaction) => Promise<void>,
  ): Promise<void> {
    await this.#writes.run(async (runner) => {
      await work(tablesOver(runner));
      await runner.run(noteSecret, fingerprint);
      await runner.run(deleteUnfinishedMove);
    });
  }

  activity(query: ActivityQuery): Promise<ActivityFacts> {
    return this.#counts.activity(query);
  }

  funnel(query: FunnelQuery): Promise<readonly FunnelCount[]> {
    return this.#counts.funnel(query);
  }

  /** The server overwrites no row in place, and its log and standbys have copies. */
  scrub(): Promise<ScrubResult> {
    return Promise.resolve('impossible');
  }

  backup(): Promise<void> {
    return Promise.reject(
      new Error(
        'PostgreSQL has backups of its own: use pg_basebackup, pgBackRest or those of the provider.',
      ),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writes.close();
    await this.#counts.close();
    await this.#reads.close();
  }
}

interface PostgresOptions {
  /** True to open a database that a move has not ended to fill. */
  readonly isMove?: boolean;
  readonly bounds?: Partial<GroupBounds>;
  /** Keeps erasures outside the store. */
  readonly ledger?: ErasureLedger;
  /** Counts statistics there instead of on the primary. */
  readonly replica?: ReplicaOptions;
}

const knownSecret = statement<{ readonly fingerprint: string }>(
  'SELECT fingerprint FROM secret_fingerprint WHERE one = 1',
);
const noteSecret = statement(
  'INSERT INTO secret_fingerprint VALUES (1, $1) ON CONFLICT (one) DO NOTHING',
);
const deleteUnfinishedMove = statement('DELETE FROM unfinished_move');

const defaultBounds: GroupBounds = { queueMax: 10_000, groupMax: 512, waitMs: 2_000 };

const readConnections = 4;
