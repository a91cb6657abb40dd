import type { PreparedSql } from './prepared-sql.ts';
import type { JobRun } from './entities.ts';
import type { MemberTransaction } from './store.ts';

/** The last run of each job, in SQLite. */
export class SqliteJobs implements Table {
  readonly #all;
  readonly #put;

  constructor(sql: PreparedSql) {
    this.#all = sql.many<JobRun>(
      `SELECT name, started_at AS startedAt, finished_at AS finishedAt, removed, failure
       FROM jobs ORDER BY name LIMIT 100`,
    );
    this.#put = sql.change(
      `INSERT INTO jobs VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET
         started_at = excluded.started_at, finished_at = excluded.finished_at,
         removed = excluded.removed, failure = excluded.failure`,
    );
  }

  all(): readonly JobRun[] {
    return this.#all();
  }

  put(run: JobRun): void {
    this.#put(run.name, run.startedAt, run.finishedAt, run.removed, run.failure);
  }
}

type Table = MemberTransaction['jobs'];
