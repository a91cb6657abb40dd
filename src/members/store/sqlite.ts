import { join } from 'node:path';
import { backup as backupDatabase, DatabaseSync } from 'node:sqlite';
import { migrate, migrationsIn } from '../../kernel/migrate.ts';
import type { ActivityFacts, ActivityQuery, FunnelCount, FunnelQuery } from './activity.ts';
import { CountingThread } from './counting-thread.ts';
import type { ErasureLedger, LedgerEntry } from './erasure-ledger.ts';
import { GroupCommit, type GroupCommitBounds } from './group-commit.ts';
import { LogWriteBack } from './log-write-back.ts';
import { PreparedSql } from './prepared-sql.ts';
import { SqliteAccessLog } from './sqlite-access-log.ts';
import { SqliteActivity } from './sqlite-activity.ts';
import { SqliteAssurance } from './sqlite-assurance.ts';
import { SqliteAudit } from './sqlite-audit.ts';
import { SqliteConsents } from './sqlite-consents.ts';
import { SqliteEntitlements } from './sqlite-entitlements.ts';
import { SqliteErasures } from './sqlite-erasures.ts';
import { SqliteEvents } from './sqlite-events.ts';
import { SqliteFunnel } from './sqlite-funnel.ts';
import { SqliteJobs } from './sqlite-jobs.ts';
import { SqliteKeys } from './sqlite-keys.ts';
import { SqliteMembers } from './sqlite-members.ts';
import { SqliteMemberships } from './sqlite-memberships.ts';
import { SqliteMerges } from './sqlite-merges.ts';
import { SqliteOperators } from './sqlite-operators.ts';
import { SqlitePasskeys } from './sqlite-passkeys.ts';
import { SqlitePlatforms } from './sqlite-platforms.ts';
import { SqliteSessions } from './sqlite-sessions.ts';
import { SqliteWebhooks } from './sqlite-webhooks.ts';
import { isStorageFailure, storageUnavailable } from '../../kernel/storage-failure.ts';
import type { MemberReads, MemberTransaction, MemberStore, ScrubResult } from './store.ts';

/**
 * Members store in one SQLite file. One connection writes in groups, another reads committed state. Any number of
 * processes of one machine can open the file.
 */
export class SqliteMemberStore implements MemberStore {
  readonly read: MemberReads;
  readonly #writing: DatabaseSync;
  readonly #reading: DatabaseSync;
  readonly #sql: PreparedSql;
  readonly #tx: MemberTransaction;
  readonly #writeBack: LogWriteBack;
  readonly #commits: GroupCommit;
  readonly #counts: CountingThread;
  readonly #ledger: ErasureLedger | null;
  /** Erasures of the part of a transaction that runs; parts run one after another. */
  #erased: LedgerEntry[] = [];

  /** Creates the file if absent and migrates its schema. */
  constructor(path: string, options: SqliteOptions = {}) {
    const open = options.open ?? ((file) => new DatabaseSync(file));
    this.#writing = open(path);
    configure(this.#writing);
    migrate(this.#writing, migrationsIn(join(import.meta.dirname, 'migrations')));
    this.#writing.exec('PRAGMA busy_timeout = 0');
    this.#reading = new DatabaseSync(path, { timeout: 1_000 });
    this.#reading.exec(`PRAGMA query_only = ON; PRAGMA cache_size = -${cacheKiB.reading}`);
    this.#sql = new PreparedSql(this.#writing);
    const program = new URL('./sqlite-activity-worker.ts', import.meta.url);
    this.#counts = new CountingThread(program, (run) => run({ path }));
    this.#ledger = options.ledger ?? null;
    this.#tx = tablesOf(this.#sql, (entry) => this.#erased.push(entry));
    this.read = tablesOf(new PreparedSql(this.#reading), () => {});
    this.#writeBack = new LogWriteBack(this.#writing, path, options.logPagesMax ?? logPagesMax);
    const bounds = { ...defaultBounds, ...options.bounds };
    this.#commits = new GroupCommit(this.#writing, this.#sql, bounds, this.#writeBack);
  }

  write<Result>(work: (tx: MemberTransaction) => Promise<Result>): Promise<Result> {
    const erased: LedgerEntry[] = [];
    const result = this.#commits.run(() => {
      // The work may run again.
      erased.length = 0;
      this.#erased = erased;
      return work(this.#tx);
    });
    return this.#ledger === null ? result : this.#inLedger(this.#ledger, result, erased);
  }

  /** Waits until the ledger has the erasures of a committed part. The next start repeats a failed write. */
  async #inLedger<Result>(
    ledger: ErasureLedger,
    result: Promise<Result>,
    erased: readonly LedgerEntry[],
  ): Promise<Result> {
    const value = await result;
    if (erased.length === 0) return value;
    try {
      await ledger.append(erased);
    } catch (error) {
      throw storageUnavailable(error);
    }
    return value;
  }

  activity(query: ActivityQuery): Promise<ActivityFacts> {
    return this.#counts.activity(query);
  }

  funnel(query: FunnelQuery): Promise<readonly FunnelCount[]> {
    return this.#counts.funnel(query);
  }

  /** Deleted data stays in the write-ahead log until a checkpoint truncates it. */
  async scrub(): Promise<ScrubResult> {
    try {
      this.#writing.exec('PRAGMA busy_timeout = 25');
      // The row of a checkpoint: `busy` is 1 when a reader or writer blocked it.
      const [row] = this.#writing.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all() as [
        { busy: number },
      ];
      return row.busy === 0 ? 'overwritten' : 'blocked';
    } catch (error) {
      // The erasure itself is committed: a full disk must not make it fail.
      if (isStorageFailure(error)) return 'blocked';
      throw error;
    } finally {
      this.#writing.exec('PRAGMA busy_timeout = 0');
    }
  }

  async backup(path: string): Promise<void> {
    // All pages in one step: between two steps a write of another connection would restart the copy.
    await backupDatabase(this.#reading, path, { rate: 2 ** 31 - 1 });
  }

  /** Query plan of each statement of this store, for the test that no statement reads without a bound. */
  plans(): readonly { readonly sql: string; readonly steps: readonly string[] }[] {
    const counts = [SqliteActivity, SqliteFunnel].map((Count) => {
      const { sql } = new Count(new PreparedSql(this.#writing));
      return sql.texts;
    });
    return [this.#sql.texts, ...counts].flat().map((text) => {
      // The columns of EXPLAIN QUERY PLAN (https://sqlite.org/eqp.html).
      const rows = this.#writing.prepare(`EXPLAIN QUERY PLAN ${text}`).all() as {
        detail: string;
      }[];
      return { sql: text, steps: rows.map(({ detail }) => detail) };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#commits.close();
    await this.#writeBack[Symbol.asyncDispose]();
    await this.#counts.close();
    this.#reading.close();
    this.#writing.close();
  }
}

export interface SqliteOptions {
  readonly bounds?: Partial<GroupCommitBounds>;
  /** Pages of the log from which it is written back. */
  readonly logPagesMax?: number;
  /** Keeps erasures outside the store. */
  readonly ledger?: ErasureLedger;
  /** Opens the writing connection; for tests that need access to it. */
  readonly open?: (path: string) => DatabaseSync;
}

const defaultBounds: GroupCommitBounds = { queueMax: 10_000, groupMax: 512, lockWaitMs: 2_000 };

/**
 * Page cache of each connection; other pages are read from the cache of the system. With 32 MB each, batches of events
 * took 40 MB more memory for no more events a second.
 */
const cacheKiB = { writing: 16_384, reading: 8_192 };

/** Every 32 MB instead of 8, because many events touch the same page. */
const logPagesMax = 16_000;

/**
 * FULL syncs the log at each commit, so that acknowledged writes survive a power cut. `secure_delete` overwrites deleted
 * data. Pages are small because each random key of a registration writes one to the log: half as many bytes, and 15,000
 * to 19,000 registrations a second instead of 11,000 to 13,000 with pages of 4 KiB. A commit writes the log back only if
 * its thread cannot.
 */
function configure(database: DatabaseSync): void {
  database.exec(
    `PRAGMA busy_timeout = 5000;
     PRAGMA page_size = 2048;
     PRAGMA journal_mode = WAL;
     PRAGMA synchronous = FULL;
     PRAGMA foreign_keys = ON;
     PRAGMA secure_delete = ON;
     PRAGMA cache_size = -${cacheKiB.writing};
     PRAGMA wal_autocheckpoint = ${4 * logPagesMax};`,
  );
}

function tablesOf(sql: PreparedSql, onErased: (entry: LedgerEntry) => void): MemberTransaction {
  const members = new SqliteMembers(sql);
  return {
    platforms: new SqlitePlatforms(sql),
    keys: new SqliteKeys(sql),
    members,
    memberships: new SqliteMemberships(sql, members),
    merges: new SqliteMerges(sql),
    erasures: new SqliteErasures(sql, onErased),
    sessions: new SqliteSessions(sql),
    events: new SqliteEvents(sql),
    audit: new SqliteAudit(sql),
    assurance: new SqliteAssurance(sql),
    webhooks: new SqliteWebhooks(sql),
    jobs: new SqliteJobs(sql),
    entitlements: new SqliteEntitlements(sql),
    operators: new SqliteOperators(sql),
    passkeys: new SqlitePasskeys(sql),
    accessLog: new SqliteAccessLog(sql),
    consents: new SqliteConsents(sql),
  };
}
