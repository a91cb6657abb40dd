import { once } from 'node:events';
import { join } from 'node:path';
import { backup as backupDatabase, DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { migrate, migrationsIn } from '../../kernel/migrate.ts';
import type { ActivityFacts, ActivityQuery } from './activity.ts';
import { GroupCommit, type GroupCommitBounds } from './group-commit.ts';
import { PreparedSql } from './prepared-sql.ts';
import { SqliteActivity } from './sqlite-activity.ts';
import { SqliteAudit } from './sqlite-audit.ts';
import { SqliteErasures } from './sqlite-erasures.ts';
import { SqliteEvents } from './sqlite-events.ts';
import { SqliteJobs } from './sqlite-jobs.ts';
import { SqliteKeys } from './sqlite-keys.ts';
import { SqliteMembers } from './sqlite-members.ts';
import { SqliteMemberships } from './sqlite-memberships.ts';
import { SqliteMerges } from './sqlite-merges.ts';
import { SqlitePlatforms } from './sqlite-platforms.ts';
import { SqliteSessions } from './sqlite-sessions.ts';
import { SqliteWebhooks } from './sqlite-webhooks.ts';
import { isStorageFailure, storageUnavailable } from '../../kernel/storage-failure.ts';
import type { MemberReads, MemberTransaction, MemberStore } from './store.ts';

/**
 * The members store on one SQLite file: one connection writes in groups, another reads what is committed.
 * Any number of processes of one machine can open the file.
 */
export class SqliteMemberStore implements MemberStore {
  readonly read: MemberReads;
  readonly #path: string;
  readonly #writing: DatabaseSync;
  readonly #reading: DatabaseSync;
  readonly #sql: PreparedSql;
  readonly #records: MemberTransaction;
  readonly #commits: GroupCommit;
  /** The count under way: each takes a thread and some bytes a member. */
  #counting: Promise<unknown> = Promise.resolve();

  /** Creates the file when absent and brings its schema up to date; throws when it cannot. */
  constructor(path: string, options: SqliteOptions = {}) {
    const open = options.open ?? ((file) => new DatabaseSync(file, { timeout: 25 }));
    this.#path = path;
    this.#writing = open(path);
    configure(this.#writing, 5_000);
    migrate(this.#writing, migrationsIn(join(import.meta.dirname, 'migrations')));
    configure(this.#writing, 25);
    this.#reading = new DatabaseSync(path, { timeout: 1_000 });
    this.#reading.exec(`PRAGMA query_only = ON; PRAGMA cache_size = -${cacheKiB.reading}`);
    this.#sql = new PreparedSql(this.#writing);
    this.#records = recordsOf(this.#sql);
    this.read = recordsOf(new PreparedSql(this.#reading));
    this.#commits = new GroupCommit(this.#writing, { ...defaultBounds, ...options.bounds });
  }

  write<Result>(work: (tx: MemberTransaction) => Promise<Result>): Promise<Result> {
    return this.#commits.run(() => work(this.#records));
  }

  /** One at a time, in the order they were asked for. */
  activity(question: ActivityQuery): Promise<ActivityFacts> {
    const count = this.#counting.then(() => this.#count(question));
    this.#counting = count.catch(() => {});
    return count;
  }

  async #count(question: ActivityQuery): Promise<ActivityFacts> {
    const file = new URL('./sqlite-activity-worker.ts', import.meta.url);
    const worker = new Worker(file, {
      workerData: { path: this.#path, question },
      resourceLimits: countingHeap,
    });
    try {
      // The worker posts exactly this; an error in it makes `once` reject.
      const [facts] = (await once(worker, 'message')) as [ActivityFacts];
      return facts;
    } catch (error) {
      throw storageUnavailable(error);
    } finally {
      await worker.terminate();
    }
  }

  /** What was deleted is still in the log of changes until that is written back and cut to nothing. */
  async scrub(): Promise<boolean> {
    try {
      // The row of a checkpoint: busy is 1 when a reader or writer was in the way.
      const [row] = this.#writing.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all() as [
        { busy: number },
      ];
      return row.busy === 0;
    } catch (error) {
      // What was to be removed is removed all the same: a full disk may not turn that into a failure.
      if (isStorageFailure(error)) return false;
      throw error;
    }
  }

  async backup(path: string): Promise<void> {
    // All pages in one step: between two of them any write of another connection starts the copy over.
    await backupDatabase(this.#reading, path, { rate: 2 ** 31 - 1 });
  }

  /** How SQLite would run each statement of this store, for the test that none reads without a bound. */
  plans(): readonly { readonly sql: string; readonly steps: readonly string[] }[] {
    const { sql } = new SqliteActivity(new PreparedSql(this.#writing));
    return [...this.#sql.texts, ...sql.texts].map((text) => {
      // The columns of EXPLAIN QUERY PLAN (https://sqlite.org/eqp.html).
      const rows = this.#writing.prepare(`EXPLAIN QUERY PLAN ${text}`).all() as {
        detail: string;
      }[];
      return { sql: text, steps: rows.map(({ detail }) => detail) };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#commits.close();
    await this.#counting;
    this.#reading.close();
    this.#writing.close();
  }
}

export interface SqliteOptions {
  readonly bounds?: Partial<GroupCommitBounds>;
  /** How the writing connection is opened; for tests that need to hold it. */
  readonly open?: (path: string) => DatabaseSync;
}

/** What a count holds a member lies outside the heap: a small young generation does, and the bound is far from reach. */
const countingHeap = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 };

const defaultBounds: GroupCommitBounds = { queueMax: 10_000, groupMax: 512, lockWaitMs: 2_000 };

/**
 * Page cache of each connection. What is not in it comes from the system's own: with 32 MB each, batches of events
 * filled both and the process grew by 40 MB, for no more events a second.
 */
const cacheKiB = { writing: 16_384, reading: 8_192 };

/**
 * FULL syncs the log at each commit: what was acknowledged survives a power cut. secure_delete overwrites what is
 * deleted. Small pages, because each random key of a registration writes a page to the log: measured, half as many
 * bytes and 15,000 to 19,000 registrations a second where pages of 4 KiB gave 11,000 to 13,000. The
 * log is written back every 32 MB: a page that many events touch is written once instead of each 8 MB.
 */
function configure(database: DatabaseSync, lockWaitMs: number): void {
  database.exec(
    `PRAGMA busy_timeout = ${lockWaitMs};
     PRAGMA page_size = 2048;
     PRAGMA journal_mode = WAL;
     PRAGMA synchronous = FULL;
     PRAGMA foreign_keys = ON;
     PRAGMA secure_delete = ON;
     PRAGMA cache_size = -${cacheKiB.writing};
     PRAGMA wal_autocheckpoint = 16000;`,
  );
}

function recordsOf(sql: PreparedSql): MemberTransaction {
  return {
    platforms: new SqlitePlatforms(sql),
    keys: new SqliteKeys(sql),
    members: new SqliteMembers(sql),
    memberships: new SqliteMemberships(sql),
    merges: new SqliteMerges(sql),
    erasures: new SqliteErasures(sql),
    sessions: new SqliteSessions(sql),
    events: new SqliteEvents(sql),
    audit: new SqliteAudit(sql),
    webhooks: new SqliteWebhooks(sql),
    jobs: new SqliteJobs(sql),
  };
}
